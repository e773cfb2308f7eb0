#!/usr/bin/env python3
"""Extreme values in every parameter of the scene file.

    parameters.py PROGRAM [--short] [--only TEXT] [--workers N]

Takes the list of parameters from `PROGRAM schema`, writes a scene with one value that is extreme, of the wrong kind or
nonsense, runs `check` and, where that accepts it, two frames of `run`. Every outcome must be success with finite
results, or status 2 with file:line:col, what is wrong with it and a remedy; what `check` accepts, `run` must not refuse.
Prints counts; status 1 where an outcome is another one. --short tries a fixed choice in less than a minute.
"""

import argparse
import concurrent.futures
import copy
import json
import math
import os
import re
import subprocess
import sys
import tempfile

SECONDS = 60  # for one command
LONG = 3000  # steps a frame from which on a run is not tried: it would be slow, not wrong

METHODS = {
    "lennard_jones": {"youngs_modulus": 1e5},
    "mass_interaction": {"youngs_modulus": 1e4, "automaton": "cohesive"},
    "lattice": {"youngs_modulus": 1e5},
    "mls": {"youngs_modulus": 1e5},
    "mpm": {"youngs_modulus": 1e5},
    "pbd": {"youngs_modulus": 1e5},
    "sph": {"sound_speed": 10.0},
}

TETRAHEDRON = "v 0 0 0\nv 0.3 0 0\nv 0 0.3 0\nv 0 0 0.3\nf 1 3 2\nf 1 4 3\nf 1 2 4\nf 2 3 4\n"
FILES = {
    "solid.obj": TETRAHEDRON,
    "solid_0.obj": TETRAHEDRON,
    "solid_1.obj": TETRAHEDRON,
    "points.xyz": "0 1 0\n0.1 1 0\n0 1.1 0\n",
    "land.txt": "0 0 0\n0 0.1 0\n0 0 0\n",
}

# What a shape needs beside its type, as a body of some tens of particles.
SHAPES = {
    "box": {"size": [0.4, 0.4, 0.4]},
    "sphere": {"radius": 0.25},
    "ellipsoid": {"radii": [0.3, 0.2, 0.3]},
    "cylinder": {"radius": 0.25, "height": 0.4},
    "capsule": {"radius": 0.2, "height": 0.3},
    "cone": {"radius": 0.3, "height": 0.5},
    "torus": {"radius": 0.4, "thickness": 0.15},
    "plane": {},
    "mesh": {"file": "solid.obj"},
    "heightfield": {"file": "land.txt", "size": [2, 0.5, 2]},
    "mesh_sequence": {"file": "solid_{}.obj"},
    "particles": {"file": "points.xyz"},
    "bunny": {"size": 0.6},
    "bust": {"size": 0.6},
    "die": {"size": 0.5},
    "union": {"of": [{"type": "sphere", "radius": 0.2}, {"type": "box", "size": [0.2, 0.2, 0.2]}]},
}
TABLES = ("world", "time", "render", "output", "material", "body", "emitter", "collider", "pin", "surface", "light",
          "event", "keyframe")
ONLY_COLLIDERS = ("plane", "heightfield", "mesh_sequence")


class Literal(str):
    """A value as it stands in the file."""


def toml(value):
    if isinstance(value, Literal):
        return str(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, float):
        return "nan" if math.isnan(value) else ("-" if value < 0 else "") + "inf" if math.isinf(value) else repr(value)
    if isinstance(value, list):
        return "[" + ", ".join(toml(v) for v in value) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(k)} = {toml(v)}" for k, v in value.items()) + " }"
    return str(value)


