"""Devices with a copy of one folder, on the loopback interface of a network namespace: for .ci/storm and .ci/programs; .ci/examples takes `enter`."""
import ctypes, json, os, subprocess, sys, tempfile

control = ".portolan-sync"
libc = ctypes.CDLL(None, use_errno=True)


def enter(name, *more):
    """Goes on in a network namespace of its own, as its root; gives a folder for everything. `more` are options of unshare(1)."""
    if os.environ.get("PORTOLAN_DEVICES") != "inside":
        os.environ["PORTOLAN_DEVICES"] = "inside"
        os.execvp("unshare", ["unshare", "--user", "--map-root-user", "--net", *more, sys.executable] + sys.argv)
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    return tempfile.mkdtemp(prefix=f"portolan-{name}-")


def built():
    """The program that PORTOLAN names, or the one that was built."""
    if named := os.environ.get("PORTOLAN"): return named
    done = subprocess.run(["swift", "build", "--show-bin-path"], check=True, capture_output=True, text=True)
    return os.path.join(done.stdout.strip(), "portolan")


class Device:
    """A home with a copy of the folder, and the process that keeps it alike."""

    def __init__(self, program, work, name, port):
        self.program, self.name, self.port, self.process = program, name, port, None
        self.home, self.folder = f"{work}/{name}/home", f"{work}/{name}/Notes"
        self.bin = f"{work}/{name}/bin"
        for path in (self.home, self.folder, self.bin): os.makedirs(path)
        self.log = open(f"{work}/{name}/log", "ab")

    def command(self, *words):
        return [self.program, *words, "--home", self.home]

    def run(self, *words, stdin=None):
        done = subprocess.run(self.command(*words), input=stdin, capture_output=True, text=True, timeout=120)
        if done.returncode: sys.exit(f"{words} at {self.name} ends with {done.returncode}: {done.stdout}{done.stderr}")
        return done.stdout

    def start(self, others):
        places = [word for other in others for word in ("--at", f"127.0.0.1:{other.port}")]
        self.process = subprocess.Popen(
            self.command("sync", "run", "--discovery", "off", "--interface", "lo", "--port", str(self.port), *places),
            stdout=self.log, stderr=self.log)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.process.terminate()
        self.process.wait()

    def status(self):
        """The folder as `portolan sync` tells of it."""
        lines = [json.loads(line) for line in self.run("sync", "--json").splitlines()]
        return next((line for line in lines if line.get("name") == "Notes"), {})

    def confirm(self):
        """Agrees to large deletions, as the person does who made them."""
        status = self.status()
        for mark in [one["mark"] for one in status.get("deletions") or []] or filter(None, [status.get("held")]):
            # It may have been decided meanwhile.
            subprocess.run(self.command("sync", "confirm", "Notes", mark), capture_output=True, timeout=120)

    def entries(self):
        """Files and folders below the folder, as paths in it; the folders first."""
        folders, files = [], []
        for path, names, plain in os.walk(self.folder):
            if control in names: names.remove(control)
            below = os.path.relpath(path, self.folder)
            folders += [os.path.normpath(os.path.join(below, name)) for name in names]
            files += [os.path.normpath(os.path.join(below, name)) for name in plain]
        return folders, files

    def faults(self):
        """Findings of 'sync check', and its failure."""
        done = subprocess.run(self.command("sync", "check", "--json"), capture_output=True, text=True)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        found = [f"{self.name}: {line['kind']} {line['path']}" for line in lines if "isLeft" in line]
        if done.returncode and not found: found = [f"{self.name}: {done.stderr}"]
        return found

    def tree(self):
        folders, files = self.entries()
        return {path: None for path in folders} | {path: read(os.path.join(self.folder, path)) for path in files}


def three(program, work):
    """Three members of a team that share the folder; none of them runs."""
    devices = [Device(program, work, name, 48_001 + place) for place, name in enumerate(["ada", "ben", "cleo"])]
    for device in devices: device.run("id", "--name", device.name)
    ada = devices[0]
    ada.run("team", "create", "acme")
    invite = subprocess.Popen(
        ada.command("team", "invite", "--uses", "2", "--json", "--discovery", "off", "--interface", "lo"),
        stdout=subprocess.PIPE, text=True)
    code = next(json.loads(line)["code"] for line in invite.stdout if '"code"' in line)
    for device in devices[1:]:
        device.run("team", "join", "-", "--at", "127.0.0.1:47217", "--discovery", "off", "--interface", "lo", stdin=code + "\n")
    invite.wait()
    ada.run("sync", "add", ada.folder, "--with", "@acme")
    for device in devices[1:]: device.run("sync", "join", "acme:Notes", device.folder)
    return devices


def read(path):
    try:
        with open(path, "rb") as file: return file.read()
    except OSError: return None


def exchange(one, other):
    """Exchanges two names; false where one of them is gone."""
    return libc.renameat2(-100, os.fsencode(one), -100, os.fsencode(other), 2) == 0
