"""Stress: fast impacts, pistons, fountains, spin, thin walls, far away, tiny and huge; every method.

A run must end with status 0, finite numbers, all its particles, speeds that something explains, and nothing behind a closed wall.
"""
import re

from base_scenes import EMITTING, METHODS, scene
from ply import particles
from program import not_finite, stats, trouble

HEAD = "duration = 0.1\nfps = 40"


def run(program, folder, text, seconds=120):
    folder.mkdir()
    (folder / "scene.toml").write_text(text)
    ended = program("run", "scene.toml", "--out", "out", "--no-render", "--threads", "2", folder=folder, seconds=seconds)
    why = trouble(ended) or ("" if ended.status == 0 else f"status {ended.status}: {ended.error[-300:]}") or not_finite(folder / "out")
    return ended, why


def not_faster_than(limit):
    def judge(folder, ended):
        fastest = max(row["max_speed"] for row in stats(folder / "out"))
        return f"wrong: reaches {fastest:.4g} m/s, more than {limit:.4g} m/s" if fastest > limit else ""
    return judge


def all_stay(folder, ended):
    rows = stats(folder / "out")
    return "" if rows[-1]["particles"] == rows[0]["particles"] else "loss: the number of particles changed"


def none_below(height):
    def judge(folder, ended):
        lost = 0
        for path in sorted((folder / "out/particles").glob("*.ply")):
            lost = max(lost, sum(y < height for y in particles(path)["y"]))
        return f"wrong: {lost} particles are behind the wall" if lost else ""
    return judge


def both(*judges):
    return lambda folder, ended: next((why for why in (judge(folder, ended) for judge in judges) if why), "")


def impact(method, speed):
    text = scene(method, head=HEAD, body=f"velocity = [0, -{speed}, 0]")
    return text, both(all_stay, none_below(-0.2), not_faster_than(6 * speed + 20))


def thin_plate(method, speed):
    plate = '[collider.plate]\nshape = { type = "box", centre = [0, 0.0, 0], size = [3, 0.01, 3] }'
    text = scene(method, head=HEAD, floor=plate, body=f"velocity = [0, -{speed}, 0]")
    return text, both(all_stay, none_below(-0.06))


def swung_plate(method, speed):
    """The plate moves, the matter waits."""
    plate = ('[collider.plate]\nshape = { type = "box", centre = [0, -0.1, 0], size = [3, 0.01, 3] }\n'
             f"motion = {{ times = [0, 0.1], positions = [[0, 0, 0], [0, {0.1 * speed}, 0]] }}")
    text = scene(method, head=HEAD, floor=plate, world="", body="").replace("gravity = [0, -9.81, 0]", "gravity = [0, 0, 0]")

    def judge(folder, ended):
        last = sorted((folder / "out/particles").glob("*.ply"))[-1]
        lost = sum(y < -0.1 + 0.1 * speed - 0.06 for y in particles(last)["y"])
        return f"wrong: {lost} particles went through the plate" if lost else ""
    return text, both(all_stay, judge)


def piston(method, speed):
    more = ('[collider.piston]\nshape = { type = "box", centre = [-0.7, 0.3, 0], size = [0.4, 1.0, 1.0] }\n'
            f"motion = {{ times = [0, {0.4 / speed}], positions = [[0, 0, 0], [0.4, 0, 0]] }}")
    world = 'walls = "closed"\ndomain = { min = [-1, -0.5, -0.3], max = [0.5, 1, 0.3] }'
    return scene(method, head=HEAD, more=more, world=world), both(all_stay, not_faster_than(30 * speed + 30))


def jump(method, _):
    more = ('[collider.jump]\nshape = { type = "box", centre = [3, 0.2, 0], size = [0.15, 0.15, 0.15] }\n'
            'motion = { times = [0, 0.03], positions = [[0, 0, 0], [-3, 0, 0]], interpolation = "step" }')
    text = scene(method, head=HEAD, more=more)
    return text, not_faster_than(300)


def fountain(method, speed):
    more = ('[emitter.tap]\nmaterial = "stuff"\nspacing = 0.04\ndirection = [0, 1, 0]\nshape = { type = "cylinder", centre = [0, 0.6, 0], radius = 0.06, height = 0.05 }\n'
            f'speed = {speed}\n[[event]]\ntime = 0.03\nset = {{ "emitter.tap.speed" = {3 * speed} }}')
    return scene(method, head="duration = 0.06\nfps = 50", more=more), not_faster_than(12 * speed + 30)


