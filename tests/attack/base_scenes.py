"""Small scenes of every method, as text: the ground on which attacks are built."""

MATERIALS = {
    "lennard_jones": 'preset = "putty"\nyoungs_modulus = 2e4',
    "mass_interaction": 'preset = "paste"\nmethod = "mass_interaction"',
    "sph": 'preset = "water"\nmethod = "sph"',
    "lattice": 'preset = "jelly"\nmethod = "lattice"',
    "pbd": 'method = "pbd"\nyoungs_modulus = 3e4\ndamping = 1e-3',
    "mls": 'method = "mls"\nyoungs_modulus = 3e4\nyield_strain = 0.1\ncreep = 5.0\nflows = true',
    "mpm": 'preset = "jelly"\nmethod = "mpm"',
}
METHODS = list(MATERIALS)
EMITTING = [method for method in METHODS if method != "pbd"]  # its bodies are joined, and a nozzle is refused


def scene(method, *, head="duration = 0.05\nfps = 40", material=None, shape=None, body="", spacing="0.04", world="", more="",
          floor='[collider.floor]\nshape = { type = "plane" }'):
    """A block of some hundred particles over a floor; every part can be replaced."""
    shape = shape or 'shape = { type = "box", centre = [0, 0.2, 0], size = [0.24, 0.2, 0.2] }'
    return f"""{head}
[world]
gravity = [0, -9.81, 0]
{world}
[material.stuff]
{material or MATERIALS[method]}
[body.block]
material = "stuff"
{shape}
spacing = {spacing}
{body}
{floor}
{more}
[render]
width = 48
height = 32
samples = 1
[output]
checkpoint_every = 1
"""


def flat(method, **parts):
    """The same in the plane z = 0."""
    head = parts.pop("head", "duration = 0.05\nfps = 40") + "\ndimensions = 2"
    shape = parts.pop("shape", 'shape = { type = "box", centre = [0, 0.2, 0], size = [0.4, 0.3, 0.2] }')
    return scene(method, head=head, shape=shape, **parts)
