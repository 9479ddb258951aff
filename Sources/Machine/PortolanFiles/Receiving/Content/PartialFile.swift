import CPortolanLinux
import Glibc
import PortolanValues
import Synchronization

/// File of an item whose bytes are being received, in any order and from any thread.
final class PartialFile: Sendable {
    let descriptor: Descriptor
    let announced: AnnouncedFile
    let claim: Claim?
    /// Stored file from which parts are copied, if the file comes as a difference.
    let base: StoredFile?
    private let state = Mutex(State())

    private struct State {
        /// Ranges that the file has by now.
        var covered = ByteRanges()
        /// Ranges that are being written, at most one for each thread.
        var inFlight: [Range<UInt64>] = []
        var received: UInt64 = 0
        var holes: UInt64 = 0
        /// Size in bytes, after the sender has ended the file.
        var size: UInt64?
        var unwritten: UInt64 = 0
    }

    init(descriptor: Descriptor, _ waiting: WaitingFile) {
        self.descriptor = descriptor
        announced = waiting.announced
        claim = waiting.claim
        base = waiting.isDifference ? waiting.stored : nil
        guard let claim else { return }
        let holes = claim.passedOver
        var covered = holes
        for range in claim.passedCopies.ranges { covered.insert(range) }
        state.withLock { [covered] in $0 = State(covered: covered, received: holes.total, holes: holes.total) }
    }

    private var name: FileName { announced.name }

    /// Received bytes, in this transfer or an earlier one. For a file that began as a copy of another version only
    /// these count, since the rest may have to be sent.
    var came: UInt64 {
        var covered = state.withLock(\.covered)
        guard let claim else { return covered.total }
        let sum = covered.total + claim.came
        covered.insert(claim.held)
        return min(sum, covered.total)
    }

    /// Received bytes, including holes.
    var received: UInt64 { state.withLock(\.received) }
    /// Bytes of holes.
    var holes: UInt64 { state.withLock(\.holes) }
    /// Size in bytes, after the sender has stated it.
    var size: UInt64 { state.withLock(\.size) ?? 0 }

    /// Reserves a range before it is written: it must be inside the file and overlap no other.
    func take(_ count: UInt64, at offset: UInt64) throws(FileError) -> Range<UInt64> {
        let (end, overflow) = offset.addingReportingOverflow(count)
        // The system's offsets are signed.
        if overflow || end > UInt64(Int64.max) {
            if announced.size == nil, !overflow { throw .storing(DisplayText(name.text), SystemFailure(EFBIG)) }
            throw .malformed("bytes of “\(name)” behind the end of all files")
        }
        if let size = announced.size, end > size {
            throw .malformed("more bytes of “\(name)” than the \(size) that were announced")
        }
        let range = offset..<end
        try state.withLock { state throws(FileError) in
            try FileError.checkForm(
                !state.covered.overlaps(range) && !state.inFlight.contains(where: { $0.overlaps(range) }),
                "bytes of “\(name)” from \(offset) twice")
            guard state.size == nil else { throw .malformed("bytes of “\(name)” after its end") }
            // Ranges that are being written may join existing ones.
            try FileError.checkForm(
                state.covered.ranges.count <= ByteRanges.limit + state.inFlight.count,
                "bytes of “\(name)” in more than \(ByteRanges.limit) pieces")
            state.inFlight.append(range)
        }
        return range
    }

    /// Notes a range that the copy of the stored file has already.
    func copied(_ range: Range<UInt64>) {
        state.withLock { state in
            if let place = state.inFlight.firstIndex(of: range) { state.inFlight.remove(at: place) }
            state.covered.insert(range)
            state.unwritten += range.upperBound - range.lowerBound
        }
    }

    /// Notes a range that was written.
    func wrote(_ range: Range<UInt64>, isHole: Bool) {
        state.withLock { state in
            if let place = state.inFlight.firstIndex(of: range) { state.inFlight.remove(at: place) }
            let count = range.upperBound - range.lowerBound
            state.covered.insert(range)
            state.received += count
            if isHole { state.holes += count } else { state.unwritten += count }
        }
    }

    /// Ends the file, which is complete according to the sender; it accepts no bytes afterwards.
    func end(size: UInt64) throws(FileError) {
        try state.withLock { state throws(FileError) in
            guard state.size == nil else { throw .malformed("the end of “\(name)” twice") }
            try FileError.checkForm(
                announced.size ?? size == size && size <= UInt64(Int64.max),
                "an end of “\(name)” at \(size), where \(announced.size ?? 0) bytes were announced")
            try FileError.checkForm(
                state.covered.ranges.last?.upperBound ?? 0 <= size, "bytes of “\(name)” behind its end at \(size)")
            var there = state.covered
            if let claim { there.insert(claim.settled) }
            try FileError.checkForm(
                state.inFlight.isEmpty && there.contains(0..<size), "an end of “\(name)” with bytes missing")
            state.size = size
        }
    }

    /// Number of written bytes after which writeback is started, so that the last sync has less to do.
    private static let writebackStep: UInt64 = 32 << 20

    func startWriteback() { _ = portolan_start_writeback(descriptor.number, 0, 0) }

    /// Returns true if enough bytes were written to start writeback.
    func isDueForWriteback() -> Bool {
        state.withLock { state in
            guard state.unwritten >= Self.writebackStep else { return false }
            state.unwritten = 0
            return true
        }
    }
}
