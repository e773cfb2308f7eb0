"""Scene files: odd ones that must run, wrong ones that must be refused with a place, and others of which either is right.

What `check` accepts, `run` must carry out to finite numbers; what one of them refuses is refused with file:line:col and status 2.
"""
import re
import resource

from base_scenes import METHODS, flat, scene
from program import not_finite, not_refused, trouble

OK, WRONG, EITHER = "ok", "wrong", "either"

SOLIDS = {
    "sphere": 'type = "sphere", radius = 0.12',
    "ellipsoid": 'type = "ellipsoid", radii = [0.12, 0.1, 0.14]',
    "cylinder": 'type = "cylinder", radius = 0.12, height = 0.2',
    "capsule": 'type = "capsule", radius = 0.08, height = 0.1',
    "cone": 'type = "cone", radius = 0.15, height = 0.2',
    "torus": 'type = "torus", radius = 0.12, thickness = 0.06',
    "bunny": 'type = "bunny", size = 0.3',
    "bust": 'type = "bust", size = 0.3',
    "die": 'type = "die", size = 0.2',
    "turned": 'type = "box", size = [0.2, 0.2, 0.2], rotation = [10, 20, 30]',
}


def odd_scenes(method):
    """Unusual, and right: must run."""
    for name, solid in SOLIDS.items():
        yield f"body {name}", scene(method, shape=f"shape = {{ {solid}, centre = [0, 0.4, 0] }}")
        yield f"collider {name}", scene(method, more=f"[collider.thing]\nshape = {{ {solid}, centre = [0, -0.3, 0.5] }}")
    csg = ('type = "difference", centre = [0, 0.3, 0], of = [{ type = "box", size = [0.3, 0.2, 0.2] }, '
           '{ type = "sphere", radius = 0.06 }]')
    yield "csg", scene(method, shape=f"shape = {{ {csg} }}")
    for packing in ("closest", "cubic", "jittered", "poisson", "random"):
        yield f"packing {packing}", scene(method, body=f'packing = "{packing}"')
    yield "flat", flat(method)
    yield "flat cubic", flat(method, body='packing = "cubic"')
    yield "weightless", scene(method, world="air_temperature = 5")
    yield "walls", scene(method, world='walls = "closed"\ndomain = { min = [-0.5, -0.1, -0.5], max = [0.5, 0.6, 0.5] }')
    yield "spinning", scene(method, body="angular_velocity = [0, 360, 90]")
    yield "thrown", scene(method, body="velocity = [3, 2, 1]")
    yield "hot", scene(method, body="temperature = 300")
    yield "pinned", scene(method, more='[pin.all]\nbody = "block"\nshape = { type = "box", size = [2, 2, 2] }')
    yield "led", scene(method, more='[pin.top]\nbody = "block"\nshape = { type = "box", centre = [0, 0.3, 0], size = [2, 0.1, 2] }\n'
                       "motion = { times = [0, 0.05], positions = [[0, 0, 0], [0, 0.02, 0]], rotations = [[0, 0, 0], [0, 10, 0]] }")
    yield "emitter", scene(method, more='[emitter.tap]\nmaterial = "stuff"\nspacing = 0.04\nspeed = 1.0\n'
                           'shape = { type = "cylinder", centre = [0, 0.8, 0], radius = 0.08, height = 0.05 }')
    yield "piston", scene(method, more='[collider.piston]\nshape = { type = "box", centre = [-0.5, 0.2, 0], size = [0.2, 0.4, 0.6] }\n'
                          "motion = { times = [0, 0.05], positions = [[0, 0, 0], [0.25, 0, 0]] }")
    yield "events", scene(method, more='[[event]]\ntime = 0.02\nset = { "world.gravity" = [1, 0, 0], "body.block.velocity" = [0, 1, 0] }')
    yield "keyframes", scene(method, more='[[keyframe]]\npath = "world.gravity"\ntimes = [0, 0.05]\nvalues = [[0, 0, 0], [0, -20, 0]]')
    yield "surface", scene(method, more="[surface.stuff]\nmethod = \"blobs\"")
    yield "safety", scene(method, more="[time]\nsafety = 0.5")
    yield "no floor", scene(method, floor="")
    yield "two bodies", scene(method, more='[body.other]\nmaterial = "stuff"\nspacing = 0.04\n'
                              'shape = { type = "box", centre = [0, 0.6, 0], size = [0.1, 0.1, 0.1] }')


