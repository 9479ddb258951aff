#!/usr/bin/env python3
"""Sends or receives one file by the Portolan protocol, version 1; to be read beside PORTOLAN.md, whose sections are the
numbers in brackets. Usage: peer.py send HOST:PORT FILE KEYFILE, or peer.py receive HOST:PORT FOLDER KEYFILE"""
import base64, contextlib, ctypes, functools, hashlib, hmac, io, itertools, os, pathlib, re
import select, socket, struct, sys, tempfile, time
from cryptography.hazmat.primitives.asymmetric import ed25519, x25519
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CONTROL, PAYLOAD, END, TREE, PACKED = 1, 2, 3, 4, 5  # types of records, and how long their plaintext may be (4)
LENGTHS = {CONTROL: (1, 2**18), PAYLOAD: (17, 2**20 + 16), END: (0, 0), TREE: (5, 2**20), PACKED: (21, 2**20 + 19)}
FILE, HOLE, FILE_END, MARK, CONTENT = 0xF1, 6, 7, 8, None  # elements of tree records (7.4), and what is none
MESSAGES = {"Offer": 1, "Answer": 2, "Pending": 3, "Begin": 4, "End": 7, "ExportFailed": 8, "Receipt": 9, "Ping": 10,
            "Pong": 11, "Close": 12, "Hello": 16, "Total": 34}  # those that may come in such a session (5)
ITEM, NO_CLOSE, PROTOCOL, BAD_INDEX, LIMIT, INTERNAL = -1, 0, 1, 2, 3, 8  # the last four are codes of Close (10.2)
DECLINES = "unspecified not_wanted nothing_in_common no_space not_in_time visibility too_large".split()
FAILURES = ("unspecified no_space cannot_write name import cancelled source visibility refused fidelity "
            "too_large").split()
FILE_CHANNEL, UMASK, MOST = 2, os.umask(0o077), 2**63 - 1
mac = functools.partial(hmac.digest, digest="sha256")

class Refusal(Exception):
    """What ends a session: a sentence, and the code of a Close; or an item: a word of FAILURES, and ITEM."""

def demand(good, why, code=PROTOCOL):
    if not good:
        raise Refusal(why, code)

def reason(names, found):
    """The other side's code (10), and what it says about it: nothing that could do harm on a terminal."""
    code, text = [(get(fields, 1), get(fields, 2, b"", 1024)) for fields in found or [{}]][0]
    return f"{names[code] if code < len(names) else code} {ascii(text)[1:]}"

def public(key):
    return key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)

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

def numbers(stream, form):
    return struct.unpack(form, take(stream, struct.calcsize(form)))

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
    demand((value if isinstance(value, int) else len(value)) <= most, "a field", LIMIT)
    return value

def messages(fields, field, most=1):
    demand(len(fields.get(field, [])) <= most, "too many messages", LIMIT)
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
            secret = mac(secret, b"portolan/1 next") if count else secret
            cipher = ChaCha20Poly1305(mac(secret, b"portolan/1 key\2"))
        yield cipher, struct.pack(">4xQ", count)

