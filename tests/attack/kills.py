"""Kills: runs of every method are ended by SIGKILL at random moments and resumed until they finish.

The files must then be the same bytes as those of a run that was never ended, and nothing half-written may be left.
"""
import random
import re
import subprocess
import time

from base_scenes import EMITTING, METHODS, scene

MORE = """
[collider.bar]
shape = { type = "box", centre = [0.5, 0.2, 0], size = [0.3, 0.2, 0.4] }
motion = { times = [0, 0.3], positions = [[0, 0, 0], [-0.3, 0, 0]] }
[[event]]
time = 0.13
set = { "world.gravity" = [1, -5, 0] }
[[keyframe]]
path = "world.air_temperature"
times = [0, 0.3]
values = [20, 30]
[surface.stuff]
"""
TAP = """
[emitter.tap]
material = "stuff"
spacing = 0.04
speed = 1.0
shape = { type = "cylinder", centre = [0, 0.8, 0], radius = 0.08, height = 0.05 }
[[event]]
time = 0.17
set = { "emitter.tap.speed" = 0.5 }
"""


def contents(folder):
    """Bytes of every result; what tells of seconds on a clock is left out."""
    files = {}
    for path in sorted(folder.rglob("*")):
        if path.is_dir() or path.suffix in (".log", ".h5", ".mp4") or "lock" in path.name or path.suffix == ".json":
            continue
        data = path.read_bytes()
        if path.name == "stats.csv":
            rows = [line.split(",") for line in data.decode().splitlines()]
            clock = rows[0].index("wall_seconds")
            data = "\n".join(",".join(row[:clock] + row[clock + 1:]) for row in rows).encode()
        files[str(path.relative_to(folder))] = data
    return files


def differences(reference, found):
    names = [f"{name} is missing" for name in reference if name not in found]
    names += [f"{name} is left over" for name in found if name not in reference]
    names += [f"{name} differs" for name in reference if name in found and found[name] != reference[name]]
    return "loss: " + "; ".join(names[:4]) if names else ""


def run_with_kills(program, folder, dice, kills, most_seconds):
    """Starts and kills until `kills` are done or the run ends by itself; then lets it finish. The number of kills, and trouble."""
    done = 0
    while done < kills:
        process = program.start("run", "scene.toml", "--out", "out", "--quiet", "--resume", folder=folder)
        try:
            process.wait(timeout=dice.uniform(0.02, most_seconds))
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            done += 1
            continue
        _, error = process.communicate()
        if process.returncode != 0:
            return done, f"status {process.returncode} after {done} kills: {error.decode()[-300:]}"
        break
    ended = program("run", "scene.toml", "--out", "out", "--quiet", "--resume", folder=folder, seconds=120)
    return done, "" if ended.status == 0 else f"does not resume after {done} kills: {ended.error[-300:]}"


def attack(program, folder, options):
    dice = random.Random(options.seed)
    failed, kills = [], 0
    wanted = 10 if options.short else 150
    references = {}
    while kills < wanted:
        for method in METHODS:
            text = scene(method, head="duration = 0.3\nfps = 40", more=MORE + (TAP if method in EMITTING else ""))
            if method not in references:
                place = folder / method
                place.mkdir()
                (place / "scene.toml").write_text(text)
                begin = time.monotonic()
                ended = program("run", "scene.toml", "--out", "out", "--quiet", folder=place, seconds=120)
                if ended.status != 0:
                    return kills + 1, [*failed, (method, f"does not run: {ended.error[-300:]}")], ""
                references[method] = (contents(place / "out"), time.monotonic() - begin)
            reference, seconds = references[method]
            place = folder / f"{method}-{kills}"
            place.mkdir()
            (place / "scene.toml").write_text(text)
            done, why = run_with_kills(program, place, dice, 2 if options.short else 8, min(seconds, 1.5))
            kills += done
            why = why or differences(reference, contents(place / "out"))
            if why:
                failed.append((f"{method}, {done} kills", why))
            if done == 0:
                dice.random()
    return kills, failed, "kills over all methods; every resumed run gave the same bytes" if not failed else ""