def strange_scenes(method):
    """Extreme: may run or be refused, but with finite numbers or with a place."""
    for key, values in {
        "velocity": ("[1e20, 0, 0]", "[1e6, 0, 0]", "[0, -300, 0]"),
        "angular_velocity": ("[0, 1e30, 0]", "[0, 1e6, 0]"),
        "temperature": ("1e30", "-273.15", "1e5"),
    }.items():
        for value in values:
            yield f"{key} {value}", scene(method, body=f"{key} = {value}")
    for density in ("1e-30", "1e-3", "1e9", "1e30"):
        yield f"density {density}", scene(method, material=None, body="", more="").replace(
            "[body.block]", f"density = {density}\n[body.block]")
    for gravity in ("[0, 0, 0]", "[0, 1e30, 0]", "[0, -1e4, 0]", "[1e-30, 0, 0]"):
        yield f"gravity {gravity}", scene(method).replace("gravity = [0, -9.81, 0]", f"gravity = {gravity}")
    for spacing in ("1e-30", "1e-6", "0.15", "1", "1e30"):
        yield f"spacing {spacing}", scene(method, spacing=spacing)
    for head in ("duration = 1e-30\nfps = 40", "duration = 0.05\nfps = 1e5", "duration = 1e6\nfps = 1e-5", "duration = 0.05\nfps = 40\nresolution = 1e-3",
                 "duration = 0.05\nfps = 40\nresolution = 1e9"):
        yield head.replace("\n", " "), scene(method, head=head)
    for time in ("max_dt = 1e-300", "fixed_dt = 1e-30", "fixed_dt = 1e30", "safety = 1e-12", "settle = 0.01"):
        yield time, scene(method, more=f"[time]\n{time}")
    yield "far thing", scene(method, more='[collider.far]\nshape = { type = "sphere", centre = [1e30, 0, 0], radius = 1 }')
    yield "far body", scene(method, more='[body.far]\nmaterial = "stuff"\nspacing = 0.04\nshape = { type = "sphere", centre = [1e9, 0, 0], radius = 0.1 }')
    yield "jump", scene(method, more='[collider.jump]\nshape = { type = "box", centre = [5, 0.2, 0], size = [0.2, 0.2, 0.2] }\n'
                        'motion = { times = [0, 0.02], positions = [[0, 0, 0], [-5, 0, 0]], interpolation = "step" }')