class Connection(contextlib.AbstractContextManager):
    """A TCP connection that carries records: lane 0 of a session, or the session itself."""
    def __init__(self, sock, session=None):
        sock.settimeout(30)
        self.sock, self.session, self.inbox = sock, session or self, []
        self.sealing = self.opening = session and session.lane_seals
        self.kinds = {PAYLOAD, END, TREE, PACKED} if session else {CONTROL, END}
        self.heard = self.said = time.monotonic()
        self.deadline = self.heard + 10  # for everything up to the offer (6.11)
    def __exit__(self, kind, error, trace):
        with contextlib.closing(self.sock), contextlib.suppress(OSError):
            if kind is Refusal and self.sealing:
                if error.args[1]:
                    self.tell("Close", {1: error.args[1]})
                self.write(END)
    def ready(self, sock, seconds=0.5):
        """Waits for a socket, and says whether it is ready. The session is read by the way, and kept alive (6.11)."""
        now = time.monotonic()
        if now > min(self.heard + 30, self.deadline):
            raise ConnectionError("nothing was heard of the other side in time")
        if self.sealing and now > self.said + 10:
            self.tell("Ping", {1: 1})
        reads = select.select({sock, self.sock}, [], [], seconds)[0]
        if sock is not self.sock and self.sock in reads:
            self.listen()
        return sock in reads
    def exactly(self, count):
        received = b""
        while len(received) < count:
            if self.session.ready(self.sock):
                chunk = self.sock.recv(count - len(received))
                if not chunk:
                    raise ConnectionError("the other side is gone before the end")
                received += chunk
                self.heard = time.monotonic()  # of the session: lanes are no sign of life
        return received
    def read(self):
        header = self.exactly(4)
        kind, length = header[0], int.from_bytes(header[1:], "big") - 16
        demand(kind in self.kinds and length >= LENGTHS[kind][0], "a record of that type may not come")
        demand(length <= LENGTHS[kind][1], "a record is too long", LIMIT)
        cipher, nonce = next(self.opening)
        return kind, cipher.decrypt(nonce, self.exactly(length + 16), header)
    def write(self, kind, plain=b""):
        cipher, nonce = next(self.sealing)
        header = bytes([kind]) + (len(plain) + 16).to_bytes(3, "big")
        self.said = time.monotonic()
        self.sock.sendall(header + cipher.encrypt(nonce, plain, header))
    def tell(self, name, fields):
        self.write(CONTROL, encode({MESSAGES[name]: fields}))
    def listen(self):
        """Reads a record of the session. Messages wait in the inbox for `next`, which knows when they may come."""
        name, body = self.read()
        if name == CONTROL:
            fields = decode(body)
            name = next((name for name, field in MESSAGES.items() if field in fields), None)
            body = messages(fields, MESSAGES[name])[0] if name else demand(False, "an unknown message")
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
        preface, signed = b"PORTOLAN\1\1\0\0", b"portolan/1 noise static"
        self.sock.sendall(preface if initiator else b"")
        demand(initiator or self.exactly(12) == preface, "somebody speaks another protocol, version or opening")
        noise, mine, theirs = Noise(preface), {token: x25519.X25519PrivateKey.generate() for token in "es"}, {}
        for writing, tokens in (initiator, "e"), (not initiator, "e ee s es"), (initiator, "s se"):
            before, out, length = noise.hash, b"", 0 if writing else int.from_bytes(self.exactly(2), "big")
            demand(length <= 4096, "the other side speaks another protocol or version")
            message = io.BytesIO(self.exactly(length))
            for token in tokens.split():
                if len(token) == 2:  # the initiator's key pair is named first
                    noise.mix_key(mine[token[not initiator]], theirs[token[initiator]])
                elif writing:
                    out += noise.crypt(public(mine[token]), True)
                else:
                    theirs[token] = noise.crypt(take(message, 48 if noise.cipher else 32), False)
            if writing:
                identity = {1: public(device), 2: device.sign(signed + before + public(mine["s"])),
                            3: b"peer " + public(device).hex()[:8].encode(), 4: b"\2"}
                out += noise.crypt(encode(identity if "s" in tokens else {}), True)
                self.sock.sendall(len(out).to_bytes(2, "big") + out)
            else:
                identity = decode(noise.crypt(message.read(), False))
                demand("s" in tokens or not identity, "the first message has a payload")
                if "s" in tokens:
                    self.check(identity, signed + before + theirs["s"], device, initiator)
        secrets = noise.split()
        self.sealing, self.opening = seals(secrets[not initiator]), seals(secrets[initiator])
        key = functools.partial(mac, mac(secrets[0], b"portolan/1 lanes"))  # of lane 0 (4.2)
        self.lane_seals = seals(key(b"portolan/1 lane records" + (first := bytes(4))))
        self.opener = b"PORTLANE\2" + bytes(7) + key(b"portolan/1 lane id")[:16] + key(b"portolan/1 lane token" + first)
        self.tell("Hello", {} if initiator else {2: 1})  # the receiver takes offers
        demand(1 not in (hello := self.next("Hello")[1]), "this device is in no team")
        demand(get(hello, 2) & 1 or not initiator, "the other side takes nothing", NO_CLOSE)
    def check(self, identity, signed, device, initiator):
        """Who the other side is (3.3), and whether it can do what this side can (3.4)."""
        key, suites, name = get(identity, 1, b""), list(get(identity, 4, b"", 16)), get(identity, 3, b"", 63).decode()
        demand(name == name.strip() != "" and re.sub("[\u200d\ufe0f]", "", name).isprintable(), "a device's name")
        demand(key != public(device), "the other side has this device's key")
        ed25519.Ed25519PublicKey.from_public_bytes(key).verify(get(identity, 2, b""), signed)
        demand(2 in suites and len(set(suites)) == len(suites) and (initiator or suites == [2]), "the suites")
        text = base64.b32encode(hashlib.sha256(key).digest()[:20]).decode().lower()
        print("the other side's key:", "-".join(re.findall("....", text)), flush=True)

