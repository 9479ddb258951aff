import PortolanCrypto
import PortolanProtocol
import Synchronization

/// Receiving end of a lane: records are received to one place in memory and opened there.
///
/// One thread at a time uses it, and waits in the kernel for records. `shutDown()` may be called from any thread.
///
/// A call to the kernel asks for the rest of a record and the four bytes behind it, which give the length of the next
/// one: on a busy lane a record costs one call, and none of its bytes is moved.
package final class ReceivingLane: Sendable {
    let socket: any LaneConnection
    private let buffer = LaneBuffer()
    private let state: Mutex<State>
    private let mayComeToNothing: Bool
    /// Room of a stranger's lane; nil for one that is not counted.
    private let place: LanePlace?
    private let progressed: @Sendable () -> Void
    private let broke: @Sendable (any Error) -> Void

    private struct State: ~Copyable {
        var opener: RecordOpener
        /// The next record's header, if it came with the last record: all of it, or its first bytes.
        var header: [4 of UInt8] = [0, 0, 0, 0]
        var headerCount = 0
        var hasBegun = false
        var hasEnded = false
    }

    /// - Parameters:
    ///   - mayComeToNothing: true if this side has connected it, so that the other side may close it before it has sent
    ///     anything, or refuse its version.
    ///   - place: place of a stranger's lane.
    ///   - progressed: told of each whole record.
    ///   - broke: learns why the lane broke, once or more, unless it was shut down on this side.
    init(
        socket: any LaneConnection, opener: consuming RecordOpener, mayComeToNothing: Bool = false,
        place: LanePlace? = nil, progressed: @escaping @Sendable () -> Void = {},
        broke: @escaping @Sendable (any Error) -> Void = { _ in }
    ) {
        self.socket = socket
        self.mayComeToNothing = mayComeToNothing
        self.place = place
        self.progressed = progressed
        self.broke = broke
        state = Mutex(State(opener: opener))
    }

    /// Returns the next record, when it has come.
    ///
    /// - Returns: its type and plaintext, which is the caller's to read and to change until it asks for the next one;
    ///   nil after the end mark.
    /// - Throws: `TransportError.truncated` when the connection ends before the end mark; `ProtocolViolation` for a
    ///   type or length that is not allowed, before room is made or anything is read for it; `RecordError` for a record
    ///   that does not open.
    package func next() throws -> (type: RecordType, plaintext: UnsafeMutableRawBufferPointer)? {
        do {
            let header = try state.withLock { try receive(&$0) }
            goesOn()
            return header.type == .end ? nil : (header.type, buffer.plaintext(header.plaintextLength))
        } catch {
            if !socket.isShutDown { broke(error) }
            throw error
        }
    }

    /// Waits until the other side has closed the lane, which is to be called after the end mark.
    ///
    /// - Throws: `ProtocolViolation` if a byte comes instead.
    func waitForClose() throws {
        do {
            try withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { byte in
                // The end mark is complete without further bytes: a connection that breaks behind it counts as closed.
                guard let count = try? socket.receive(into: byte, atLeast: 1), count > 0 else { return }
                throw Self.somethingFollows
            }
        } catch {
            if !socket.isShutDown { broke(error) }
            throw error
        }
    }

    private static let somethingFollows = ProtocolViolation(.unexpected, "Something follows the end of a lane.")

    /// Notes progress: a record went, or waits for this side's own rate.
    func goesOn() {
        place?.progressed()
        progressed()
    }

    /// True if its memory is counted, since the peer is a stranger.
    var isCounted: Bool { place != nil }

    /// Time since anything came on it; nil if the system does not say.
    var quiet: Duration? { socket.quiet }

    /// Ends the connection, also while other threads use it.
    package func shutDown() { socket.shutDown() }

    private func receive(_ state: inout State) throws -> RecordHeader {
        guard !state.hasEnded else { return RecordHeader(.end, plaintextLength: 0) }
        let mayBeRefusal = mayComeToNothing && !state.hasBegun
        guard let word = try receiveHeader(&state) else {
            state.hasEnded = true
            return RecordHeader(.end, plaintextLength: 0)
        }
        if mayBeRefusal, let refusal = try refusal(beginningWith: word) { throw refusal }
        let header = try RecordHeader(decoding: word, phase: .lane)
        try place?.hold(header.bodyLength) { !socket.isShutDown }
        let room = buffer.bodyAndNextHeader(header.plaintextLength)
        let count = try socket.receive(into: room, atLeast: header.bodyLength)
        guard count >= header.bodyLength else { throw TransportError.truncated }
        for index in header.bodyLength..<count { state.header[index - header.bodyLength] = room[index] }
        state.headerCount = count - header.bodyLength
        try state.opener.open(header: word, buffer.body(header.plaintextLength))
        if header.type == .end {
            guard state.headerCount == 0 else {
                throw Self.somethingFollows
            }
            state.hasEnded = true
        }
        return header
    }

    /// Returns the other side's answer to a version of lanes that it does not speak; nil for a record.
    private func refusal(beginningWith word: UInt32) throws -> TransportError? {
        let first = withUnsafeBytes(of: word.bigEndian) { Array($0) }
        guard LanePreface.refusal.starts(with: first) else { return nil }
        let rest = LanePreface.refusal.count - first.count
        return try withUnsafeTemporaryAllocation(byteCount: rest, alignment: 1) { room in
            guard try socket.receive(into: room, atLeast: rest) == rest else { throw TransportError.truncated }
            return LanePreface.versions(inRefusal: first + room).map { .laneVersionRefused($0) }
        }
    }

    /// - Returns: nil if the lane came to nothing.
    private func receiveHeader(_ state: inout State) throws -> UInt32? {
        let (held, isFirst) = (state.headerCount, !state.hasBegun)
        state.hasBegun = true
        return try withUnsafeMutableBytes(of: &state.header) { header in
            let missing = RecordHeader.length - held
            if missing > 0 {
                let room = UnsafeMutableRawBufferPointer(rebasing: header[held...])
                let count = try socket.receive(into: room, atLeast: missing)
                if count == 0, isFirst, mayComeToNothing { return nil }
                guard count == missing else { throw TransportError.truncated }
            }
            return UInt32(bigEndian: header.loadUnaligned(as: UInt32.self))
        }
    }
}