def wrong_scenes():
    """Mistakes: must be refused with a place."""
    base = scene("lennard_jones")
    replaced = lambda old, new: base.replace(old, new)
    yield "empty", ""
    yield "no body", "duration = 1\n"
    yield "not TOML", "duration = = 1\n"
    yield "binary", "\x01\x02\x03\n"
    for line in ("duration = -1", "duration = nan", "duration = inf", 'duration = "long"', "duration = []", "fps = 0", "fps = 1e300", "schema = 2",
                 "seed = -1", "seed = 1.5", "dimensions = 4", "resolution = 0", 'name = "a/b"', 'name = ""', "gravity = [0, 0, 0]", "unknown = 1"):
        key = line.split(" ")[0]
        head = [line] + [old for old in ("duration = 0.05", "fps = 40") if not old.startswith(key)]
        yield f"head {line}", scene("lennard_jones", head="\n".join(head))
    for line in ("gravity = -9.81", "gravity = [0, 1]", 'gravity = "down"', "gravity = [nan, 0, 0]"):
        yield f"world {line}", replaced("gravity = [0, -9.81, 0]", line)
    for line in ('walls = "closed"', "periodic = [true, false, false]", 'walls = "soft"', "domain = { min = [0, 0, 0] }",
                 "domain = { min = [1, 1, 1], max = [0, 0, 0] }", "domain = { min = [0, 0, 0], max = [0, 1, 1] }"):
        yield f"world {line}", scene("lennard_jones", world=line)
    for line in ('preset = "gold"', 'preset = "dough"\nmethod = "mpm"', 'method = "fem"', "youngs_modulus = 1e5", 'preset = "putty"\nyoungs_modulus = -1',
                 'preset = "putty"\nyoung_modulus = 1e5', 'preset = "putty"\ndensity = 0', 'preset = "putty"\ndensity = 1\nparticle_mass = 1', "method = 7"):
        yield f"material {line!r}", scene("lennard_jones", material=line)
    for line in ("spacing = 0", "spacing = -1", "spacing = nan", 'spacing = "fine"', 'material = "nothing"', 'packing = "tight"', 'packing = "hexagonal"',
                 "velocity = 1", "velocity = [inf, 0, 0]", "colour = 1"):
        key = line.split(" ")[0]
        body = "\n".join(l for l in base.splitlines() if not (key in ("spacing",) and l.startswith("spacing")))
        if key == "material":
            yield f"body {line}", base.replace('material = "stuff"', line)
        else:
            yield f"body {line}", body.replace("[collider.floor]", f"[body.second]\nmaterial = \"stuff\"\nshape = {{ type = \"sphere\", radius = 0.1, centre = [0, 1, 0] }}\n{'' if key == 'spacing' else 'spacing = 0.04'}\n{line}\n[collider.floor]")
    for shape in ("{}", '{ type = "blob" }', '{ type = "sphere" }', '{ type = "sphere", radius = 0 }', '{ type = "sphere", radius = 0.1, size = 1 }',
                  '{ type = "box", size = 1 }', '{ type = "box", size = [1, 1] }', '{ type = "box", size = [1, -1, 1] }', '{ type = "plane" }',
                  '{ mesh = "absent.obj" }', '{ particles = "absent.ply" }', '{ type = "heightfield", file = "absent", size = [1, 1, 1] }',
                  '{ type = "union", of = [] }', '{ type = "union", of = [{ type = "sphere", radius = 0.1 }] }', '{ type = "sphere", radius = 0.1, centre = [nan, 0, 0] }',
                  '{ type = "sphere", radius = 1e-9 }', '"box"', "7"):
        yield f"shape {shape}", scene("lennard_jones", shape=f"shape = {shape}")
    floor_lines = ("friction = -1", "friction = nan", "restitution = 2", 'contact = "glue"', "colour = [2, 0, 0]", "voxel = 0.1", "temperature = -300", "speed = 1",
                   "motion = { times = [] }", "motion = { times = [1, 0], positions = [[0, 0, 0], [0, 0, 0]] }", "motion = { times = [0], positions = [] , speed = 1 }",
                   "motion = { times = [0, 1], positions = [[0, 0, 0]] }", 'motion = { times = [0], interpolation = "bezier" }', "motion = 1")
    for line in floor_lines:
        yield f"collider {line}", scene("lennard_jones", floor=f'[collider.floor]\nshape = {{ type = "plane" }}\n{line}')
    for more in ("[collider.floor2]", "[collider]\nx = 1", "[collider.inside]\nshape = { type = \"sphere\", radius = 1, centre = [0, 0.2, 0] }",
                 '[body.same]\nmaterial = "stuff"\nspacing = 0.04\nshape = { type = "box", centre = [0, 0.2, 0], size = [0.2, 0.2, 0.2] }',
                 '[body.coarse]\nmaterial = "stuff"\nspacing = 0.08\nshape = { type = "box", centre = [0, 1.2, 0], size = [0.4, 0.4, 0.4] }',
                 '[pin.none]\nbody = "block"\nshape = { type = "sphere", centre = [9, 9, 9], radius = 1 }', '[pin.lost]\nbody = "nothing"\nshape = { type = "sphere", radius = 1 }',
                 '[emitter.tap]\nmaterial = "stuff"\nspacing = 0.04\nshape = { type = "sphere", centre = [0, 1, 0], radius = 0.1 }',
                 '[emitter.tap]\nmaterial = "stuff"\nspacing = 0.04\nspeed = 1\nrate = 1\nshape = { type = "sphere", centre = [0, 1, 0], radius = 0.1 }',
                 '[emitter.block]\nmaterial = "stuff"\nspacing = 0.04\nspeed = 1\nshape = { type = "sphere", centre = [0, 1, 0], radius = 0.1 }',
                 '[emitter.tap]\nmaterial = "stuff"\nspacing = 0.04\nspeed = 1\ndirection = [0, 0, 0]\nshape = { type = "sphere", centre = [0, 1, 0], radius = 0.1 }',
                 "[[event]]\ntime = 0.1", '[[event]]\nset = { "world.gravity" = [0, 0, 0] }', '[[event]]\ntime = -1\nset = { "world.gravity" = [0, 0, 0] }',
                 '[[event]]\ntime = 0\nset = { "world.nothing" = 1 }', '[[event]]\ntime = 0\nset = { "material.stuff.youngs_modulus" = -1 }',
                 '[[event]]\ntime = 0\nset = { "material.gone.youngs_modulus" = 1 }', '[[event]]\ntime = 0\nset = { "body.block.shape" = 1 }', "[event]\ntime = 0",
                 '[[keyframe]]\npath = "world.gravity"\ntimes = [0]\nvalues = [1, 2]', '[[keyframe]]\npath = "x"\ntimes = [0]\nvalues = [1]',
                 '[[keyframe]]\npath = "world.gravity"\ntimes = [1, 0]\nvalues = [[0, 0, 0], [0, 0, 0]]', '[[keyframe]]\npath = "world.gravity"\ntimes = [0]\nvalues = ["a"]',
                 '[[keyframe]]\npath = "world.air_temperature"\ntimes = [0]\nvalues = [1]\n[[keyframe]]\npath = "world.air_temperature"\ntimes = [0]\nvalues = [2]',
                 "[surface.nothing]", '[surface.stuff]\nmethod = "magic"', '[surface.stuff]\nlook = "shiny"', "[surface.stuff]\ncell = 1e-12", "[surface.stuff]\nradius = 0",
                 "[light.lamp]", "[light.lamp]\nposition = [0, 0, 0]", "[time]\nmax_dt = 0", "[time]\nfixed_dt = -1", "[time]\nsafety = 2", "[time]\nsettle = -1",
                 "[material.second]\nx = 1", "[thing.x]\ny = 1", '[body.""]\nmaterial = "stuff"', '[body."a b"]\nmaterial = "stuff"'):
        yield f"with {more!r}", scene("lennard_jones", more=more)
    for line in ("width = 1", "width = 1e9", "samples = 0", "field_of_view = 500", 'colour_map = "mud"', 'colour_by = "nothing"', "exposure = 0",
                 'background = "environment"', "colour_min = 2\ncolour_max = 1", "camera_position = [0, 0]"):
        key = line.split(" ")[0]
        kept = "\n".join(l for l in base.splitlines() if not l.startswith(key + " "))
        yield f"render {line!r}", kept.replace("[render]", f"[render]\n{line}")
    for line in ('particles = "las"', "contact_sheet = 5000", "every = 0", "video_fps = -1", "volume = true", "checkpoint_every = 1.5"):
        key = line.split(" ")[0]
        kept = "\n".join(l for l in base.splitlines() if not l.startswith(key + " "))
        yield f"output {line}", kept.replace("[output]", f"[output]\n{line}")
    yield "long number", scene("lennard_jones", head="duration = " + "9" * 300 + ".0\nfps = 40")
    yield "many parts", scene("lennard_jones") + "[" + "a." * 1000 + "a]\n"
    yield "twice", base + "[body.block]\nmaterial = \"stuff\"\n"