# --- Sending (6, 7.5) -------------------------------------------------------------------------------------------------
def send(path, address, device):
    name = os.fsencode(os.path.basename(path))
    demand(os.path.isfile(path) and safe_name(name), "only regular files are sent, under names that can be stored")
    with open(path, "rb") as file, Connection(socket.create_connection(address, 10)) as session:
        session.handshake(device, True)
        before = os.fstat(file.fileno())
        size, modified, sent = before.st_size, divmod(before.st_mtime_ns, 10**9), 0
        session.tell("Offer", {1: 1, 2: {1: name, 2: {1: {1: b"public.data"}, 3: FILE_CHANNEL, 4: size, 5: name}}})
        session.deadline = MOST
        answer = session.next("Answer")[1]
        choice = (messages(answer, 2) or [{}])[0]
        demand(3 not in choice, f"declined: {reason(DECLINES, messages(choice, 3))}", NO_CLOSE)
        taken = get(answer, 1) == 1 and [get(choice, 1), get(choice, 2, 1), get(choice, 4)] == [0, 0, 0]
        demand(taken, "an answer about what was not offered", BAD_INDEX)
        lane = Connection(socket.create_connection(address, 10), session)
        lane.sock.sendall(session.opener)
        session.tell("Begin", {1: 1, 2: 1, 5: FILE_CHANNEL, 6: name, 7: size})
        flags, mode = 1 if size else 3, before.st_mode & 0o777  # an empty file is whole by its entry
        lane.write(TREE, struct.pack(">IBBIIHqIBB", 1, FILE, flags, 0, 0, mode, *modified, 0, 0) + varint(size))
        # What comes now says that the file is wanted no more; on the lane, that it is broken.
        while not session.ready(lane.sock, 0) and not session.inbox and (chunk := file.read(min(2**16, size - sent))):
            lane.write(PAYLOAD, struct.pack(">IIQ", 1, 0, sent) + chunk)
            sent += len(chunk)
        whole = sent == size and os.fstat(file.fileno()).st_mtime_ns == before.st_mtime_ns
        failure = {} if whole else {4: 4 if session.inbox else 3}
        end = struct.pack(">BIBQQ", FILE_END, 0, failure.get(4, 0), size, sent) if size else b""
        lane.write(TREE, struct.pack(">I", 1) + end + bytes([MARK]))
        session.tell("End", {1: 1, 2: 1, 3: sent, 7: b"\0", **failure})
        receipt = session.next("Receipt")[1]
        lane.write(END)
        demand(4 not in receipt, f"not stored: {reason(FAILURES, messages(receipt, 4))}", NO_CLOSE)
        demand(3 in receipt and not failure, "a receipt for what did not come whole")
        session.write(END)
        session.next(END)
        print("stored as", ascii(get(messages(receipt, 3)[0], 1, b"", 255).decode()))

