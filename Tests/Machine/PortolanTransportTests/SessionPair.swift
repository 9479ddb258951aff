import Foundation
import Glibc
import NIOCore
import PortolanConcurrency
import PortolanCrypto
import PortolanDiscovery
import PortolanProtocol
import PortolanTrust
import PortolanValues
import Synchronization

@testable import PortolanTransport

extension Session {
    /// Returns when the connection is closed by either side.
    func waitUntilClosed() async {
        let isClosed = OneShot<Void, Never>()
        await whenClosed {
            isClosed.settle()
        } during: {
            await isClosed.value()
        }
    }

    /// Returns the close codes that arrive before the other side ends.
    func closeCodes() async -> [CloseCode] {
        var codes: [CloseCode] = []
        do {
            for try await record in incoming {
                if case .close(let close) = try Message(decoding: record.body.readableBytesView) {
                    codes.append(close.code)
                }
            }
        } catch {}
        return codes
    }
}

/// Two ends of a session over loopback, and the listener that accepted it.
struct SessionPair {
    let listener: Listener
    /// Of the side that connected.
    let sender: Session
    /// Of the side that was connected to.
    let receiver: Session

    struct NeverArrived: Error {}

    /// Runs `body` with a session, and ends it and the listener. While all tests run at once, a task may wait for its
    /// turn for minutes.
    ///
    /// - Parameters:
    ///   - peerSilence: of the side that is connected to; nil for that of the other side.
    ///   - isKnown: true if the side that is connected to knows the other one.
    static func with(
        deadline: Duration = .seconds(600), silence: Duration = .seconds(600), peerSilence: Duration? = nil,
        knowing isKnown: Bool = false,
        _ body: (SessionPair) async throws -> Void
    ) async throws {
        let timing = SessionDeadlines(offerDeadline: deadline, silence: silence)
        let listener = try await Listener(
            sockets: ListeningSocket.open(port: 0, interfaces: ["lo"]), identity: identity("receiver"),
            door: .open, timing: SessionDeadlines(offerDeadline: deadline, silence: peerSilence ?? silence),
            isKnown: { _ in isKnown })
        let result: Result<Void, any Error>
        do {
            let address = NetworkAddress(ip: .v4(0x7F00_0001), port: listener.port)
            let sender = try await Connector(identity: identity("sender"), timing: timing).connect(
                to: [address], opening: .open
            ) { _ in }
            sender.offerMade()
            var arrivals = listener.arrivals.makeAsyncIterator()
            guard case .session(let receiver)? = await arrivals.next() else { throw NeverArrived() }
            receiver.offerMade()
            try await body(SessionPair(listener: listener, sender: sender, receiver: receiver))
            sender.close(Message.Close(.cancelled))
            receiver.close(Message.Close(.cancelled))
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await listener.close()
        try result.get()
    }

    private static func identity(_ name: String) throws -> LocalIdentity {
        LocalIdentity(DeviceIdentity(name: try DeviceName(name), key: .generate()))
    }

    /// A lane that both sides hold.
    func lane(_ number: UInt32) async throws -> (SendingLane, ReceivingLane) {
        let arrivals = ArrivedLanes()
        receiver.allowLanes(16) { arrivals.add($0, $1) }
        let sending = try await open(number)
        return (sending, try await arrivals.next(number))
    }

    func open(_ number: UInt32) async throws -> SendingLane {
        let sender = sender
        return try await WorkerThread(named: "open") { try sender.openLane(number) }.value
    }

    /// A connection to the listener that first sends `bytes`.
    func connection(saying bytes: [UInt8]) async throws -> LaneSocket {
        let address = NetworkAddress(ip: .v4(0x7F00_0001), port: listener.port)
        return try await WorkerThread(named: "stranger") {
            let socket = try LaneSocket(to: address)
            try socket.connect(until: .now + .seconds(120))
            _ = try bytes.withUnsafeBytes { try socket.send($0) }
            return socket
        }.value
    }
}

/// The lanes that have arrived for a session.
final class ArrivedLanes: Sendable {
    private let lanes = Mutex<[UInt32: ReceivingLane]>([:])

    func add(_ number: UInt32, _ lane: ReceivingLane) { lanes.withLock { $0[number] = lane } }

    var count: Int { lanes.withLock(\.count) }

    /// Waits for the lane with a number, and gives it to the caller.
    func next(_ number: UInt32) async throws -> ReceivingLane {
        let end = ContinuousClock.now + .seconds(600)
        while ContinuousClock.now < end {
            if let lane = lanes.withLock({ $0.removeValue(forKey: number) }) { return lane }
            try await Task.sleep(for: .milliseconds(2))
        }
        throw SessionPair.NeverArrived()
    }
}

extension LaneSocket {
    /// Waits until the other side closes; false if it sends something instead, or has not closed after `patience`.
    func isHungUpOn(within patience: Duration = .seconds(200)) async throws -> Bool {
        let end = ContinuousClock.now + patience
        while ContinuousClock.now < end {
            switch unread {
            case .nothing: try await Task.sleep(for: .milliseconds(2))
            case .bytes: return false
            case .end: return true
            }
        }
        return false
    }
}

extension LaneSocket {
    /// Returns all bytes that the other side sends before it closes, if that is less than a kilobyte.
    func words() async throws -> [UInt8] {
        try await WorkerThread(named: "listening") { [self] in
            var bytes = [UInt8](repeating: 0, count: 1024)
            let count = try bytes.withUnsafeMutableBytes { try receive(into: $0, atLeast: $0.count) }
            return Array(bytes.prefix(count))
        }.value
    }
}

/// Returns the error that ended a session's records; nil at the other side's end mark.
func failure(of session: Session) async -> (any Error)? {
    do {
        for try await _ in session.incoming {}
        return nil
    } catch {
        return error
    }
}

/// Returns the open sockets of this process, by descriptor: their names in `/proc`, which no later socket gets.
func openSockets() throws -> [CInt: String] {
    let folder = "/proc/self/fd"
    var sockets: [CInt: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
        // Other tests open and close files meanwhile.
        guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)"),
            target.hasPrefix("socket:"), let descriptor = CInt(name)
        else { continue }
        sockets[descriptor] = target
    }
    return sockets
}

/// Returns the sockets that listen on a port, or belong to connections to it.
func openSockets(onPort port: UInt16) throws -> Set<String> {
    typealias Lookup = (CInt, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> CInt
    func number(of descriptor: CInt, _ lookup: Lookup) -> UInt16? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                lookup(descriptor, address, &length) == 0 ? NetworkAddress(address, length: length)?.port : nil
            }
        }
    }
    return Set(
        try openSockets().filter { descriptor, _ in
            number(of: descriptor, { getsockname($0, $1, $2) }) == port
                || number(of: descriptor, { getpeername($0, $1, $2) }) == port
        }.values)
}
