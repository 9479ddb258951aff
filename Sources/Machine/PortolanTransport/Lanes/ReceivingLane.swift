import PortolanCrypto
import PortolanProtocol
import Synchronization

/// Receiving end of a lane: each record is received into one buffer and opened in it.
///
/// One thread at a time uses it, and waits in the kernel for records. `shutDown()` may be called from any thread.
///
/// A call to the kernel reads the rest of a record and the following four bytes, the length of the next record: on a
/// busy lane a record costs one call, and none of its bytes is copied.
package final class ReceivingLane: Sendable {
    let socket: any LaneConnection
    private let buffer = LaneBuffer()
    private let state: Mutex<State>
    private let mayComeToNothing: Bool
    /// Place of a stranger's lane; nil for a lane that is not counted.
    private let place: LanePlace?
    private let progressed: @Sendable () -> Void
    private let broke: @Sendable (any Error) -> Void

    private struct State: ~Copyable {
        var opener: RecordOpener
        /// Header of the next record, as far as it came with the last one.
        var header: [4 of UInt8] = [0, 0, 0, 0]
        var headerCount = 0
        var hasBegun = false
        var hasEnded = false
    }

    /// - Parameters:
    ///   - mayComeToNothing: true if this side connected the lane, so that the other side may close it without a
    ///     record, or refuse its version.
    ///   - place: place of a stranger's lane.
    ///   - progressed: called after each complete record.
    ///   - broke: called with the error when the lane breaks, once or more, unless this side shut it down.
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

    /// Waits for the next record.
    ///
    /// - Returns: its type and plaintext, which the caller may read and change until the next call; nil after the end
    ///   mark.
    /// - Throws: `TransportError.truncated` when the connection ends before the end mark; `ProtocolViolation` for a
    ///   type or length that is not allowed, before memory is reserved or its body is read; `RecordError` for a record
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

    /// Waits until the other side has closed the lane. Called after the end mark.
    ///
    /// - Throws: `ProtocolViolation` if a byte comes instead.
    func waitForClose() throws {
        do {
            try withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { byte in
                // The end mark is complete without further bytes, so a connection that breaks after it counts as
                // closed.
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

    /// Time since the last byte came; nil if unknown.
    var quiet: Duration? { socket.quiet }

    /// Ends the connection, even while other threads use it.
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

    /// Returns the other side's refusal of this version of lanes; nil for a record.
    private func refusal(beginningWith word: UInt32) throws -> TransportError? {
        let first = withUnsafeBytes(of: word.bigEndian) { Array($0) }
        guard LanePreface.refusal.starts(with: first) else { return nil }
        let rest = LanePreface.refusal.count - first.count
        return try withUnsafeTemporaryAllocation(byteCount: rest, alignment: 1) { room in
            guard try socket.receive(into: room, atLeast: rest) == rest else { throw TransportError.truncated }
            return LanePreface.versions(inRefusal: first + room).map { .laneVersionRefused($0) }
        }
    }

    /// - Returns: nil if the other side closed the lane without a record.
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
