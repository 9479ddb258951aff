import Glibc
import PortolanConcurrency
import PortolanCrypto
import PortolanDiscovery
import PortolanProtocol
import Synchronization
import Testing

@testable import PortolanTransport

/// Lanes that end early; no thread keeps waiting for them.
@Suite struct LaneInterruptionTests {
    /// Sends more than all buffers between two ends of a connection can hold.
    private static func sendUntilItFails(_ lane: SendingLane) throws {
        while true { try lane.send(.payload) { $0.count } }
    }

    @Test("a thread that waits to receive returns when the lane is shut down")
    func wakesReceivers() async throws {
        let broke = Mutex(0)
        let pair = try LanePair(broke: { _ in broke.withLock { $0 += 1 } })
        let receiver = try WorkerThread(named: "receiver") { try pair.receiving.next() != nil }
        try await Task.sleep(for: .milliseconds(20))
        pair.receiving.shutDown()
        await #expect(throws: TransportError.self) { try await receiver.value }
        // The side that shut the lane down gets no notice.
        #expect(broke.withLock(\.self) == 0)
    }

    @Test("a thread that waits to send returns when the lane is shut down")
    func wakesSenders() async throws {
        let pair = try LanePair()
        let sender = try WorkerThread(named: "sender") { try Self.sendUntilItFails(pair.sending) }
        while pair.sending.bytesSent < 100_000 { try await Task.sleep(for: .milliseconds(1)) }
        try await Task.sleep(for: .milliseconds(50))
        pair.sending.shutDown()
        await #expect(throws: TransportError.self) { try await sender.value }
    }