def scene_text(scene):
    """Single values first, then a line for each key of each table."""
    lines = [f"{k} = {toml(v)}" for k, v in scene.items() if k not in TABLES]
    for table, content in scene.items():
        if table in ("world", "time", "render", "output"):
            lines += [f"[{table}]"] + [f"{k} = {toml(v)}" for k, v in content.items()]
        elif isinstance(content, dict) and table in TABLES:
            for name, keys in content.items():
                lines += [f"[{table}.{name}]"] + [f"{k} = {toml(v)}" for k, v in keys.items()]
        elif table in TABLES:
            for keys in content:
                lines += [f"[[{table}]]"] + [f"{k} = {toml(v)}" for k, v in keys.items()]
    return "\n".join(lines) + "\n"


def base_scene(method):
    return {
        "duration": 0.1,
        "fps": 50.0,
        "world": {"gravity": [0, -9.81, 0]},
        "material": {"m": {"method": method, **METHODS[method]}},
        "body": {"b": {"material": "m", "spacing": 0.1, "shape": {"type": "sphere", "centre": [0, 1, 0], "radius": 0.25}}},
        "collider": {"c": {"shape": {"type": "plane"}}},
    }


def numbers():
    return [0, -1, 1e-30, -1e-30, 1e-9, 1e9, 1e30, -1e30, 1e300, -1e300, math.nan, math.inf, 2**31, Literal("9" * 25),
            Literal("1" + "0" * 300), Literal("1" + "0" * 300 + ".0"), "text", "", True, [], [1, 2, 3], {"a": 1}]


def values_of(schema):
    """Values to try for a parameter of that schema: (text, value)."""
    if "enum" in schema:
        return schema["enum"] + ["nonsense", "", 5, True, [], {"a": 1}]
    if "const" in schema:
        return [schema["const"], "nonsense", "", 5]
    kind = schema.get("type")
    if kind == "number":
        return numbers()
    if kind == "integer":
        return numbers() + [1.5, 1, 2]
    if kind == "boolean":
        return [True, False, 1, 0, "yes", "", [], {"a": 1}]
    if kind == "string":
        return ["", "nonsense", "x" * 5000, "a\0b", "../..", "/dev/null", 5, True, [], {"a": 1}]
    if kind == "array" and schema.get("items", {}).get("type") == "number":
        lists = [[v] * 3 for v in numbers()[:12]] + [[1e-30, 1e30, 0], [0, 0, 1e20], [1e20, 0, 0]]
        return lists + [[], [1], [1, 2], [1, 2, 3, 4], 5, "text", True, [Literal("1" + "0" * 300)] * 3, {"a": 1}]
    if kind == "array" and schema.get("items", {}).get("type") == "boolean":
        return [[True] * 3, [False] * 3, [True], [], 1, "yes", [1, 0, 0]]
    return [[], 5, "text", ["nonsense"], [[1, 2, 3]], [[math.nan] * 3], [[1e30] * 3], [[1, 2], [3]], {"a": 1}, True]


def with_value(scene, path, value):
    """A copy of the scene with the value at a path of keys."""
    result = copy.deepcopy(scene)
    table = result
    for key in path[:-1]:
        table = table[key] if isinstance(table, list) else table.setdefault(key, {})
    table[path[-1]] = value
    return result


class Trial:
    def __init__(self, name, scene, key, value):
        self.name, self.text, self.key, self.value = name, scene_text(scene), key, toml(value)


