#!/usr/bin/env python3
"""Sends or receives one file by the Portolan protocol, version 1; to be read beside its text, whose sections are the
numbers in brackets. Usage: peer.py send HOST:PORT FILE KEYFILE, or peer.py receive HOST:PORT FOLDER KEYFILE"""
import base64, contextlib, ctypes, functools, hashlib, hmac, io, itertools, os, pathlib, re
import select, socket, struct, sys, tempfile
from cryptography.hazmat.primitives.asymmetric import ed25519, x25519
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CONTROL, PAYLOAD, END, TREE, PACKED = 1, 2, 3, 4, 5  # types of records, and how long their plaintext may be (4)
ON_SESSION, ON_LANE = {CONTROL: 2**18, END: 0}, {PAYLOAD: 2**20 + 16, END: 0, TREE: 2**20, PACKED: 2**20 + 19}
FILE, HOLE, FILE_END, MARK, CONTENT = 0xF1, 6, 7, 8, None  # elements of tree records (7.4), and what is none
MESSAGES = {"Offer": 1, "Answer": 2, "Pending": 3, "Begin": 4, "End": 7, "ExportFailed": 8, "Receipt": 9, "Ping": 10,
            "Pong": 11, "Close": 12, "Hello": 16, "Total": 34}  # those that may come in such a session (5)
CUT, NO_CLOSE, PROTOCOL, ITEM = -1, 0, 1, 8  # how a session ends; the last two are codes of Close (10.2)
DECLINED = "unspecified not_wanted nothing_in_common no_space not_in_time visibility too_large".split()
FAILED = "unspecified no_space cannot_write name import cancelled source visibility refused fidelity too_large".split()
FILE_CHANNEL, UMASK, MOST = 2, os.umask(0o077), 2**63 - 1
mac = functools.partial(hmac.digest, digest="sha256")

class Refusal(Exception):
    """What ends a session: a sentence, and how it ends. Of an item that fails it is a word of FAILED, and ITEM."""

def demand(good, why, code=PROTOCOL):
    if not good:
        raise Refusal(why, code)
    return good

def reason(names, found):
    """The other side's code (10), and what it says about it: nothing that could do harm on a terminal."""
    code, text = [(get(fields, 1), get(fields, 2, b"", 1024)) for fields in found or [{}]][0]
    return f"{names[code] if code < len(names) else code} {ascii(text)[1:]}"

def public(key): return key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)

# --- Protobuf: a message to be written is a dictionary by field numbers; a list in it is a repeated field -------------
def varint(value):
    return bytes([value]) if value < 128 else bytes([value & 127 | 128]) + varint(value >> 7)

def encode(fields):
    out = b""
    for field, values in fields.items():
        for value in values if isinstance(values, list) else [values]:
            value = encode(value) if isinstance(value, dict) else value
            number = isinstance(value, int)
            out += varint(field << 3 | 2 * (not number)) + (varint(value) if number else varint(len(value)) + value)
    return out

def take(stream, count):
    part = stream.read(count)
    demand(len(part) == count, "a part is longer than the whole")
    return part

def numbers(stream, form): return struct.unpack(form, take(stream, struct.calcsize(form)))

def take_varint(stream, shift=0):
    byte = take(stream, 1)[0]
    demand(shift < 64, "a number without an end")
    return (byte & 127) << shift | (take_varint(stream, shift + 7) if byte > 127 else 0)

def decode(encoded):
    """For each field of a message all its values, numbers or bytes."""
    fields, stream = {}, io.BytesIO(encoded)
    while stream.tell() < len(encoded):
        field, wire = divmod(take_varint(stream), 8)
        demand(field and wire in (0, 1, 2, 5), "this is no message")
        value = take_varint(stream) if wire in (0, 2) else take(stream, {1: 8, 5: 4}[wire])
        fields.setdefault(field, []).append(take(stream, value) if wire == 2 else value)
    return fields

def get(fields, field, missing=0, most=2**64 - 1):
    """The last value of a field: a number of at most so much, or, where `missing` is bytes, at most so many of them."""
    value = fields.get(field, [missing])[-1]
    demand(isinstance(value, type(missing)), "a field of another type")
    demand((value if isinstance(value, int) else len(value)) <= most, "a field that is too large")
    return value

def messages(fields, field, most=1):
    demand(len(fields.get(field, [])) <= most, "too many messages")
    return [decode(get({field: [value]}, field, b"")) for value in fields.get(field, [])]

