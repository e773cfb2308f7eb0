"""Command lines: every command and option with values that make no sense, and some that do."""
import subprocess

from base_scenes import scene
from program import trouble

NUMBERS = ["nan", "inf", "-inf", "-1", "1e30", "1e-30", "", "x", "0x10", "1,5", "9" * 300]

# option -> (command line before it, values that are right)
NUMERIC = {
    "--frames": ("run scene.toml --no-render --quiet --out o", {"0", "1"}),
    "--threads": ("check scene.toml", {"1", "2"}),
    "--seed": ("check scene.toml", {"1"}),
    "--spacing": ("surface points.xyz --out o --quiet", {"0.05"}),
    "--radius": ("surface points.xyz --out o --quiet", {"0.1"}),
    "--cell": ("surface points.xyz --out o --quiet", {"0.05"}),
    "--iso": ("surface points.xyz --method blobs --out o --quiet", set()),
    "--blobbiness": ("surface points.xyz --method blobs --out o --quiet", {"0.5"}),
    "--smooth": ("surface points.xyz --out o --quiet", {"2"}),
    "--decimate": ("surface points.xyz --out o --quiet", {"0.5"}),
    "--fps": ("surface points.xyz --out o --quiet --format usda", {"24"}),
    "--alpha": ("analyse flow points.xyz --no-render --out o --quiet", {"0.5"}),
    "--longest-edge": ("analyse flow points.xyz --no-render --out o --quiet", {"0.1"}),
    "--border": ("analyse flow points.xyz --no-render --out o --quiet", {"0.8"}),
    "--most-edges": ("analyse flow points.xyz --no-render --out o --quiet", {"1000"}),
    "--samples": ("render points.xyz --out o --quiet --set render.width=32 --set render.height=32", {"1"}),
    "--seconds": ("render points.xyz --out o --quiet --set render.width=32 --set render.height=32", {"0.01"}),
    "--turntable": ("render points.xyz --out o --quiet --set render.width=32 --set render.height=32 --samples 1", {"2"}),
    "--particles": ("bench neighbours --repeats 1", {"1000"}),
    "--repeats": ("bench neighbours --particles 1000", {"1"}),
    "--sizes": ("bench neighbours --repeats 1", {"1000,2000"}),
}

WRONG = [
    "", "fly", "run", "run absent", "run absent.toml", "run .", "run scene.toml --device tpu", "run scene.toml --frames", "run scene.toml --unknown",
    "run scene.toml --set", "run scene.toml --set x", "run scene.toml --set =1", "run scene.toml --set body.block.spacing=", "run scene.toml --set a.b.c.d=1",
    "run scene.toml scene.toml", "check", "check points.xyz", "check absent", "surface", "surface absent.ply --out o", "surface points.xyz", "surface scene.toml --out o",
    "surface points.xyz --out o --format las", "surface points.xyz --out o --method magic", "surface points_{}.xyz --out o", "surface points_{5..1}.xyz --out o",
    "surface points.xyz --out points.xyz", "render", "render absent", "render scene.toml", "render points.xyz --look shiny --out o", "render points.xyz --set render.width=1 --out o",
    "render points.xyz --set body.x=1 --out o", "analyse", "analyse flow", "analyse stars points.xyz", "analyse flow absent.xyz --out o", "list", "list stars", "new", "new scene", "new a/b/c",
    "new '' ", "new x --method fem", "bench stars", "bench neighbours --json absent/x.json", "bench neighbours --device tpu", "completion fish", "run scene.toml --out scene.toml",
    "run scene.toml --out scene.toml/x", "check scene.toml --threads 0", "check scene.toml --threads 99999", "run scene.toml --resume --out /dev/null",
    "check scene.toml --diagram d", "run scene.toml --device cuda --out /dev/null/x",
]

RIGHT = [
    "--help", "--version", "run --help", "list scenes", "list methods", "list materials", "list benchmarks", "schema", "reference", "completion bash", "completion zsh",
    "check scene.toml", "check scene.toml --set body.block.spacing=0.05", "check scene.toml --seed 3 --threads 1", "run scene.toml --frames 0 --out o --quiet --no-render",
    "run scene.toml --frames 1 --out o --quiet", "surface points.xyz --out s --quiet", "render points.xyz --out r --quiet --samples 1 --set render.width=32 --set render.height=32",
    "new fresh", "new other --method mpm",
]


def prepare(folder):
    folder.mkdir()
    (folder / "scene.toml").write_text(scene("sph"))
    (folder / "points.xyz").write_text("".join(f"{x * 0.05} {y * 0.05} {z * 0.05}\n" for x in range(6) for y in range(6) for z in range(6)))
    return folder


def attacks():
    for line in WRONG:
        yield line, line.split() if "''" not in line else ["new", ""], {1, 2}
    for line in RIGHT:
        yield line, line.split(), {0}
    for option, (before, right) in NUMERIC.items():
        for value in NUMBERS:
            yield f"{before} {option} {value[:20]!r}", [*before.split(), option, value], {2}
        for value in sorted(right):
            yield f"{before} {option} {value}", [*before.split(), option, value], {0}
    yield "a line break in --set", ["check", "scene.toml", "--set", "name=\"x\"\nseed=nonsense"], {2}
    yield "a line break in --set drops nothing", ["check", "scene.toml", "--set", "body.block.spacing=0.05\n[x]"], {2}


# Large where a number is only large: harmless, or refused.
EITHER = {("--seconds", "1e30"), ("--fps", "1e30"), ("--alpha", "1e-30"), ("--longest-edge", "1e30"), ("--border", "1e-30"), ("--iso", "1e-30"), ("--blobbiness", "1e30"),
          ("--most-edges", "1e-30"), ("--most-edges", ""), ("--particles", ""), ("--samples", ""), ("--frames", "")}


def attack(program, folder, options):
    lines = list(attacks())
    if options.short:
        lines = lines[options.seed % 4::4]
    failed = []
    for k, (name, arguments, due) in enumerate(lines):
        place = prepare(folder / str(k))
        ended = program(*arguments, folder=place, seconds=90)
        why = trouble(ended)
        # Whole numbers may be hexadecimal.
        harmless = (tuple(arguments[-2:]) in EITHER or arguments[-1:] == ["0x10"]) and ended.status in (0, 1, 2)
        if not why and ended.status not in due and not harmless:
            why = f"status {ended.status} where {due} was due: {(ended.error or ended.out)[:200]!r}"
        if why:
            failed.append((name, why))
    with open("/dev/full", "wb") as full:
        for arguments in (["list", "scenes"], ["check", "scene.toml"], ["schema"]):
            ended = program(*arguments, folder=prepare(folder / f"full-{arguments[0]}"), stdout=full)
            if ended.status == 0 or not ended.error:
                failed.append((f"{arguments} > /dev/full", f"silence: status {ended.status}, message {ended.error!r}"))
    return len(lines) + 3, failed, ""