# --- Receiving (6, 7) -------------------------------------------------------------------------------------------------
def safe_name(proposed):
    """What an item is to be called by what the other side calls it; None where that can be nothing safe (7.8)."""
    name = proposed.decode("utf-8", "surrogateescape")
    unsafe = "[/\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
    return None if name in (".", "..") or re.search(unsafe, name) else re.sub(r"^[\s.-]+|[\s.]+$", "", name) or "item"

def unpack(frame, length):
    """One zstd frame that gives exactly so many bytes, of the one format and with a window as allowed (7.3)."""
    demand(length <= 2**20, "a packed record", LIMIT)
    zstd, size, target = ctypes.CDLL("libzstd.so.1"), ctypes.c_size_t, ctypes.create_string_buffer(length)
    zstd.ZSTD_decompress.restype = zstd.ZSTD_findFrameCompressedSize.restype = size
    good = 5 < len(frame) < length and frame[:4] == b"\x28\xb5\x2f\xfd" and not frame[4] & 11
    good = good and (frame[4] & 32 or frame[5] <= 80)
    good = good and zstd.ZSTD_findFrameCompressedSize(frame, size(len(frame))) == len(frame)
    demand(good and zstd.ZSTD_decompress(target, size(length), frame, size(len(frame))) == length, "no zstd frame")
    return target.raw

def decide(items):
    """The choices about an offer, and what one of them takes: the first file that everybody may see (6.5)."""
    choices, taken = [], None
    for index, forms in enumerate(messages(item, 2, 32) for item in items):
        for form in forms:
            sizes = get(form, 4, 0, MOST) <= get(form, 9, MOST, MOST)
            demand(get(form, 3) in (1, 2) and get(form, 2) < 3 and sizes, "a representation")
        files = [n for n, form in enumerate(forms) if [get(form, field) for field in (2, 3, 6)] == [0, FILE_CHANNEL, 0]]
        why = "not_wanted" if files else "visibility" if any(get(form, 2) for form in forms) else "nothing_in_common"
        choices.append({1: index, 3: {1: DECLINES.index(why)}})
        if files and not taken:
            taken, choices[-1] = (index, files[0], forms[files[0]]), {1: index, 2: files[0], 6: 1}
    return choices, taken

def accept(session, listener):
    """Lane 0 (4.2), or None where the sender ends without it. Whoever else connects is closed without a byte."""
    while not any(name == "End" and 7 not in end for name, end in session.inbox):
        if session.ready(listener):
            lane, said, session.deadline = Connection(listener.accept()[0], session), b"", time.monotonic() + 2
            with contextlib.suppress(ConnectionError):
                said = lane.exactly(64)
            session.deadline = MOST
            if hmac.compare_digest(said, session.opener):
                return lane
            lane.sock.close()

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
    name, most = safe_name(get(begin, 6, b"", 255) or get(form, 5, b"", 255)), get(form, 4, MOST)
    demand(name, "name", ITEM)
    demand(not begin.get(9), "fidelity", ITEM)
    size, at, sent, flags, ended, failed, apparent = None, 0, 0, 0, False, 0, get(form, 9, most)
    with tempfile.NamedTemporaryFile(prefix=".peer-", dir=folder) as file:
        for kind, stream in elements(lane):
            index, offset, content, hole = 0, at, b"", 0
            if kind == FILE and size is None:
                flags, index, parent, mode, seconds, nanoseconds, shared, named = numbers(stream, ">BIIHqIBB")
                demand(flags < 16 and flags & 3 != 2 and mode < 512 and nanoseconds < 10**9
                       and parent == shared == named == 0, "a FILE")
                demand(not flags & 8, "fidelity", ITEM)  # extended attributes
                demand((size := take_varint(stream) if flags & 1 else 0) <= apparent, "too_large", ITEM)
                ended, content, size = flags & 2, take(stream, size if flags & 2 else 0), size if flags & 1 else MOST
            elif kind == CONTENT and not ended:
                index, offset, content = stream
            elif kind == HOLE and not ended and flags & 1:
                index, offset, hole = numbers(stream, ">IQQ")
            elif kind == FILE_END and not ended:
                ended, (index, failed, whole, count) = True, numbers(stream, ">IBQQ")
                demand(count == at and (failed or whole == at and size in (at, MOST)), "the end of another file")
            else:
                demand(kind == MARK and not stream.read(1), "an element that may not come, or not now")
                break
            demand(size is not None and index == 0 and offset == at <= size - len(content) - hole, "content elsewhere")
            at, sent = at + len(content) + hole, sent + len(content)
            demand(sent <= most and at <= apparent, "too_large", ITEM)
            file.write(content)
            file.seek(hole, os.SEEK_CUR)
        end = session.next("End")[1]
        demand([get(end, field) for field in (1, 2, 3)] == [1, size is not None, sent], "other totals")
        demand(get(end, 7, b"", 16) == b"\0" * bool(lane), "other lanes")
        demand(ended or 4 in end, "an End before the end of the file")
        demand(not failed and 4 not in end, "source", ITEM)
        file.truncate(at)
        os.fchmod(file.fileno(), mode & ~UMASK)
        os.utime(file.fileno(), ns=(seconds * 10**9 + nanoseconds,) * 2)
        os.fsync(file.fileno())
        os.link(file.name, os.path.join(folder, name))  # which replaces nothing
        place = os.open(folder, os.O_RDONLY)
        os.fsync(place)
        os.close(place)
    return {1: name.encode(), 2: at, 3: 1, 4: end.get(5, []) + [{2: 8}] * bool(mode & UMASK)}

