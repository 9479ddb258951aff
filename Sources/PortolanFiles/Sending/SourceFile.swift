import Glibc
import PortolanTrust

/// A file being sent: read by position, and watched for changes until its end.
///
/// Calls block and may come from any thread, several at once.
package final class SourceFile: Sendable {
    /// Bytes, when it was opened; exactly as many are sent or it fails.
    package let size: UInt64
    private let descriptor: Descriptor
    private let place: SourcePlace
    private let storage: any ReadableStorage
    private let opened: FileStatus

    init(_ descriptor: Descriptor, _ status: FileStatus, at place: SourcePlace) {
        self.descriptor = descriptor
        self.place = place
        storage = place.item.storage
        opened = status
        size = status.size
        // Telling the system costs a call, which files of a page or two never earn back.
        if size >= 256 << 10 { _ = posix_fadvise(descriptor.number, 0, 0, POSIX_FADV_SEQUENTIAL) }
    }

    /// Reads what is at `offset`, as much as fits and is there; 0 at the end.
    ///
    /// - Throws: ``FileError/Kind/sourceChanged`` where the file has become shorter.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(FileError) -> Int {
        guard offset < size, !buffer.isEmpty else { return 0 }
        let wanted = Int(min(UInt64(buffer.count), size - offset))
        let count: Int
        do throws(SystemFailure) {
            count = try storage.read(
                descriptor, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]), at: offset)
        } catch {
            throw .reading(place.shown, error)
        }
        if count == 0 {
            throw FileError(
                .sourceChanged,
                "“\(place.shown)” became shorter while it was being sent (\(offset) of \(size) bytes); send it again.")
        }
        return count
    }

    /// Fills the buffer with what is at `offset`; that many bytes must lie within the size.
    ///
    /// - Throws: as ``read(into:at:)``.
    package func fill(_ buffer: UnsafeMutableRawBufferPointer, from offset: UInt64) throws(FileError) {
        precondition(offset <= size && UInt64(buffer.count) <= size - offset, "reading past the end of a source")
        var filled = 0
        while filled < buffer.count {
            filled += try read(
                into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]), at: offset + UInt64(filled))
        }
    }

    /// Whether there may be holes that ``nextData(from:)`` leaves out.
    package var mayHaveHoles: Bool { opened.mayHaveHoles }

    /// The next bytes at or after `offset` that need to be sent; what is skipped, and all that follows where there are none,
    /// reads as zeros and takes no space here.
    ///
    /// Holes below 64 KiB count as data, and where the file system knows of no holes everything does. Never empty. A file
    /// that changes meanwhile may give anything within its size; ``confirmUnchanged()`` tells.
    package func nextData(from offset: UInt64) -> Range<UInt64>? {
        guard offset < size else { return nil }
        guard mayHaveHoles else { return offset..<size }
        return storage.segments(of: descriptor, size: size).next(from: offset)
    }

    /// To be asked after the last byte: whether the file is still the one that was opened.
    ///
    /// - Throws: ``FileError/Kind/sourceChanged`` where size, modification or status time have changed.
    package func confirmUnchanged() throws(FileError) {
        let now: FileStatus
        do throws(SystemFailure) {
            now = try storage.status(of: descriptor)
        } catch {
            throw .reading(place.shown, error)
        }
        if now.size < size || now.size > size {
            let direction = now.size < size ? "shorter" : "longer"
            throw FileError(
                .sourceChanged,
                "“\(place.shown)” became \(direction) while it was being sent (\(size) bytes, now \(now.size)); send it again."
            )
        }
        guard now.modified == opened.modified, now.changed == opened.changed else {
            throw FileError(.sourceChanged, "“\(place.shown)” was changed while it was being sent; send it again.")
        }
    }
}
