import Foundation
import PortolanCrypto
import PortolanProtocol
import PortolanTrust
import PortolanValues

/// Peer that deviates from the protocol as a test chooses, over a blocking socket of its own.
package final class HostilePeer {
    package let identity: DeviceIdentity
    /// Identity of the victim, once its handshake is over.
    package private(set) var victim: RemoteIdentity?
    private let socket: HostileSocket
    private let port: UInt16?
    private let listener: CInt?
    private var sealer: RecordSealer?
    private var opener: RecordOpener?
    private var sendingLanes: LaneKeys?
    private var receivingLanes: LaneKeys?
    private var lanes: [HostileLane] = []
    private var unread: [UInt8] = []

    /// Connects to a node on this machine.
    ///
    /// - Parameter host: see ``HostileSocket``.
    package init(port: UInt16, identity: DeviceIdentity? = nil, from host: UInt32 = 1) throws {
        self.identity = try identity ?? .made(named: "mallory")
        self.port = port
        listener = nil
        socket = try HostileSocket(port: port, from: host)
    }

    /// Uses a connection that a victim has opened.
    ///
    /// - Parameter listener: socket to which the victim connects.
    package init(accepted socket: CInt, by listener: CInt, identity: DeviceIdentity? = nil) throws {
        self.identity = try identity ?? .made(named: "mallory")
        port = nil
        self.listener = listener
        self.socket = HostileSocket(taking: socket)
    }

    // MARK: Bytes

    package func send(_ bytes: [UInt8]) throws { try socket.send(bytes) }

    package func receive(within seconds: Double = 300) throws -> [UInt8] { try socket.receive(within: seconds) }

    package func isHungUpOn(within seconds: Double) -> Bool { socket.isHungUpOn(within: seconds) }

    /// Disconnects without a message.
    package func cut() { socket.cut() }

    // MARK: Session

    /// - Parameters:
    ///   - greets: true to send a peer's usual first message, that it shares no team.
    ///   - capabilities: capabilities in that message.
    package func shakeHands(
        as role: NoiseRole = .initiator, greets: Bool = true, capabilities: Capabilities = [.takes]
    ) throws {
        try makeSession(as: role)
        if greets { try send(.hello(Message.Hello(teams: [], capabilities: capabilities))) }
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
                case .established(let keys, let remote, _, let unread):
                    establish(keys, remote, unread)
                    return
                }
            }
            if sealer != nil { return }
            let bytes = try receive()
            guard !bytes.isEmpty else { throw HostileSocket.Gone() }
            actions = try handshake.receive(bytes)
        }
    }

    private func accept(_ handshake: inout SessionHandshake) throws -> [SessionHandshake.Action] {
        let actions = try handshake.accept()
        for case .established(let keys, let remote, _, let unread) in actions { establish(keys, remote, unread) }
        return actions
    }

    private func establish(_ keys: SessionKeys, _ remote: RemoteIdentity, _ unread: [UInt8]) {
        victim = remote
        sealer = keys.makeSealer()
        opener = keys.makeOpener()
        sendingLanes = keys.sendingLanes
        receivingLanes = keys.receivingLanes
        self.unread = unread
    }

    /// Opens a lane of the session, to the session's address; open as long as this peer exists.
    package func openLane(_ index: Int = 0) throws -> HostileLane {
        guard let port, let keys = sendingLanes else { preconditionFailure("A sender with a session opens lanes") }
        let lane = try HostileLane(index, with: keys, port: port)
        lanes.append(lane)
        return lane
    }

    /// Returns the lane that was opened first, or opens one.
    package func lane() throws -> HostileLane { try lanes.first ?? openLane() }

    /// Accepts the lane that the victim opens, and waits for its first bytes.
    package func takeLane() throws -> HostileSocket {
        guard let listener else { preconditionFailure("A receiver takes lanes") }
        let lane = try HostileSocket(acceptedBy: listener)
        var count = 0
        while count <= LanePreface.length {
            let bytes = try lane.receive()
            guard !bytes.isEmpty else { throw HostileSocket.Gone() }
            count += bytes.count
        }
        return lane
    }

    /// Accepts the first lane that the victim opens, for reading.
    package func readLane() throws -> ReceivedLane {
        guard let listener, let keys = receivingLanes else {
            preconditionFailure("A receiver with a session takes lanes")
        }
        return try ReceivedLane(0, of: keys, acceptedBy: listener)
    }

    /// Preface of a lane of the session.
    package func lanePreface(_ index: Int = 0) -> [UInt8] {
        guard let keys = sendingLanes else { preconditionFailure("Lanes belong to a session") }
        return keys.preface(UInt32(index)).encode()
    }

    /// Sends any record, also one that is unknown to the protocol.
    package func sendRecord(type: UInt8, _ plaintext: [UInt8]) throws {
        guard let record = sealer?.record(type: type, plaintext) else { preconditionFailure("There is no session") }
        try send(record)
    }

    package func send(_ message: Message) throws {
        try sendRecord(type: RecordType.control.rawValue, message.encode())
    }

    package func sendPayload(_ header: PayloadHeader, _ data: [UInt8]) throws {
        try sendRecord(type: RecordType.payload.rawValue, header.encode() + data)
    }

    /// Returns the victim's next record, opened; nil when it has closed.
    package func nextRecord(within seconds: Double = 300) throws -> (type: UInt8, plaintext: [UInt8])? {
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
        return (UInt8(header >> 24), Array(body.dropLast(16)))
    }

    /// Returns the victim's next message; nil at its end mark or when it has closed. Keep-alives, messages about teams
    /// and notices of a pending decision are skipped.
    package func nextMessage(within seconds: Double = 300) throws -> Message? {
        while let record = try nextRecord(within: seconds) {
            guard record.type == RecordType.control.rawValue else { return nil }
            let message = try Message(decoding: record.plaintext[...])
            switch message {
            case .ping, .hello, .teamUpdate, .pending: continue
            default: return message
            }
        }
        return nil
    }

    /// Reads until the victim has closed.
    ///
    /// - Returns: the number of records other than keep-alives: Close and the end record.
    package func lastWords() throws -> Int {
        var count = 0
        while let record = try nextRecord() {
            guard record.type == RecordType.control.rawValue,
                case .ping = try Message(decoding: record.plaintext[...])
            else {
                count += 1
                continue
            }
        }
        return count
    }

    /// Returns the end of a session with an open offer: `isAnswered` is true after an answer of the victim; `reason` is
    /// that of its Close.
    package func ending() throws -> (isAnswered: Bool, reason: CloseCode?) {
        var isAnswered = false
        var reason: CloseCode?
        while let message = try nextMessage() {
            if case .answer = message { isAnswered = true }
            if case .close(let close) = message { reason = close.code }
        }
        return (isAnswered, reason)
    }

    /// Returns the victim's reason for closing the session, if it sent one.
    package func closeReason() throws -> CloseCode? {
        while let message = try nextMessage() {
            if case .close(let close) = message { return close.code }
        }
        return nil
    }
}

extension DeviceIdentity {
    package static func made(named name: String) throws -> DeviceIdentity {
        DeviceIdentity(name: try DeviceName(name), key: .generate())
    }
}