    @Test("a thread that waits for a connection returns when the socket is shut down, before or after")
    func wakesConnectors() async throws {
        // A full queue of one connection: further connections wait.
        let listening = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        defer { close(listening) }
        let anywhere = NetworkAddress(ip: .v4(0x7F00_0001), port: 0)
        #expect(anywhere.withSocketAddress { bind(listening, $0, $1) } == 0 && listen(listening, 0) == 0)
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let address = try #require(
            withUnsafeMutablePointer(to: &storage) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    getsockname(listening, pointer, &length) == 0 ? NetworkAddress(pointer, length: length) : nil
                }
            })
        let waiting = try (0..<4).map { _ in try LaneSocket(to: address) }
        let threads = try waiting.map { socket in
            try WorkerThread(named: "connect") { try socket.connect(until: .now + .seconds(120)) }
        }
        try await Task.sleep(for: .milliseconds(50))
        for socket in waiting { socket.shutDown() }
        var failures = 0
        for thread in threads {
            do { try await thread.value } catch { failures += 1 }
        }
        #expect(failures >= 2)

        let late = try LaneSocket(to: address)
        late.shutDown()
        let thread = try WorkerThread(named: "connect") {
            try late.connect(until: .now + .seconds(120))
        }
        await #expect(throws: TransportError.self) { try await thread.value }
    }

    @Test("connecting to a port without a listener fails with a sentence that names the address")
    func namesTheUnreachablePeer() async throws {
        let listening = try ListeningSocket.open(port: 0, interface: "lo")
        listening.close()
        let address = NetworkAddress(ip: .v4(0x7F00_0001), port: listening.port)
        let thread = try WorkerThread(named: "connect") {
            try LaneSocket(to: address).connect(until: .now + .seconds(120))
        }
        do {
            try await thread.value
            Issue.record("somebody was there")
        } catch {
            #expect("\(error)".contains("\(address)"))
        }
    }

    @Test("a connection that ends before its end mark is truncated, wherever that is", arguments: [0, 3, 4, 30, 100])
    func noticesTruncation(bytes: Int) async throws {
        let pair = try LanePair()
        let record: [UInt8] = [RecordType.tree.rawValue, 0, 1, 0] + [UInt8](repeating: 0, count: 200)
        let sender = try WorkerThread(named: "sender") {
            _ = try record[..<bytes].withUnsafeBytes { try pair.sockets.initiating.send($0) }
            pair.sending.shutDown()
        }
        try await sender.value
        let receiver = try WorkerThread(named: "receiver") { try pair.receiving.next() != nil }
        do {
            #expect(try await !receiver.value)
        } catch TransportError.truncated {
            return
        }
        Issue.record("it was taken for whole")
    }

    @Test(
        "records that a lane does not carry are refused by their first four bytes",
        arguments: [
            [0x01, 0, 0, 20], [0x06, 0, 0, 20], [0xFF, 0xFF, 0xFF, 0xFF], [0x02, 0, 0, 16], [0x04, 0x10, 0x00, 0x11],
            [0x02, 0x10, 0x00, 0x21], [0x05, 0xFF, 0xFF, 0xFF], [0x03, 0, 0, 17], [0x03, 0, 0, 0],
        ] as [[UInt8]])
    func refusesHeaders(header: [UInt8]) async throws {
        let broke = Mutex<[any Error]>([])
        let pair = try LanePair(broke: { error in broke.withLock { $0.append(error) } })
        let sender = try WorkerThread(named: "sender") {
            _ = try header.withUnsafeBytes { try pair.sockets.initiating.send($0) }
        }
        let receiver = try WorkerThread(named: "receiver") { try pair.receiving.next() != nil }
        await #expect(throws: ProtocolViolation.self) { try await receiver.value }
        try await sender.value
        #expect(broke.withLock { $0.first is ProtocolViolation })
    }

    @Test("garbage of the right form does not open")
    func refusesGarbage() async throws {
        let pair = try LanePair()
        let sender = try WorkerThread(named: "sender") {
            let garbage = [RecordType.tree.rawValue, 0, 0, 100] + [UInt8](repeating: 5, count: 100)
            _ = try garbage.withUnsafeBytes { try pair.sockets.initiating.send($0) }
        }
        let receiver = try WorkerThread(named: "receiver") { try pair.receiving.next() != nil }
        await #expect(throws: (any Error).self) { try await receiver.value }
        try await sender.value
    }

    @Test("data after the end mark is refused")
    func refusesMoreThanAll() async throws {
        let pair = try LanePair()
        let sender = try WorkerThread(named: "sender") {
            // The extra byte is sent past the lane's own code, in one piece with the end mark.
            let buffer = LaneBuffer()
            var sealer = RecordSealer(secret: LanePair.secret, suite: .chacha20poly1305)
            sealer.seal(type: RecordType.end.rawValue, buffer.record(0))
            let bytes = Array(buffer.record(0)) + [0]
            _ = try bytes.withUnsafeBytes { try pair.sockets.initiating.send($0) }
        }
        try await sender.value
        let receiver = try WorkerThread(named: "receiver") { try pair.receiving.next() == nil }
        await #expect(throws: ProtocolViolation.self) { try await receiver.value }
    }

    @Test("a receiver that sends something, or has disconnected, is noticed with the next record")
    func listensToTheReceiver() async throws {
        for says in [true, false] {
            let pair = try LanePair()
            let receiver = try WorkerThread(named: "receiver") {
                if says {
                    _ = try [UInt8(1)].withUnsafeBytes { try pair.sockets.accepted.send($0) }
                } else {
                    pair.receiving.shutDown()
                }
            }
            try await receiver.value
            let sender = try WorkerThread(named: "sender") { try Self.sendUntilItFails(pair.sending) }
            if says {
                await #expect(throws: ProtocolViolation.self) { try await sender.value }
            } else {
                await #expect(throws: TransportError.self) { try await sender.value }
            }
        }
    }

    /// The answer of a receiver that speaks other versions of lanes.
    private static let refusal = Array("PORTLANE".utf8) + [0, 3, 5, 0]

    @Test("a sender learns which versions of lanes the receiver speaks, also when it has nothing more to send")
    func readsTheReceiversVersions() async throws {
        for isSending in [true, false] {
            let broke = Mutex<[any Error]>([])
            let pair = try LanePair(broke: { error in broke.withLock { $0.append(error) } })
            let receiver = try WorkerThread(named: "receiver") {
                _ = try Self.refusal.withUnsafeBytes { try pair.sockets.accepted.send($0) }
                pair.receiving.shutDown()
            }
            try await receiver.value
            while pair.sockets.initiating.unread != .bytes { try await Task.sleep(for: .milliseconds(1)) }
            let sender = try WorkerThread(named: "sender") {
                if isSending { try Self.sendUntilItFails(pair.sending) } else { try pair.sending.checkForRefusal() }
            }
            do {
                try await sender.value
                Issue.record("it goes on")
            } catch TransportError.laneVersionRefused(let versions) {
                #expect(versions == 3...5)
            }
            guard case TransportError.laneVersionRefused? = broke.withLock(\.first) else {
                Issue.record("the session does not learn of it")
                return
            }
        }
    }

    @Test("looking for data on a silent lane has no effect")
    func looksAtSilence() async throws {
        let pair = try LanePair(broke: { Issue.record($0) })
        try pair.sending.checkForRefusal()
        let ending = try WorkerThread(named: "sender") { try pair.sending.end() }
        try await ending.value
        try pair.sending.checkForRefusal()
    }

    @Test("a receiver that connected the lane learns which versions the sender speaks; another one refuses that")
    func readsTheSendersVersions() async throws {
        for hasConnected in [true, false] {
            let sockets = try SocketPair()
            let lane = ReceivingLane(
                socket: sockets.initiating, opener: RecordOpener(secret: LanePair.secret, suite: .chacha20poly1305),
                mayComeToNothing: hasConnected)
            let sender = try WorkerThread(named: "sender") {
                _ = try Self.refusal.withUnsafeBytes { try sockets.accepted.send($0) }
                sockets.accepted.shutDown()
            }
            try await sender.value
            let receiver = try WorkerThread(named: "receiver") { try lane.next() != nil }
            do {
                _ = try await receiver.value
                Issue.record("it is taken")
            } catch TransportError.laneVersionRefused(let versions) {
                #expect(hasConnected && versions == 3...5)
            } catch {
                #expect(!hasConnected && (error as? ProtocolViolation)?.kind == .malformed)
            }
        }
    }

    @Test("time that is spent waiting for the other side is counted")
    func countsWaiting() async throws {
        let pair = try LanePair()
        let sender = try WorkerThread(named: "sender") {
            for _ in 0..<200 { try pair.sending.send(.payload) { $0.count } }
            try pair.sending.end()
        }
        let receiver = try WorkerThread(named: "receiver") {
            var records = 0
            usleep(100_000)
            while try pair.receiving.next() != nil { records += 1 }
            return records
        }
        #expect(try await receiver.value == 200)
        try await sender.value
        #expect(pair.sending.timeBlocked > .milliseconds(20))
    }
}