def all_scenes():
    for method in METHODS:
        for name, text in odd_scenes(method):
            yield f"{method} {name}", text, OK
        for name, text in strange_scenes(method):
            yield f"{method} {name}", text, EITHER
    for name, text in wrong_scenes():
        yield name, text, WRONG


def run_it(program, folder):
    """Why a scene that `check` accepted did not run; "" when it did."""
    ended = program("run", "scene.toml", "--out", "out", "--frames", "1", "--no-render", "--quiet", "--threads", "2", folder=folder, seconds=60)
    found = trouble(ended)
    if found:
        return found
    if ended.status == 2:
        return f"check accepts what run refuses: {ended.error[:300]}"
    return not_finite(folder / "out") if ended.status == 0 else f"run fails: {ended.error[-400:]}"


def try_scene(program, folder, text, due):
    folder.mkdir()
    (folder / "scene.toml").write_text(text)
    ended = program("check", "scene.toml", folder=folder, seconds=60)
    if due == WRONG:
        return not_refused(ended)
    found = trouble(ended)
    if found:
        return found
    if ended.status != 0:
        return f"refused: {ended.error[:300]}" if due == OK else not_refused(ended)
    return "" if is_slow(ended.out) else run_it(program, folder)


def is_slow(report):
    """Whether `check` has foreseen so many steps that a run would be slow, not wrong."""
    return any(float(count) > 20000 for count in re.findall(r"(\d+) steps a frame", report))