# --- The connection: the handshake (3), records (4), messages (5) -----------------------------------------------------
class Noise:
    """The state of a Noise handshake."""
    def __init__(self, prologue):
        self.chain, self.cipher = b"Noise_XX_25519_ChaChaPoly_SHA256", None
        self.hash = hashlib.sha256(self.chain + prologue).digest()
    def split(self, secret=b""):
        first = mac(mac(self.chain, secret), b"\1")
        return first, mac(mac(self.chain, secret), first + b"\2")
    def mix_key(self, mine, theirs):
        self.chain, key = self.split(mine.exchange(x25519.X25519PublicKey.from_public_bytes(theirs)))  # but no zeros
        self.cipher, self.count = ChaCha20Poly1305(key), itertools.count()
    def crypt(self, text, sealing):
        operation = self.cipher and (self.cipher.encrypt if sealing else self.cipher.decrypt)
        result = operation(struct.pack("<4xQ", next(self.count)), text, self.hash) if operation else text
        self.hash = hashlib.sha256(self.hash + (result if sealing else text)).digest()
        return result

def seals(secret):
    """The cipher and the nonce of each record of one direction (4.1)."""
    for count in itertools.count():
        if count % 65536 == 0:
            cipher = ChaCha20Poly1305(mac(secret, b"portolan/1 key\2"))
            secret = mac(secret, b"portolan/1 next")
        yield cipher, struct.pack(">4xQ", count)

