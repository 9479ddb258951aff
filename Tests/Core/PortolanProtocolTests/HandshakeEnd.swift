import PortolanCrypto
import PortolanProtocol
import PortolanTrust
import Synchronization
import Testing

/// End of a connection in a test: its machine, and the result so far.
final class HandshakeEnd {
    private var machine: SessionHandshake
    private(set) var outcome = Outcome()
    private(set) var error: HandshakeError?
    private let isAccepting: Bool

    init(_ opening: Opening, _ identity: DeviceIdentity? = nil, isAccepting: Bool = true) throws {
        machine = SessionHandshake(
            opening: opening, identity: try identity ?? device("Ada", 1), suites: [.chacha20poly1305],
            noiseKey: .generate())
        self.isAccepting = isAccepting
    }

    init(behind door: Door, _ identity: DeviceIdentity? = nil) throws {
        machine = SessionHandshake(
            door: door, identity: try identity ?? device("Bob", 2), suites: [.chacha20poly1305], noiseKey: .generate())
        isAccepting = true
        _ = machine.start()
    }

    /// Returns the initiator's first bytes.
    func start() -> [UInt8] { answer { machine in machine.start() } }

    /// Returns the answer to `bytes`, the reply before closing included.
    @discardableResult
    func hear(_ bytes: [UInt8]) -> [UInt8] {
        guard error == nil, outcome.keys == nil else { return [] }
        return answer { machine in try machine.receive(bytes) }
    }

    /// Returns the error that results when the other side closes.
    func hangUp() -> HandshakeError {
        let end = machine.endOfInput()
        error = error ?? end
        return end
    }

    var isEstablished: Bool { outcome.keys != nil }
    var hasTriedCode: Bool { machine.hasTriedCode }

    private func answer(
        _ step: (inout SessionHandshake) throws -> [SessionHandshake.Action]
    ) -> [UInt8] {
        do {
            try machine.perform(step(&machine), into: &outcome, accepting: isAccepting)
        } catch let failure as HandshakeError {
            error = failure
            outcome.sent += failure.reply
        } catch {
            Issue.record("Not an error of handshakes: \(error)")
        }
        defer { outcome.sent = [] }
        return outcome.sent
    }

    /// Exchanges the messages of two ends until one has none to send; `deliver` may cut, change or drop them. The end
    /// that waits longer than the other talks hears that the connection is gone.
    ///
    /// - Returns: the bytes of the machine, flight by flight.
    @discardableResult
    static func converse(
        _ one: HandshakeEnd, _ two: HandshakeEnd, deliver: (_ flight: Int, [UInt8]) -> [[UInt8]] = { [$1] }
    ) -> [[UInt8]] {
        var flights: [[UInt8]] = []
        var said = one.start()
        var (next, other) = (two, one)
        while !said.isEmpty {
            let pieces = deliver(flights.count, said)
            flights.append(said)
            said = pieces.flatMap { next.hear($0) }
            (next, other) = (other, next)
        }
        for end in [one, two] where !end.isEstablished { _ = end.hangUp() }
        return flights
    }
}

/// A time that passes when the test says so.
final class TestClock: Sendable {
    private let time: Mutex<ContinuousClock.Instant>

    init(_ start: ContinuousClock.Instant) { time = Mutex(start) }

    var now: ContinuousClock.Instant { time.withLock { $0 } }

    func advance(by duration: Duration) { time.withLock { $0 += duration } }
}

/// A frame of the handshake around a message.
func frame(_ message: [UInt8]) -> [UInt8] { [UInt8(message.count >> 8), UInt8(message.count & 255)] + message }

/// Returns the preface of an initiator with this pattern, and the bytes that it announces.
func preface(pattern: UInt8 = 2, extra: [UInt8] = []) -> [UInt8] {
    Array("PORTOLAN".utf8) + [1, pattern, UInt8(extra.count >> 8), UInt8(extra.count & 255)] + extra
}
