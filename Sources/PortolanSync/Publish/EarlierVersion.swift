import PortolanConcurrency
import PortolanFiles
import PortolanSyncModel

/// File here that is likely to have most of a content that is fetched.
struct ContentBase: Sendable {
    var file: Expectation
    /// False for another version of a conflict, which stays beside the fetched one.
    var isReplaced: Bool
}

/// File that is about to be replaced, or the other version of a conflict, open, as a source of bytes that the fetched
/// version also has.
///
/// The digest of that version verifies the result. The file may change at any time, and is not used any more then.
package struct EarlierVersion: Sendable {
    /// Sizes of files, in bytes, whose next version may be fetched as a difference: a smaller file is fetched faster
    /// whole, and a larger one takes the other side too long to read.
    package static let sizes: ClosedRange<UInt64> = 256 << 10...1 << 30

    /// Bytes of the file when it was opened.
    package var size: UInt64 { stamp.size }

    private let file: Descriptor
    private let storage: any Storage
    private let stamp: FileStatusStamp
    private let threads: BlockingThreads

    /// - Parameters:
    ///   - stamp: state of the file as it is known.
    ///   - threads: threads that read the file.
    /// - Returns: nil for a file that cannot be read or is in another state, a link, and a file of another size than
    ///   `sizes`.
    init?(
        _ name: String, in folder: Descriptor, _ stamp: FileStatusStamp, _ storage: any Storage,
        on threads: BlockingThreads
    ) {
        guard stamp.kind == .file, Self.sizes ~= stamp.size else { return nil }
        do throws(SystemFailure) {
            guard try storage.status(of: name, in: folder).kind == .file else { return nil }
            file = try storage.openFile(name, in: folder)
            guard FileStatusStamp(try storage.status(of: file)) == stamp else { return nil }
        } catch { return nil }
        self.stamp = stamp
        self.storage = storage
        self.threads = threads
    }

    /// True if the whole file has this digest. Blocks.
    func hasContent(_ digest: ContentDigest, _ look: FileLook) -> Bool {
        (try? look.digest(of: file, size: size)) == digest
    }

    /// Reads a range.
    ///
    /// - Returns: nil if the file is another one than when it was opened, or cannot be read.
    package func read(_ range: Range<UInt64>) async -> [UInt8]? {
        await threads.run {
            var bytes: [UInt8] = []
            bytes.reserveCapacity(range.count)
            while bytes.count < range.count {
                guard
                    let more = try? storage.read(
                        file, at: range.lowerBound + UInt64(bytes.count), count: range.count - bytes.count),
                    !more.isEmpty
                else { return nil }
                bytes += more
            }
            guard let status = try? storage.status(of: file), let now = FileStatusStamp(status) else { return nil }
            return now.isSameContent(as: stamp) ? bytes : nil
        }
    }
}
