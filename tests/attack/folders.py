"""Folders, files and signals: two processes in one folder, files of users, links, devices, full disks, Ctrl-C in every phase."""
import os
import resource
import signal
import stat
import subprocess
import threading
import time

from base_scenes import METHODS, scene
from program import not_refused, trouble

RUN = ("run", "scene.toml", "--out", "out", "--quiet")
LONG = "duration = 5\nfps = 40"


def place_of(folder, text):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "scene.toml").write_text(text)
    return folder


def tree(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file() and not p.is_symlink()}


def wait_for(test, seconds=20):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if test():
            return True
        time.sleep(0.02)
    return False


def users_files_stay(program, folder):
    place_of(folder, scene("sph"))
    out = folder / "out"
    (out / "images").mkdir(parents=True)
    mine = {"notes.tmp": b"mine", "images/holiday.png": b"mine", "scene.toml": (folder / "scene.toml").read_bytes()}
    for name, data in mine.items():
        (out / name).write_bytes(data)
    ended = program(*RUN, "--no-render", folder=folder)
    if ended.status != 2:
        return f"a folder with files of a user is accepted: status {ended.status}"
    kept = tree(out)
    return "" if all(kept.get(name) == data for name, data in mine.items()) else "loss: files of the user changed"


def copied_scene_owns_nothing(program, folder):
    place_of(folder, scene("sph"))
    program(*RUN, "--no-render", folder=folder)
    other = folder / "copy"
    (other / "images").mkdir(parents=True)
    (other / "scene.toml").write_bytes((folder / "out" / "scene.toml").read_bytes())
    (other / "images" / "mine.png").write_bytes(b"mine")
    program("run", "scene.toml", "--out", "copy", "--quiet", "--no-render", folder=folder)
    return "" if (other / "images" / "mine.png").exists() else "loss: a user's images/ was wiped"


def users_file_among_results(program, folder):
    place_of(folder, scene("sph"))
    program(*RUN, "--no-render", folder=folder)
    for name in ("out/images/mine.png", "out/mine.tmp", "out/particles/mine.tmp"):
        (folder / name).write_bytes(b"mine")
    for again in ((), ("--resume",), ("--overwrite",)):
        program(*RUN, "--no-render", *again, folder=folder)
    found = [p for p in folder.rglob("mine.*")]
    return "" if {p.name for p in found} == {"mine.png", "mine.tmp"} and len(found) >= 3 else f"loss: only {found} left"


def earlier_results_are_kept(program, folder):
    place_of(folder, scene("sph"))
    program(*RUN, "--no-render", folder=folder)
    before = (folder / "out/stats.csv").read_bytes()
    ended = program("run", "scene.toml", "--out", "out", "--no-render", folder=folder)
    kept = folder / "out.previous/stats.csv"
    if not kept.exists() or kept.read_bytes() != before:
        return "loss: the results before are gone"
    return "" if ".previous" in ended.out + ended.error else "silence: moved without a word"


def refused_scene_costs_nothing(program, folder):
    place_of(folder, scene("sph"))
    program(*RUN, "--no-render", folder=folder)
    before = tree(folder / "out")
    (folder / "scene.toml").write_text(scene("sph", spacing="-1"))
    for options in ((), ("--overwrite",), ("--resume",)):
        program(*RUN, *options, folder=folder)
    return "" if tree(folder / "out") == before else "loss: a refused scene changed earlier results"


def two_runs_in_one_folder(program, folder):
    place_of(folder, scene("sph", head=LONG))
    first = program.start(*RUN, "--no-render", folder=folder)
    if not wait_for(lambda: (folder / "out/stats.csv").exists()):
        first.kill()
        return "hangs: the first run wrote nothing"
    second = program(*RUN, "--no-render", folder=folder)
    resumed = program(*RUN, "--no-render", "--resume", folder=folder)
    drawn = program("render", "out", "--quiet", folder=folder)
    first.kill()
    first.communicate()
    if second.status != 2 or resumed.status != 2:
        return f"two runs share a folder: status {second.status} and {resumed.status}"
    if str(first.pid) not in second.error:
        return f"the process that holds the folder is not named: {second.error[:200]}"
    after = program(*RUN, "--no-render", "--frames", "1", folder=folder)
    return "" if after.status == 0 else f"a dead process leaves a lock: {after.error[:200]}"


def render_while_running_is_sane(program, folder):
    place_of(folder, scene("sph", head=LONG))
    first = program.start(*RUN, "--no-render", folder=folder)
    wait_for(lambda: len(list((folder / "out/particles").glob("*.ply"))) > 2 if (folder / "out").exists() else False)
    drawn = program("render", "out", "--quiet", "--frames", "1", folder=folder)
    first.kill()
    first.communicate()
    return trouble(drawn)