def trials(schema):
    """One for each value of each parameter."""
    result = []

    def add(name, scene, path, parameters, skip=()):
        for key, kind in parameters.items():
            if key in skip or "$ref" in kind or kind.get("type") == "object" or "anyOf" in kind:
                continue
            for value in values_of(kind):
                trial = with_value(scene, path + [key], value)
                result.append(Trial(f"{name}.{key} = {toml(value)[:60]}", trial, key, value))

    tables = schema["properties"]
    first = base_scene("lennard_jones")
    add("top", first, [], {k: v for k, v in tables.items() if v.get("type") not in ("object", "array")})
    for table in ("world", "time", "render", "output"):
        add(table, first, [table], tables[table]["properties"])
    add("world.domain", with_value(first, ["world", "domain"], {"min": [-2, -1, -2], "max": [2, 3, 2]}), ["world", "domain"],
        tables["world"]["properties"]["domain"]["properties"])
    for variant in tables["material"]["additionalProperties"]["anyOf"]:
        method = variant["properties"]["method"]["const"]
        add(f"{method}: material", base_scene(method), ["material", "m"], variant["properties"])
    for method in METHODS:
        add(f"{method}: body", base_scene(method), ["body", "b"], tables["body"]["additionalProperties"]["properties"])
        add(f"{method}: collider", base_scene(method), ["collider", "c"],
            tables["collider"]["additionalProperties"]["properties"])
        add(f"{method}: time", base_scene(method), ["time"], tables["time"]["properties"])
    tap = {"material": "m", "spacing": 0.1, "speed": 1.0, "shape": {"type": "sphere", "centre": [0, 2, 0], "radius": 0.2}}
    for method in ("sph", "mpm"):
        add(f"{method}: emitter", with_value(base_scene(method), ["emitter", "e"], tap), ["emitter", "e"],
            tables["emitter"]["additionalProperties"]["properties"])
    pin = {"body": "b", "shape": {"type": "sphere", "centre": [0, 1, 0], "radius": 0.15}}
    add("pin", with_value(first, ["pin", "p"], pin), ["pin", "p"], tables["pin"]["additionalProperties"]["properties"])
    move = {"times": [0, 1], "positions": [[0, 0, 0], [0, 0.1, 0]]}
    add("motion", with_value(first, ["collider", "c", "motion"], move), ["collider", "c", "motion"],
        schema["$defs"]["motion"]["properties"])
    add("surface", with_value(first, ["surface", "m"], {}), ["surface", "m"],
        tables["surface"]["additionalProperties"]["properties"])
    add("light", with_value(first, ["light", "l"], {"position": [0, 3, 0]}), ["light", "l"],
        tables["light"]["additionalProperties"]["properties"])
    for variant in schema["$defs"]["shape"]["anyOf"]:
        kind = variant["properties"].get("type", {}).get("const")
        if kind not in SHAPES:
            continue
        table, lift = (["collider", "c"], -2) if kind in ONLY_COLLIDERS else (["body", "b"], 1)
        shape = {"type": kind, **({} if kind == "plane" else {"centre": [0, lift, 0]}), **SHAPES[kind]}
        add(f"shape {kind}", with_value(first, table + ["shape"], shape), table + ["shape"], variant["properties"],
            skip=("type",))
    event = {"time": 0.01, "set": {"world.gravity": [0, 0, 0]}}
    add("event", {**first, "event": [event]}, ["event", 0], tables["event"]["items"]["properties"])
    keys = {"path": "world.gravity", "times": [0, 1], "values": [[0, 0, 0], [0, 1, 0]]}
    add("keyframe", {**first, "keyframe": [keys]}, ["keyframe", 0], tables["keyframe"]["items"]["properties"])
    for path in ("world.gravity", "body.b.velocity"):
        for value in values_of({"type": "array", "items": {"type": "number"}}):
            scene = {**first, "event": [{"time": 0.01, "set": {path: value}}]}
            result.append(Trial(f"event {path} = {toml(value)[:60]}", scene, path, value))
    return result


def execute(words, folder):
    try:
        done = subprocess.run(words, cwd=folder, capture_output=True, timeout=SECONDS)
        return done.returncode, (done.stdout + done.stderr).decode(errors="replace")
    except subprocess.TimeoutExpired:
        return "timeout", ""


def wrong_refusal(trial, text):
    """"" or what a message of status 2 lacks."""
    first = text.strip().split("\n")[0] if text.strip() else ""
    if not re.match(r"scene\.toml:\d+:\d+: .", first):
        return "refused without a place"
    if "not valid TOML" not in first and not re.search(r"must |;|needs|cannot|may not| than ", first):
        return "refused without limit or remedy"
    if re.search(r"\b(nan|inf)\b", first) and trial.value not in ("nan", "inf") and "nan" not in trial.value \
            and "inf" not in trial.value:
        return "refused with a number that is not finite"
    return ""


