"""Particles of a run, for the scripts of this folder."""
import struct


def particles(path):
    """All columns of a binary PLY file, by name."""
    data = path.read_bytes()
    head, body = data.split(b"end_header\n", 1)
    lines = [line.split() for line in head.decode().splitlines()]
    count = next(int(line[2]) for line in lines if line[:2] == ["element", "vertex"])
    codes = {"float": "f", "double": "d", "int": "i", "uint": "I", "uchar": "B", "short": "h"}
    names = [line[2] for line in lines if line[0] == "property"]
    row = struct.Struct("<" + "".join(codes[line[1]] for line in lines if line[0] == "property"))
    return dict(zip(names, zip(*row.iter_unpack(body[:count * row.size]))))


def frames(folder):
    return [particles(path) for path in sorted((folder / "particles").glob("*.ply"))]