def links_and_devices(program, folder):
    place_of(folder, scene("sph"))
    (folder / "target.json").write_text("old")
    (folder / "link.json").symlink_to("target.json")
    for arguments in (("run", "scene.toml", "--out", "out", "--quiet", "--no-render", "--trace"), ("bench", "neighbours", "--particles", "1000", "--repeats", "1", "--json")):
        ended = program(*arguments, "link.json", folder=folder)
        if not (folder / "link.json").is_symlink():
            return f"{arguments[0]}: the link was replaced by a file"
        if ended.status != 0 or (folder / "target.json").read_text() == "old":
            return f"{arguments[0]}: the link was not followed: {ended.error[:200]}"
        (folder / "target.json").write_text("old")
        fifo = folder / "pipe"
        os.mkfifo(fifo)
        read = []
        reader = threading.Thread(target=lambda: read.append(fifo.open("rb").read()), daemon=True)
        reader.start()
        program(*arguments, "pipe", *(["--overwrite"] if arguments[0] == "run" else []), folder=folder)
        reader.join(5)
        still = fifo.is_fifo()
        fifo.unlink()
        if not still or not read or not read[0]:
            return f"{arguments[0]}: a FIFO was not written into"
    return ""


def device_stays_a_device(program, folder):
    """A twin of /dev/null, since the real one is not ours to lose; where none may be made, a link to it."""
    place_of(folder, scene("sph"))
    null = folder / "null"
    try:
        os.mknod(null, 0o600 | stat.S_IFCHR, os.makedev(1, 3))
    except PermissionError:
        null.symlink_to("/dev/null")
    ended = program("run", "scene.toml", "--out", "out", "--quiet", "--no-render", "--trace", "null", folder=folder)
    if not stat.S_ISCHR(os.stat(null).st_mode):
        return "loss: the device is a file now"
    return trouble(ended)


def fifo_as_input(program, folder):
    place_of(folder, scene("sph", shape='shape = { mesh = "pipe.obj" }'))
    for name in ("pipe.obj", "pipe.ply", "pipe.toml"):
        os.mkfifo(folder / name)
    for arguments in (("check", "scene.toml"), ("check", "pipe.toml"), ("surface", "pipe.ply", "--out", "s"), ("render", "pipe.ply", "--out", "s")):
        ended = program(*arguments, folder=folder, seconds=10)
        why = trouble(ended) or ("" if ended.status != 0 else "accepted")
        if why:
            return f"{arguments}: {why}"
    return ""


def stops_at(signals, phase, most, extra=""):
    """Ends within `most` seconds of the last signal, and can go on."""
    def attack(program, folder):
        text = scene("lattice", head=LONG, spacing="0.02", more=extra)
        place_of(folder, text)
        process = program.start("run", "scene.toml", "--out", "out", *(() if phase == "pictures" else ("--no-render",)), folder=folder)
        ready = {"settle": lambda: True, "steps": lambda: (folder / "out/stats.csv").exists(), "pictures": lambda: (folder / "out/images/frame_0001.png").exists()}
        wait_for(ready[phase])
        time.sleep(1.0 if phase == "settle" else 0.2)
        if process.poll() is not None:
            return f"ended too early: {process.communicate()[1].decode()[-200:]}"
        for number in signals:
            process.send_signal(number)
            last = time.monotonic()
            time.sleep(0.05)
        try:
            process.communicate(timeout=most)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return f"hangs: still there {most} s after {[s.name for s in signals]}"
        left = [p for p in folder.rglob("*.tmp")]
        return f"loss: temporary files are left: {left}" if left and len(signals) == 1 else ""
    attack.__name__ = f"{'_and_'.join(s.name for s in signals)}_during_{phase}"
    return attack


SETTLE = "[time]\nsettle = 100"


def check_of_a_long_settle_returns(program, folder):
    place_of(folder, scene("lattice", spacing="0.02", more="[time]\nsettle = 1e4"))
    return trouble(program("check", "scene.toml", folder=folder, seconds=20))


def limited_file_size(program, folder):
    place_of(folder, scene("sph", head=LONG))
    ended = program(*RUN, "--no-render", "--frames", "3", folder=folder, limits={resource.RLIMIT_FSIZE: 20000})
    why = trouble(ended)
    if why or ended.status != 1:
        return why or f"status {ended.status}: {ended.error[:200]}"
    return f"loss: {list(folder.rglob('*.tmp'))}" if list(folder.rglob("*.tmp")) else ""