def wrong_result(folder):
    """"" or what is wrong with the numbers of a run that succeeded."""
    with open(os.path.join(folder, "out", "stats.csv")) as file:
        if re.search(r"\b(nan|inf)\b", file.read().split("\n", 1)[1]):
            return "succeeded with numbers that are not finite"
    return ""


def outcome(program, trial):
    """(kind, message): what became of a scene; kinds that begin with "!" are failures."""
    with tempfile.TemporaryDirectory(prefix="attack") as folder:
        for name, text in FILES.items():
            with open(os.path.join(folder, name), "w") as file:
                file.write(text)
        with open(os.path.join(folder, "scene.toml"), "w") as file:
            file.write(trial.text)
        status, text = execute([program, "check", "scene.toml", "--threads", "1"], folder)
        if status == 2:
            wrong = wrong_refusal(trial, text)
            return ("!" + wrong, text) if wrong else ("refused", text)
        if status != 0:
            return f"!check: status {status}", text
        steps = re.search(r"(\S+) steps a frame", text)
        if steps and not float(steps.group(1)) <= LONG:
            return "accepted, too long to run", text
        if trial.key == "settle" and re.fullmatch(r"[0-9.e+]+", trial.value) and float(trial.value) > 10:
            return "accepted, too long to run", text
        particles = re.search(r": (\d+) particles", text)
        if particles and int(particles.group(1)) > 20000:
            return "accepted, too large to run", text
        words = [program, "run", "scene.toml", "--no-render", "--frames", "2", "--out", "out", "--threads", "1", "--quiet"]
        status, text = execute(words, folder)
        if status != 0:
            return f"!accepted by check, run: status {status}", text
        wrong = wrong_result(folder)
        return ("!" + wrong, text) if wrong else ("ran", text)


def try_all(program, only, short, workers, report):
    """Counts of outcomes by kind; report(trial, kind, text) is told each."""
    schema = json.loads(subprocess.run([program, "schema"], capture_output=True, check=True).stdout)
    chosen = [t for t in trials(schema) if only in t.name]
    if short:
        chosen = chosen[:: max(1, len(chosen) // 100)]
    counts = {}
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        for trial, (kind, text) in zip(chosen, pool.map(lambda t: outcome(program, t), chosen)):
            counts[kind] = counts.get(kind, 0) + 1
            report(trial, kind, text)
    return counts


def attack(program, folder, options):
    """As one group of tests/attack/run."""
    failed = []

    def report(trial, kind, text):
        if kind.startswith("!"):
            failed.append((trial.name, f"{kind[1:]}: {text.strip()[-300:]}"))
    counts = try_all(program.path, "", options.short, 2, report)
    return sum(counts.values()), failed, ", ".join(f"{n} {kind.lstrip('!')}" for kind, n in sorted(counts.items()))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("--short", action="store_true", help="a fixed choice, less than a minute")
    parser.add_argument("--only", default="", help="only trials whose name contains this")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--verbose", action="store_true", help="print every message")
    arguments = parser.parse_args()

    def report(trial, kind, text):
        if kind.startswith("!") or arguments.verbose:
            print(f"{trial.name}: {kind.lstrip('!')}\n    " + "\n    ".join(text.strip().split("\n")[-3:])[:400], flush=True)
    counts = try_all(os.path.abspath(arguments.program), arguments.only, arguments.short, arguments.workers, report)
    failures = sum(n for kind, n in counts.items() if kind.startswith("!"))
    for kind, count in sorted(counts.items()):
        print(f"{count:6} {kind.lstrip('!')}")
    print(f"{sum(counts.values())} scenes, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