def receive(folder, address, device):
    with socket.create_server(address) as listener:
        print("listening on %s:%d" % listener.getsockname()[:2], flush=True)
        with Connection(listener.accept()[0]) as session:
            session.handshake(device, False)
            kind, offer = session.next("Offer", END)
            demand(kind != END and 3 not in offer, "nothing is offered", PROTOCOL if kind != END else NO_CLOSE)
            session.deadline, (choices, taken) = MOST, decide(messages(offer, 2, 1024))
            session.tell("Answer", {1: get(offer, 1), 2: choices})
            demand(taken, "nothing that was offered can be taken", NO_CLOSE)
            kind, begin = session.next("Begin", "ExportFailed")
            said = [get(begin, field) for field in (1, 2, 3, 4, 5, 8)]
            demand(kind == "ExportFailed" or said == [1, get(offer, 1), *taken[:2], FILE_CHANNEL, 0], "another Begin")
            try:
                demand(kind == "Begin", "source", ITEM)
                lane = accept(session, listener)
                stored = receive_file(session, lane, begin, taken[2], folder)
            except (Refusal, OSError, OverflowError) as error:
                if isinstance(error, ConnectionError) or isinstance(error, Refusal) and error.args[1] != ITEM:
                    raise
                why = error.args[0] if isinstance(error, Refusal) else "cannot_write"
                session.tell("Receipt", {1: get(offer, 1), 2: taken[0], 4: {1: FAILURES.index(why)}})
                raise Refusal(f"the file is not stored: {why}", INTERNAL) from error
            session.tell("Receipt", {1: get(offer, 1), 2: taken[0], 3: stored})
            print("stored as", ascii(stored[1].decode()), flush=True)
            session.next(END)
            demand(lane.read()[0] == END, "something behind the last transfer")
            session.write(END)

def main():
    if len(sys.argv) != 5 or sys.argv[1] not in ("send", "receive"):
        sys.exit(__doc__)
    host, _, port = sys.argv[2].rpartition(":")
    try:
        device = ed25519.Ed25519PrivateKey.from_private_bytes(pathlib.Path(sys.argv[4]).read_bytes())
        (send if sys.argv[1] == "send" else receive)(sys.argv[3], (host.strip("[]"), int(port)), device)
    except (Exception, KeyboardInterrupt) as error:
        sys.exit(f"peer.py: {str(error.args[0] if isinstance(error, Refusal) else error) or type(error).__name__}")

main()