class Connection(contextlib.AbstractContextManager):
    """A TCP connection that carries records: lane 0 of a session, or the session itself."""
    def __init__(self, sock, session=None):
        sock.settimeout(30)
        self.sock, self.session, self.inbox, self.item = sock, session or self, [], None
        self.sealing = self.opening = session and session.lane_seals
        self.longest, self.session.lane = ON_LANE if session else ON_SESSION, session and sock
    def __exit__(self, kind, error, trace):
        """Ends the session, with an error or without one, and waits until the other side ends it, too (6.10)."""
        code = NO_CLOSE if error is None else ITEM if isinstance(error, OSError) and self.item else CUT
        why, code = error.args if isinstance(error, Refusal) and self.sealing else ("cannot_write", code)
        with contextlib.closing(self.sock), contextlib.suppress(OSError, Refusal):
            if code == ITEM and self.item:
                self.tell("Receipt", {**self.item, 4: {1: FAILED.index(why)}})
            if code > NO_CLOSE:
                self.tell("Close", {1: code})
            if code != CUT:
                self.write(END)
                _ = self.lane and self.lane.close()  # so that a sender does not wait for its being read
                self.next(END)
    def ready(self, sock, seconds=30):
        """Waits for a socket, and says whether it is ready. The session is read by the way (6.11)."""
        reads = select.select({sock, self.sock}, [], [], seconds)[0]
        demand(reads or not seconds, "nothing was heard of the other side in time", CUT)
        if sock is not self.sock and self.sock in reads:
            self.listen()
        return sock in reads
    def exactly(self, count):
        received = b""
        while len(received) < count:
            if self.session.ready(self.sock):
                part = self.sock.recv(count - len(received))
                received += demand(part, "the other side is gone before the end", CUT)
        return received
    def read(self):
        header = self.exactly(4)
        kind, length = header[0], int.from_bytes(header[1:], "big") - 16
        demand(0 <= length <= self.longest.get(kind, -1), "a record of another type, or one that is too long")
        cipher, nonce = next(self.opening)
        return kind, cipher.decrypt(nonce, self.exactly(length + 16), header)
    def write(self, kind, plain=b""):
        cipher, nonce = next(self.sealing)
        header = bytes([kind]) + (len(plain) + 16).to_bytes(3, "big")
        with contextlib.suppress(ConnectionError):  # why the other side has closed it is still to be read (4.2)
            self.sock.sendall(header + cipher.encrypt(nonce, plain, header))
    def tell(self, name, fields): self.write(CONTROL, encode({MESSAGES[name]: fields}))
    def listen(self):
        """Reads a record of the session. Messages wait in the inbox for `next`, which knows when they may come."""
        name, body = self.read()
        if name == CONTROL:
            fields = decode(body)
            name = next((name for name, field in MESSAGES.items() if field in fields), None)
            body = messages(fields, MESSAGES[demand(name, "an unknown message")])[0]
        demand(name != "Close", f"the other side ends the session: {name == 'Close' and reason([], [body])}", NO_CLOSE)
        if name == "Ping":
            self.tell("Pong", {1: get(body, 1)})
        elif name not in ("Pong", "Pending", "Total"):  # which are for showing only
            demand(not self.inbox, f"{name} at this time")
            self.inbox.append((name, body))
    def next(self, *names):
        while not self.inbox:
            self.listen()
        demand(self.inbox[0][0] in names, f"{self.inbox[0][0]} at this time")
        return self.inbox.pop()
    def handshake(self, device, initiator):
        """Noise XX (3.2), token by token; the identities come with each side's s. Then both say Hello (6.1)."""
        preface = b"PORTOLAN\1\1\0\0"
        self.sock.sendall(preface if initiator else b"")
        demand(initiator or self.exactly(12) == preface, "somebody speaks another protocol, version or opening")
        noise, mine, theirs = Noise(preface), {token: x25519.X25519PrivateKey.generate() for token in "es"}, {}
        for writing, tokens in (initiator, "e"), (not initiator, "e ee s es"), (initiator, "s se"):
            signed, out = b"portolan/1 noise static" + noise.hash, b""
            message = None if writing else io.BytesIO(self.exactly(int.from_bytes(self.exactly(2), "big")))
            for token in tokens.split():
                if len(token) == 2:  # the initiator's key pair is named first
                    noise.mix_key(mine[token[not initiator]], theirs[token[initiator]])
                elif writing:
                    out += noise.crypt(public(mine[token]), True)
                else:
                    theirs[token] = noise.crypt(take(message, 48 if noise.cipher else 32), False)
            if writing:
                identity = {1: public(device), 2: device.sign(signed + public(mine["s"])), 3: b"peer", 4: b"\2"}
                out += noise.crypt(encode(identity if "s" in tokens else {}), True)
                self.sock.sendall(len(out).to_bytes(2, "big") + out)
            else:
                identity = decode(noise.crypt(message.read(), False))
                demand(("s" in tokens) == bool(identity), "the first message has no payload, the others have one")
                if identity:  # who the other side is (3.3), and whether it can do what this side can (3.4)
                    key, suites = get(identity, 1, b""), get(identity, 4, b"", 16)
                    demand(key != public(device), "the other side has this device's key")
                    ed25519.Ed25519PublicKey.from_public_bytes(key).verify(get(identity, 2, b""), signed + theirs["s"])
                    demand(2 in suites and (initiator or suites == b"\2"), "suites that are not known")
        fingerprint = base64.b32encode(hashlib.sha256(key).digest()[:20]).decode().lower()
        print("the other side's key:", "-".join(re.findall("....", fingerprint)), flush=True)
        secrets = noise.split()
        self.sealing, self.opening = seals(secrets[not initiator]), seals(secrets[initiator])
        key = functools.partial(mac, mac(secrets[0], b"portolan/1 lanes"))  # of lane 0 (4.2)
        self.lane_seals = seals(key(b"portolan/1 lane records\0\0\0\0"))
        self.opener = b"PORTLANE\2" + bytes(7) + key(b"portolan/1 lane id")[:16] + key(b"portolan/1 lane token\0\0\0\0")
        self.tell("Hello", {} if initiator else {2: 1})  # the receiver takes offers
        demand(1 not in (hello := self.next("Hello")[1]), "this device is in no team")
        demand(get(hello, 2) & 1 or not initiator, "the other side takes nothing", NO_CLOSE)