def crowd(count):
    """A scene of so many boxes in rows, and twenty sinks among them."""
    side = round(count ** (1 / 3)) + 1
    lines = ['duration = 1.0\n[material.m]\nmethod = "mpm"\nyoungs_modulus = 1e5\n[collider.floor]\nshape = { type = "plane" }']
    for k in range(count):
        at = f"[{k % side * 0.5}, {k // side % side * 0.5 + 0.3}, {k // side // side * 0.5}]"
        lines.append(f'[body.b{k}]\nmaterial = "m"\nspacing = 0.1\nshape = {{ type = "box", centre = {at}, size = [0.2, 0.2, 0.2] }}')
    lines += [f'[sink.s{k}]\nmaterial = "m"\nshape = {{ type = "sphere", centre = [{k * 1.1}, 5.0, 7.3], radius = 0.4 }}' for k in range(20)]
    return "\n".join(lines) + "\n"


def check_crowd(program, folder, count, most):
    """Why `check` did not answer within so many seconds of processor time; "" when it did. Other work on the machine does not count."""
    folder.mkdir()
    (folder / "scene.toml").write_text(crowd(count))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ended = program("check", "scene.toml", folder=folder, seconds=60 * most)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if trouble(ended) or ended.status != 0:
        return trouble(ended) or f"refused: {ended.error[:300]}"
    return "" if seconds < most else f"took {seconds:.1f} s of processor time, must be less than {most} s"


def attack(program, folder, options):
    scenes = list(all_scenes())
    if options.short:
        scenes = scenes[options.seed % 8::8]
    failed = []
    for k, (name, text, due) in enumerate(scenes):
        why = try_scene(program, folder / str(k), text, due)
        if why:
            failed.append((name, why))
    if not options.short:
        scenes.append(("100 000 bodies and 20 sinks", "", OK))
        why = check_crowd(program, folder / "crowd", 100_000, 12)  # 10 s of wall clock on two idle cores
        if why:
            failed.append(("100 000 bodies and 20 sinks", why))
    return len(scenes), failed, f"{sum(due == WRONG for *_, due in scenes)} of them wrong"
