import Glibc
import PortolanValues
import Synchronization

/// File that is being sent: read by position, and checked for changes at its end.
///
/// Calls block and may come from any thread, several at once.
package final class SourceFile: Sendable {
    /// Bytes at the beginning and at the end of a file that are read again if it has grown.
    private static let edge: UInt64 = 512 << 20
    /// Largest file that is read in one piece, in bytes.
    private static let small: UInt64 = 64 << 10

    /// Number of bytes to send: the size at the offer, at the walk or at opening. With fewer, the file fails.
    package let size: UInt64
    private let descriptor: Descriptor
    private let place: SourcePlace
    private let storage: any ReadableStorage
    private let opened: FileStatus
    /// Sample of a file that may wait before it is read; nil for a small file, which is read at once.
    private let sample: FileSample?
    /// Checksum of the counted bytes.
    private let sum = Atomic<UInt64>(0)
    private let watched: WatchedRestriction

    init(_ descriptor: Descriptor, _ status: FileStatus, size: UInt64, at place: SourcePlace) {
        self.descriptor = descriptor
        self.place = place
        storage = place.item.storage
        opened = status
        self.size = size
        sample = size > Self.small ? FileSample(of: descriptor, size: size, by: storage) : nil
        // The walk, or another opener, has just checked its mark.
        watched = WatchedRestriction(.everyone, for: place.item.view.markLifetime)
        // Telling the system costs a call, which files of a page or two never earn back.
        if size >= 256 << 10 { _ = posix_fadvise(descriptor.number, 0, 0, POSIX_FADV_SEQUENTIAL) }
    }

    /// Checks from time to time that the peer may still see the file, whose restriction may have changed since it was
    /// opened.
    ///
    /// - Throws: ``FileError/Kind/keptFromOthers`` if it may not, or the error of the check.
    package func confirmShown() throws(FileError) {
        let restriction = try watched.value { () throws(FileError) in
            return try translating(StoredVisibility.read(descriptor, by: storage)) { (error: SystemFailure) in
                FileError.reading(place.shown, error)
            }
        }.and(place.currentRestriction())
        guard try !place.item.view.shows(restriction) else { return }
        if case .item = place { throw .withdrawn(place.shown, restriction) }
        throw .restrictedMeanwhile(place.shown, restriction)
    }

    /// Reads the bytes at `offset`, as many as fit and exist; returns their number, 0 at the end.
    ///
    /// - Throws: ``FileError/Kind/sourceChanged`` where the file has become shorter.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(FileError) -> Int {
        guard offset < size, !buffer.isEmpty else { return 0 }
        let wanted = Int(min(UInt64(buffer.count), size - offset))
        let count = try reading { () throws(SystemFailure) in
            try storage.read(
                descriptor, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]), at: offset)
        }
        if count == 0 { throw changed("became shorter while it was being sent (\(offset) of \(size) bytes)") }
        return count
    }

    /// Fills the buffer with the bytes at `offset`; that many bytes must lie within the size.
    ///
    /// - Throws: the errors of ``read(into:at:)``.
    package func fill(_ buffer: UnsafeMutableRawBufferPointer, from offset: UInt64) throws(FileError) {
        precondition(offset <= size && UInt64(buffer.count) <= size - offset, "reading past the end of a source")
        var filled = 0
        while filled < buffer.count {
            filled += try read(
                into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]), at: offset + UInt64(filled))
        }
    }

    /// True if the file may have holes that ``nextData(from:)`` skips.
    package var mayHaveHoles: Bool { opened.mayHaveHoles }

    /// Returns the next bytes at or after `offset` that need to be sent; skipped bytes are a hole, and so is the rest
    /// if the result is nil.
    ///
    /// Holes below 64 KiB count as data, as does everything on a file system without holes. Never empty. If the file
    /// changes meanwhile, any range within its size may be returned; ``confirmUnchanged(_:)`` detects that.
    package func nextData(from offset: UInt64) -> Range<UInt64>? {
        guard offset < size else { return nil }
        guard mayHaveHoles else { return offset..<size }
        return storage.segments(of: descriptor, size: size).next(from: offset)
    }

    // MARK: - The end

    private var check: GrowthCheck { GrowthCheck(size: size, edge: Self.edge) }

    /// Counts content that the receiver is sent or has, each byte once, for ``confirmUnchanged(_:)``.
    package func count(_ content: UnsafeRawBufferPointer, at offset: UInt64) {
        sum.wrappingAdd(check.sum(of: content, at: offset), ordering: .relaxed)
    }

    /// Checks, after the last byte, that the file still begins with the bytes that were read.
    ///
    /// A longer file may have grown or been rewritten: then the bytes that were read are compared with the present
    /// ones, in a very large file only at both ends.
    ///
    /// - Parameter whole: the whole content; nil if it was counted piece by piece.
    /// - Returns: true if the file is now longer than ``size``.
    /// - Throws: ``FileError/Kind/sourceChanged`` if it has changed, ``FileError/Kind/unreadable`` if it is longer than
    ///   the system reports.
    @discardableResult
    package func confirmUnchanged(_ whole: UnsafeRawBufferPointer? = nil) throws(FileError) -> Bool {
        var now = try status()
        if now.size == size, try hasMore() {
            // The file may have grown between the two calls.
            now = try status()
            guard now.size > size else {
                throw FileError(
                    .unreadable,
                    "“\(place.shown)” has more content than the \(size) bytes that the system tells of; send it through a pipe (“-”)."
                )
            }
        }
        if now.size == opened.size, now.modified == opened.modified, now.changed == opened.changed {
            return now.size > size
        }
        guard now.size >= size else {
            throw changed("became shorter while it was being sent (\(size) bytes, now \(now.size))")
        }
        let sent = whole.map { check.sum(of: $0, at: 0) } ?? sum.load(ordering: .relaxed)
        guard now.size > size, isBeginning(now), try sumNow() == sent else {
            throw changed("was changed while it was being sent")
        }
        return true
    }

    private func status() throws(FileError) -> FileStatus {
        try reading { () throws(SystemFailure) in try storage.status(of: descriptor) }
    }

    /// Returns true if the file has bytes behind the last one.
    private func hasMore() throws(FileError) -> Bool {
        var byte: UInt8 = 0
        return try reading { () throws(SystemFailure) in
            try withUnsafeMutableBytes(of: &byte) { byte throws(SystemFailure) in
                try storage.read(descriptor, into: byte, at: size) > 0
            }
        }
    }

    private func isBeginning(_ now: FileStatus) -> Bool {
        sample?.isBeginning(of: descriptor, now, by: storage) ?? (size <= Self.small)
    }

    private func sumNow() throws(FileError) -> UInt64? {
        try reading { () throws(SystemFailure) in try storage.sum(of: descriptor, check) }
    }

    private func reading<Result>(_ call: () throws(SystemFailure) -> Result) throws(FileError) -> Result {
        try FileError.whileReading(place.shown, call)
    }

    private func changed(_ what: String) -> FileError {
        FileError(.sourceChanged, "“\(place.shown)” \(what); send it again.")
    }
}
