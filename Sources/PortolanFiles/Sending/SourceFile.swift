import Glibc
import PortolanTrust

/// A file being sent: read by position, and watched for changes until its end.
package final class SourceFile: Sendable {
    /// Bytes, when it was opened; exactly as many are sent or it fails.
    package let size: UInt64
    private let descriptor: Descriptor
    /// Made fit to be shown only when something is to be said: a tree has many files and few errors.
    private let path: String
    private let opened: FileStatus

    init(_ descriptor: Descriptor, _ status: FileStatus, path: String) {
        self.descriptor = descriptor
        self.path = path
        opened = status
        size = status.size
        // Telling the system costs a call, which files of a page or two never earn back.
        if size >= 256 << 10 { _ = posix_fadvise(descriptor.number, 0, 0, POSIX_FADV_SEQUENTIAL) }
    }

    private var shownPath: DisplayText { DisplayText(path, limit: 1024) }

    /// Reads what is at `offset`, as much as fits and is there; 0 at the end.
    ///
    /// - Throws: ``FileError/Kind/sourceChanged`` where the file has become shorter.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(FileError) -> Int {
        guard offset < size, !buffer.isEmpty else { return 0 }
        let wanted = min(UInt64(buffer.count), size - offset)
        let count = retrying { pread(descriptor.number, buffer.baseAddress, Int(wanted), off_t(offset)) }
        if count < 0 { throw .reading(shownPath, .last) }
        if count == 0 {
            throw FileError(
                .sourceChanged,
                "“\(shownPath)” became shorter while it was being sent (\(offset) of \(size) bytes); send it again.")
        }
        return count
    }

    /// To be asked after the last byte: whether the file is still the one that was opened.
    ///
    /// - Throws: ``FileError/Kind/sourceChanged`` where size, modification or status time have changed.
    package func confirmUnchanged() throws(FileError) {
        let now: FileStatus
        do throws(SystemFailure) {
            now = try descriptor.status()
        } catch {
            throw .reading(shownPath, error)
        }
        if now.size < size || now.size > size {
            let direction = now.size < size ? "shorter" : "longer"
            throw FileError(
                .sourceChanged,
                "“\(shownPath)” became \(direction) while it was being sent (\(size) bytes, now \(now.size)); send it again."
            )
        }
        guard now.modified == opened.modified, now.changed == opened.changed else {
            throw FileError(.sourceChanged, "“\(shownPath)” was changed while it was being sent; send it again.")
        }
    }
}