# --- Sending (6, 7.5) -------------------------------------------------------------------------------------------------
def send(path, address, device):
    name = os.fsencode(os.path.basename(path))
    demand(os.path.isfile(path) and safe_name(name), "only regular files are sent, under names that can be stored")
    with open(path, "rb") as file, Connection(socket.create_connection(address, 10)) as session:
        session.handshake(device, True)
        before = os.fstat(file.fileno())
        size, modified, sent = before.st_size, divmod(before.st_mtime_ns, 10**9), 0
        session.tell("Offer", {1: 1, 2: {1: name, 2: {1: {1: b"public.data"}, 3: FILE_CHANNEL, 4: size, 5: name}}})
        answer = session.next("Answer")[1]
        choice = (messages(answer, 2) or [{}])[0]
        demand(3 not in choice, f"declined: {reason(DECLINED, messages(choice, 3))}", NO_CLOSE)
        demand([get(answer, 1), get(choice, 1), get(choice, 2, 1), get(choice, 4)] == [1, 0, 0, 0], "another answer")
        lane = Connection(socket.create_connection(address, 10), session)
        lane.sock.sendall(session.opener)
        session.tell("Begin", {1: 1, 2: 1, 5: FILE_CHANNEL, 6: name, 7: size})
        flags, mode = 1 if size else 3, before.st_mode & 0o777  # an empty file is whole by its entry
        lane.write(TREE, struct.pack(">IBBIIHqIBB", 1, FILE, flags, 0, 0, mode, *modified, 0, 0) + varint(size))
        while not session.inbox and (chunk := file.read(min(2**16, size - sent))):  # until a Receipt fails it (6.9)
            session.ready(lane.sock, 0)  # so that a Ping is answered in time
            lane.write(PAYLOAD, struct.pack(">IIQ", 1, 0, sent) + chunk)
            sent += len(chunk)
        unchanged = sent == size and os.fstat(file.fileno()).st_mtime_ns == before.st_mtime_ns
        demand(session.inbox or unchanged, "the file has changed", ITEM)
        end = struct.pack(">BIBQQ", FILE_END, 0, 0, size, sent) if size and not session.inbox else b""
        lane.write(TREE, struct.pack(">I", 1) + end + bytes([MARK]))
        session.tell("End", {1: 1, 2: 1, 3: sent, **({4: 4} if session.inbox else {}), 7: b"\0"})
        receipt = session.next("Receipt")[1]
        stored = demand(messages(receipt, 3), f"not stored: {reason(FAILED, messages(receipt, 4))}", NO_CLOSE)
        print("stored as", ascii(get(stored[0], 1, b"", 255).decode()))
# --- Receiving (6, 7) -------------------------------------------------------------------------------------------------
def safe_name(proposed):
    """What an item is to be called by what the other side calls it; None where that can be nothing safe (7.8)."""
    name = proposed.decode("utf-8", "surrogateescape")
    unsafe = "[/\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
    return None if name in (".", "..") or re.search(unsafe, name) else re.sub(r"^[\s.-]+|[\s.]+$", "", name) or "item"

def unpack(frame, length):
    """What a zstd frame holds, which is exactly so many bytes (7.3)."""
    demand(length <= 2**20, "a packed record of too much")
    target, size = ctypes.create_string_buffer(length), ctypes.c_size_t
    given = ctypes.CDLL("libzstd.so.1").ZSTD_decompress(target, size(length), frame, size(len(frame)))
    demand(given == length, "no zstd frame")
    return target.raw

def accept(session, listener):
    """Lane 0 (4.2), or None where the sender ends without it. Whoever else connects is closed without a byte."""
    while not any(name == "End" and 7 not in end for name, end in session.inbox):
        if session.ready(listener):
            sock = listener.accept()[0]
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", 2, 0))
            with contextlib.suppress(OSError):
                if hmac.compare_digest(sock.recv(64, socket.MSG_WAITALL), session.opener):
                    return Connection(sock, session)
            sock.close()

def elements(lane):
    """What comes on a lane: an element and a stream of what follows it, or CONTENT and its place (7.2 to 7.4)."""
    while lane:
        record, plain = lane.read()
        stream = io.BytesIO(plain)
        demand(record != END and numbers(stream, ">I") == (1,), "a record of another transfer")
        while record == TREE and (kind := stream.read(1)):
            yield kind[0], stream
        if record != TREE:
            place, length = numbers(stream, ">IQ"), numbers(stream, ">I") if record == PACKED else ()
            yield CONTENT, (*place, unpack(stream.read(), *length) if length else stream.read())

