import Foundation
import PortolanCrypto
import PortolanProtocol
import PortolanTrust

/// A peer that speaks the protocol as far as it likes, over a blocking socket of its own.
final class HostilePeer {
    struct Gone: Error {}
    struct TimedOut: Error {}

    let identity: DeviceIdentity
    private let socket: CInt
    private var sealer: RecordSealer?
    private var opener: RecordOpener?
    private var unread: [UInt8] = []

    /// Connects to a node on this machine.
    init(port: UInt16, identity: DeviceIdentity? = nil) throws {
        self.identity = try identity ?? .made(named: "mallory")
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in.loopback(port: port)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Gone() }
    }

    /// Speaks on a connection that a victim has opened.
    init(accepted socket: CInt, identity: DeviceIdentity? = nil) throws {
        self.identity = try identity ?? .made(named: "mallory")
        self.socket = socket
    }

    deinit { Glibc.close(socket) }

    // MARK: Bytes

    func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { throw Gone() }
            rest = rest.dropFirst(count)
        }
    }

    /// What the victim says next; nothing when it has closed.
    func receive(within seconds: Double = 60) throws -> [UInt8] {
        var waiting = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, Int32(seconds * 1000)) == 1 else { throw TimedOut() }
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = recv(socket, &buffer, buffer.count, 0)
        return count > 0 ? Array(buffer[..<count]) : []
    }

    /// Whether the victim closes the connection in time; what it says before that is passed over.
    func isHungUpOn(within seconds: Double) -> Bool {
        let end = Date.now + seconds
        while Date.now < end {
            guard let bytes = try? receive(within: end.timeIntervalSinceNow) else { return false }
            if bytes.isEmpty { return true }
        }
        return false
    }

    // MARK: Session

    /// - Parameter greets: whether it says what every peer says first, that it shares no team.
    func shakeHands(as role: NoiseRole = .initiator, greets: Bool = true) throws {
        try makeSession(as: role)
        if greets { try send(.hello(Message.Hello(teams: []))) }
    }

    private func makeSession(as role: NoiseRole) throws {
        var handshake = SessionHandshake(
            role: role, identity: identity, suites: [.chacha20poly1305], noiseKey: .generate())
        var actions = handshake.start()
        while true {
            for action in actions {
                switch action {
                case .send(let bytes): try send(bytes)
                case .decide: for case .send(let bytes) in try accept(&handshake) { try send(bytes) }
                case .established(let keys, _, _, let unread):
                    establish(keys, unread)
                    return
                }
            }
            if sealer != nil { return }
            let bytes = try receive()
            guard !bytes.isEmpty else { throw Gone() }
            actions = try handshake.receive(bytes)
        }
    }

    private func accept(_ handshake: inout SessionHandshake) throws -> [SessionHandshake.Action] {
        let actions = try handshake.accept()
        for case .established(let keys, _, _, let unread) in actions { establish(keys, unread) }
        return actions
    }

    private func establish(_ keys: SessionKeys, _ unread: [UInt8]) {
        sealer = keys.makeSealer()
        opener = keys.makeOpener()
        self.unread = unread
    }

    /// Any record, whether the protocol knows it or not.
    func sendRecord(type: UInt8, _ plaintext: [UInt8]) throws {
        var record = [0, 0, 0, 0] + plaintext + [UInt8](repeating: 0, count: 16)
        record.withUnsafeMutableBytes { sealer?.seal(type: type, $0) }
        try send(record)
    }

    func send(_ message: Message) throws {
        try sendRecord(type: RecordType.control.rawValue, message.encode())
    }

    func sendPayload(_ header: PayloadHeader, _ data: [UInt8]) throws {
        try sendRecord(type: RecordType.payload.rawValue, header.encode() + data)
    }

    /// The victim's next message, keep-alives and what it says of teams passed over; nil at its end mark or when it has closed.
    func nextMessage(within seconds: Double = 60) throws -> Message? {
        while true {
            while unread.count < 4 {
                let bytes = try receive(within: seconds)
                guard !bytes.isEmpty else { return nil }
                unread += bytes
            }
            let header = unread[..<4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            let length = Int(header & 0xFF_FFFF)
            while unread.count < 4 + length {
                let bytes = try receive(within: seconds)
                guard !bytes.isEmpty else { return nil }
                unread += bytes
            }
            var body = Array(unread[4..<4 + length])
            unread.removeFirst(4 + length)
            try body.withUnsafeMutableBytes { try opener?.open(header: header, $0) }
            guard header >> 24 == UInt32(RecordType.control.rawValue) else { return nil }
            let message = try Message(decoding: body.dropLast(16))
            switch message {
            case .ping, .hello, .teamUpdate: continue
            default: return message
            }
        }
    }

    /// Why the victim closed the session, if it said so.
    func closeReason() throws -> CloseCode? {
        while let message = try nextMessage() {
            if case .close(let close) = message { return close.code }
        }
        return nil
    }
}

extension DeviceIdentity {
    static func made(named name: String) throws -> DeviceIdentity {
        DeviceIdentity(name: try DeviceName(name), key: .generate())
    }
}

extension sockaddr_in {
    static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
