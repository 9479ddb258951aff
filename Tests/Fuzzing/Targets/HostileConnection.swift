import Glibc
import NIOCore
import PortolanCrypto
import PortolanProtocol
import PortolanTransport

/// A peer that connects to a port of this machine, makes a valid handshake, and sends arbitrary records from there on.
final class HostileConnection {
    private let session: BlockingSocket
    private var lanes: [Int: Lane] = [:]
    private var sealer: RecordSealer
    private var assembler: RecordAssembler
    private var unread = ByteBuffer()
    private let keys: LaneKeys
    private let port: UInt16
    private(set) var isOpen = true

    private final class Lane {
        let socket: BlockingSocket
        var sealer: RecordSealer

        init(_ socket: BlockingSocket, _ sealer: consuming RecordSealer) {
            self.socket = socket
            self.sealer = sealer
        }
    }

    /// - Returns: nil without a session.
    init?(to port: UInt16) {
        guard let session = BlockingSocket(port: port), let keys = Self.shakeHands(session) else { return nil }
        self.session = session
        self.port = port
        self.keys = keys.sendingLanes
        sealer = keys.makeSealer()
        assembler = RecordAssembler(opener: keys.makeOpener(), buffers: RecordBuffers(limit: 0))
        // The first message of every session.
        let hello = valid { Message.hello(try Message.Hello(teams: [])) }
        isOpen = session.send(sealer.sealed(RecordType.control.rawValue, hello.encode()))
    }

    private static func shakeHands(_ socket: BlockingSocket) -> SessionKeys? {
        var handshake = SessionHandshake(role: .initiator, identity: Parties.peer, noiseKey: Parties.noiseKey(5))
        var actions = handshake.start()[...]
        while true {
            while let action = actions.popFirst() {
                switch action {
                case .send(let bytes): guard socket.send(bytes) else { return nil }
                case .decide:
                    guard let more = try? handshake.accept() else { return nil }
                    actions += more
                case .established(let keys, _, _, _): return keys
                }
            }
            let bytes = socket.receive()
            guard !bytes.isEmpty, let more = try? handshake.receive(bytes) else { return nil }
            actions = more[...]
        }
    }

    /// Sends one message or record, on the session or on a lane.
    func say(_ input: inout FuzzInput) {
        let step = input.byte()
        switch step % 8 {
        case 0, 1:
            let plaintext = input.piece()
            guard RecordHeader.lengths(of: .control).contains(plaintext.count) else { return }
            isOpen = session.send(sealer.sealed(RecordType.control.rawValue, plaintext))
            // Messages after an offer may be valid only once it was answered.
            if case .offer? = try? Message(decoding: plaintext) { awaitAnswer() }
        case 2: isOpen = session.send(sealer.sealed(RecordType.payload.rawValue, input.piece()))
        case 3, 4: send(.tree, [0, 0, 0, 1] + input.piece(), on: step)
        case 5: send(.payload, [0, 0, 0, 1] + input.piece(), on: step)
        case 6: send(.packed, [0, 0, 0, 1] + input.piece(), on: step)
        default:
            switch step >> 6 {
            case 0: send(.end, [], on: step)
            case 1: isOpen = session.send(sealer.sealed(input.byte(), input.piece()))
            case 2: isOpen = session.send(input.piece())
            default: isOpen = session.send(sealer.sealed(RecordType.end.rawValue, []))
            }
        }
    }

    /// Reads until the offer is answered, for a short time, since the answer does not come while a lane is incomplete.
    private func awaitAnswer() {
        while true {
            guard let record = valid({ try assembler.next(in: &unread) }) else {
                let bytes = session.receive()
                if bytes.isEmpty { return }
                unread.writeBytes(bytes)
                continue
            }
            switch try? Message(decoding: record.body.readableBytesView) {
            case .answer: return
            case .close, nil:
                isOpen = false
                return
            default: break
            }
        }
    }

    private func send(_ type: RecordType, _ plaintext: [UInt8], on step: UInt8) {
        let index = Int(step >> 3) % 2
        if lanes[index] == nil, let socket = BlockingSocket(port: port),
            socket.send(keys.preface(UInt32(index)).encode())
        {
            lanes[index] = Lane(socket, keys.makeSealer(UInt32(index)))
        }
        guard let lane = lanes[index] else { return }
        _ = lane.socket.send(lane.sealer.sealed(type.rawValue, plaintext))
    }

    func saysNothingMore() {
        for lane in lanes.values { lane.socket.saysNothingMore() }
        session.saysNothingMore()
    }
}

private final class BlockingSocket {
    private let descriptor: CInt

    init?(port: UInt16) {
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { return nil }
        var patience = timeval(tv_sec: 2, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// - Returns: false if the connection is closed.
    func send(_ bytes: [UInt8]) -> Bool {
        bytes.isEmpty || Glibc.send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL)) == bytes.count
    }

    /// The next bytes; empty if the connection is closed, or silent for two seconds.
    func receive() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count > 0 ? Array(buffer[..<count]) : []
    }

    func saysNothingMore() { shutdown(descriptor, CInt(SHUT_WR)) }
}