def receive_file(session, lane, begin, form, folder):
    """Reads the file of a transfer (7.5), stores it (7.8 to 7.10), and returns what the Receipt says of it."""
    name = demand(safe_name(get(begin, 6, b"", 255) or get(form, 5, b"", 255)), "name", ITEM)
    most, apparent = get(form, 4, MOST, MOST), get(form, 9, get(form, 4, MOST), MOST)
    size, at, sent, flags, ended = None, 0, 0, 0, False
    with tempfile.NamedTemporaryFile(prefix=".peer-", dir=folder) as file:
        for kind, stream in elements(lane):
            index, offset, content, hole = 0, at, b"", 0
            if kind == FILE and size is None:
                flags, index, parent, mode, seconds, nanoseconds, shared, named = numbers(stream, ">BIIHqIBB")
                demand(flags < 16 and flags & 3 != 2 and mode < 512 and parent == shared == named == 0, "a FILE")
                demand(not flags & 8 and not begin.get(9), "fidelity", ITEM)  # attributes, and what MUST be kept
                demand((size := take_varint(stream) if flags & 1 else 0) <= apparent, "too_large", ITEM)
                ended, content, size = flags & 2, take(stream, size if flags & 2 else 0), size if flags & 1 else MOST
            elif kind == CONTENT and not ended:
                index, offset, content = stream
            elif kind == HOLE and not ended and flags & 1:
                index, offset, hole = numbers(stream, ">IQQ")
            elif kind == FILE_END and not ended:
                ended, (index, failed, whole, count) = True, numbers(stream, ">IBQQ")
                demand(not failed, "source", ITEM)
                demand(count == whole == at and size in (at, MOST), "the end of another file")
            else:
                demand(kind == MARK and not stream.read(1), "an element that may not come, or not now")
                break
            demand(size is not None and index == 0 and offset == at <= size - len(content) - hole, "content elsewhere")
            at, sent = at + len(content) + hole, sent + len(content)
            demand(sent <= most and at <= apparent, "too_large", ITEM)
            file.write(content)
            file.seek(hole, os.SEEK_CUR)
        end = session.next("End")[1]
        demand(4 not in end, "source", ITEM)
        demand(ended and [get(end, n) for n in (1, 2, 3)] + [get(end, 7, b"")] == [1, 1, sent, b"\0"], "another End")
        file.truncate(at)
        os.fchmod(file.fileno(), mode & ~UMASK)
        os.utime(file.fileno(), ns=(seconds * 10**9 + nanoseconds,) * 2)
        os.fsync(file.fileno())
        os.link(file.name, os.path.join(folder, name))  # which replaces nothing
        os.fsync(os.open(folder, os.O_RDONLY))  # closed by the end of the process, which is near
    return {1: name.encode(), 2: at, 3: 1, 4: end.get(5, []) + [{2: 8}] * bool(mode & UMASK)}

def receive(folder, address, device):
    listener = socket.create_server(address)
    print("listening on %s:%d" % listener.getsockname()[:2], flush=True)
    with Connection(listener.accept()[0]) as session:
        session.handshake(device, False)
        kind, offer = session.next("Offer", END)
        demand(kind != END and 3 not in offer, "nothing is offered", PROTOCOL if kind != END else NO_CLOSE)
        items = [messages(item, 2, 32) for item in messages(offer, 2, 1024)]
        files = [(item, number) for item, forms in enumerate(items) for number, form in enumerate(forms)
                 if [get(form, field) for field in (2, 3, 6)] == [0, FILE_CHANNEL, 0]]  # which everybody may see (6.5)
        choices = [{1: item, 3: {1: 1 if item in dict(files) else 2}} for item in range(len(items))]
        for item, number in files[:1]:
            choices[item] = {1: item, 2: number, 6: 1}
        session.tell("Answer", {1: get(offer, 1), 2: choices})
        demand(files, "nothing that was offered can be taken", NO_CLOSE)
        session.item = {1: get(offer, 1), 2: item}
        kind, begin = session.next("Begin", "ExportFailed")
        demand(kind == "Begin", "source", ITEM)
        said = [get(begin, field) for field in (1, 2, 3, 4, 5, 8)]
        demand(said == [1, get(offer, 1), item, number, FILE_CHANNEL, 0], "another Begin")
        stored = receive_file(session, accept(session, listener), begin, items[item][number], folder)
        session.tell("Receipt", {**session.item, 3: stored})
        print("stored as", ascii(stored[1].decode()), flush=True)

if len(sys.argv) != 5 or sys.argv[1] not in ("send", "receive"):
    sys.exit(__doc__)
try:
    host, _, port = sys.argv[2].rpartition(":")
    device = ed25519.Ed25519PrivateKey.from_private_bytes(pathlib.Path(sys.argv[4]).read_bytes())
    (send if sys.argv[1] == "send" else receive)(sys.argv[3], (host.strip("[]"), int(port)), device)
except (Exception, KeyboardInterrupt) as error:
    sys.exit(f"peer.py: {str(error.args[0] if isinstance(error, Refusal) else error) or type(error).__name__}")