def full_disk(program, folder):
    """A file system of its own that fills up; needs the right to mount one."""
    place_of(folder, scene("sph", head="duration = 0.3\nfps = 40"))
    disk = folder / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=150k", "none", disk], capture_output=True).returncode != 0:
        return limited_file_size(program, folder / "instead")
    try:
        ended = program("run", "scene.toml", "--out", "disk/out", "--quiet", "--no-render", folder=folder)
        why = trouble(ended)
        if why or ended.status != 1 or "free" not in ended.error:
            return why or f"status {ended.status}: {ended.error[:200]}"
        subprocess.run(["mount", "-o", "remount,size=100m", disk], check=True)
        ended = program("run", "scene.toml", "--out", "disk/out", "--quiet", "--no-render", "--resume", folder=folder)
        if ended.status != 0:
            return f"does not go on when there is room again: {ended.error[:200]}"
        whole = program("run", "scene.toml", "--out", "whole", "--quiet", "--no-render", folder=folder)
        same = all((disk / "out/particles" / p.name).read_bytes() == p.read_bytes() for p in (folder / "whole/particles").glob("*.ply"))
        return "" if same else "loss: frames differ from those of a run that never met a full disk"
    finally:
        subprocess.run(["umount", disk], capture_output=True)


def low_limits(kind, value):
    def attack(program, folder):
        place_of(folder, scene("sph"))
        for arguments in (("list", "scenes"), ("check", "scene.toml"), RUN):
            why = trouble(program(*arguments, folder=folder, limits={kind: value}))
            if why:
                return f"{arguments[0]}: {why}"
        return ""
    attack.__name__ = f"low_limit_{kind}_of_{value}"
    return attack


def changed_input_is_not_resumed(program, folder):
    place_of(folder, scene("sph", shape='shape = { particles = "points.xyz", centre = [0, 0.1, 0] }'))
    rows = [f"{x * 0.04} {y * 0.04} {z * 0.04}" for x in range(5) for y in range(5) for z in range(5)]
    (folder / "points.xyz").write_text("\n".join(rows) + "\n")
    program(*RUN, "--no-render", "--frames", "1", folder=folder)
    (folder / "points.xyz").write_text("\n".join(["-0.04 0 0", *rows[1:]]) + "\n")
    ended = program(*RUN, "--no-render", "--resume", folder=folder)
    return trouble(ended) or ("" if ended.status == 2 and "points.xyz" in ended.error else f"silence: status {ended.status}: {ended.error[:200]}")


def gap_before_the_checkpoint(program, folder):
    place_of(folder, scene("sph", head="duration = 0.2\nfps = 40"))
    program(*RUN, "--no-render", "--frames", "4", folder=folder)
    whole = (folder / "out/particles/frame_0002.ply").read_bytes()
    (folder / "out/particles/frame_0002.ply").unlink()
    ended = program("run", "scene.toml", "--out", "out", "--no-render", "--resume", folder=folder)
    path = folder / "out/particles/frame_0002.ply"
    if path.exists():
        return "" if path.read_bytes() == whole else "wrong: the frame was made again with other bytes"
    return "" if "frame_0002" in ended.error + ended.out or "frame 2" in ended.error + ended.out else f"silence: status {ended.status}, a gap is left"


ATTACKS = [
    users_files_stay, copied_scene_owns_nothing, users_file_among_results, earlier_results_are_kept, refused_scene_costs_nothing, two_runs_in_one_folder,
    render_while_running_is_sane, links_and_devices, device_stays_a_device, fifo_as_input, check_of_a_long_settle_returns, limited_file_size, full_disk,
    changed_input_is_not_resumed, gap_before_the_checkpoint,
    stops_at([signal.SIGINT], "settle", 5, SETTLE), stops_at([signal.SIGTERM], "settle", 5, SETTLE), stops_at([signal.SIGHUP], "steps", 20),
    stops_at([signal.SIGINT], "steps", 20), stops_at([signal.SIGTERM], "steps", 20), stops_at([signal.SIGINT], "pictures", 20),
    stops_at([signal.SIGINT, signal.SIGINT], "settle", 1, SETTLE), stops_at([signal.SIGINT, signal.SIGINT], "steps", 1), stops_at([signal.SIGINT, signal.SIGINT], "pictures", 1),
    low_limits(resource.RLIMIT_AS, 400 << 20), low_limits(resource.RLIMIT_AS, 1 << 30), low_limits(resource.RLIMIT_NOFILE, 16), low_limits(resource.RLIMIT_STACK, 1 << 18),
]


def attack(program, folder, options):
    failed = []
    for k, one in enumerate(ATTACKS):
        try:
            why = one(program, folder / str(k))
        except Exception as error:  # the attack itself could not go on: what it needed was not there
            why = f"{type(error).__name__}: {error}"
        if why:
            failed.append((one.__name__, why))
    return len(ATTACKS), failed, ""