def spin(method, turns):
    """Degrees a second; a spin that tears matter apart is right, energy from nowhere is not."""
    text = scene(method, head=HEAD, floor="", body=f"angular_velocity = [0, {360 * turns}, 0]").replace("gravity = [0, -9.81, 0]", "gravity = [0, 0, 0]")
    return text, both(all_stay, not_faster_than(2.5 * 6.283 * turns * 0.16 + 5))


def scaled(method, factor):
    """Lengths times the factor; a frame lasts as long as something of that size takes to fall its own height.

    Presets have stiffnesses of hands and rooms, so that tiny matter may ask for too many steps: `check` has to say so."""
    length = lambda v: f"{v * factor:.12g}"
    time = (factor ** 0.5) * 0.05
    shape = f'shape = {{ type = "box", centre = [0, {length(0.2)}, 0], size = [{length(0.24)}, {length(0.2)}, {length(0.2)}] }}'
    text = scene(method, head=f"duration = {2 * time:.12g}\nfps = {1 / time:.12g}", shape=shape, spacing=length(0.04))

    def judge(folder, ended):
        promised = most_steps(CHECK["program"]("check", "scene.toml", folder=folder).out)
        taken = max(row["substeps"] for row in stats(folder / "out"))
        return f"silence: check promised {promised:.0f} steps a frame, the run took {taken:.0f}" if taken > 2.5 * promised + 5 else ""
    return text, both(all_stay, judge)


def most_steps(report):
    """That `check` foresees in a frame."""
    return max((float(count) for count in re.findall(r"([\d.e+]+) steps a frame", report)), default=0)


CHECK = {}


def shifted(method, distance):
    """The same scene far away: the same energy as at the origin, to the bit."""
    def text_at(x):
        box = f'shape = {{ type = "box", centre = [{x}, 0.2, 0], size = [0.24, 0.2, 0.2] }}'
        bar = f'[collider.bar]\nshape = {{ type = "sphere", centre = [{x}, 0.0, 0], radius = 0.08 }}'
        return scene(method, head=HEAD, shape=box, more=bar)

    def judge(folder, ended):
        program = CHECK["program"]
        near = folder / "near"
        _, why = run(program, near, text_at(0))
        # Rows of far scenes have more digits than the nine of near ones.
        energy = lambda place: [f"{row['kinetic_energy']:.9g}" for row in stats(place / "out")]
        if why or energy(near) != energy(folder):
            return why or f"wrong: energies {energy(folder)[:3]} instead of {energy(near)[:3]}"
        return ""
    return text_at(distance), both(all_stay, judge)


KINDS = {impact: (5, 50), thin_plate: (10, 50), swung_plate: (10, 40), piston: (2, 20), jump: (0,), fountain: (5,), spin: (5,), scaled: (1e-6, 1e-3, 1e4), shifted: (1e3, 1e6)}


def foreseen_too_slow(program, folder, text):
    """Refused with a place, or so many steps promised that a run would take minutes."""
    folder.mkdir()
    (folder / "scene.toml").write_text(text)
    ended = program("check", "scene.toml", folder=folder)
    return (ended.status == 2 and ".toml:" in ended.error) or (ended.status == 0 and most_steps(ended.out) > 5000)


def attack(program, folder, options):
    CHECK["program"] = program
    attacks = [(kind, method, value) for method in METHODS for kind, values in KINDS.items() for value in values
               if kind is not fountain or method in EMITTING]
    if options.short:
        attacks = attacks[options.seed % 7::7]
    failed = []
    for k, (kind, method, value) in enumerate(attacks):
        text, judge = kind(method, value)
        place = folder / str(k)
        if kind is scaled and foreseen_too_slow(program, folder / f"{k}-check", text):
            continue
        ended, why = run(program, place, text)
        refused = ended.status == 2 and ".toml:" in ended.error  # a stated limit is an answer, for a jump
        why = "" if refused and kind is jump else why or judge(place, ended)
        if why:
            failed.append((f"{method} {kind.__name__} {value:g}", why))
    return len(attacks), failed, ""
