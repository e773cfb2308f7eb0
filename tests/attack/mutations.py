"""Mutated files: thousands of broken meshes, points, scenes and checkpoints go through the readers, with the sanitizers on.

The readers are the fuzz targets of tests/fuzz, which take files as arguments. Where they are not built the program itself reads.
"""
import random
import subprocess
from pathlib import Path

from program import trouble

CORPUS = Path(__file__).resolve().parent.parent / "fuzz" / "corpus"
NUMBERS = [b"0", b"-1", b"1e30", b"-1e308", b"nan", b"inf", b"4294967296", b"9223372036854775808", b"1" * 60, b""]


def mutate(data, others, dice):
    """One change, of a kind that careless programs, disks and people make."""
    kind = dice.randrange(8)
    at = dice.randrange(len(data) + 1)
    end = min(len(data), at + dice.randrange(1, 40))
    if kind == 0:
        return data[:at]
    if kind == 1:
        return data[:at] + bytes(dice.randrange(256) for _ in range(dice.randrange(1, 9))) + data[end:]
    if kind == 2:
        return data[:at] + data[end:]
    if kind == 3:
        return data[:end] + data[at:]
    if kind == 4:
        other = dice.choice(others)
        return data[:at] + other[dice.randrange(len(other) + 1):]
    if kind == 5:
        lines = data.split(b"\n")
        dice.shuffle(lines)
        return b"\n".join(lines)
    if kind == 6:
        words = data.split(b" ")
        words[dice.randrange(len(words))] = dice.choice(NUMBERS)
        return b" ".join(words)
    changed = bytearray(data)
    for _ in range(dice.randrange(1, 6)):
        if changed:
            changed[dice.randrange(len(changed))] ^= 1 << dice.randrange(8)
    return bytes(changed)


def mutated_files(folder, target, count, dice):
    originals = [path.read_bytes() for path in sorted((CORPUS / target).iterdir()) if path.is_file()]
    folder.mkdir()
    files = []
    for k in range(count):
        data = dice.choice(originals)
        for _ in range(dice.randrange(1, 4)):
            data = mutate(data, originals, dice)
        files.append(folder / f"{k}")
        files[-1].write_bytes(data)
    return files


def attack(program, folder, options):
    dice = random.Random(options.seed)
    targets = sorted(path.name for path in CORPUS.iterdir() if path.is_dir() and any(path.iterdir()))
    ready = [target for target in targets if (options.fuzz / f"fuzz_{target}").exists()]
    if len(ready) < len(targets):
        return by_program(program, folder, options, dice)
    each = 20 if options.short else 6000 // len(ready)
    failed = []
    for target in ready:
        files = mutated_files(folder / target, target, each, dice)
        ended = subprocess.run([options.fuzz / f"fuzz_{target}", "-timeout=20", "-rss_limit_mb=3000", f"-artifact_prefix={folder}/", *files],
                               capture_output=True, cwd=folder)
        if ended.returncode != 0:
            failed.append((target, ended.stderr.decode(errors="replace")[-600:]))
    return each * len(ready), failed, f"through {len(ready)} readers with sanitizers"


SUFFIXES = {"bgeo": "bgeo", "csv": "csv", "obj_points": "obj", "ply_points": "ply", "vtk_legacy": "vtk", "vtk_xml": "vtp", "xyz": "xyz", "scene": "toml"}


def by_program(program, folder, options, dice):
    """Fewer, since each is a process."""
    each, failed = 3 if options.short else 60, []
    for target, suffix in SUFFIXES.items():
        for file in mutated_files(folder / target, target, each, dice):
            path = file.rename(file.with_suffix("." + suffix))
            arguments = ("check", path) if suffix == "toml" else ("surface", path, "--out", "s", "--quiet")
            why = trouble(program(*arguments, folder=folder, seconds=60))
            if why:
                failed.append((f"{target} {path.name}", why))
    return each * len(SUFFIXES), failed, "through the program: the sanitized readers are not built (scripts/fuzz 1)"
