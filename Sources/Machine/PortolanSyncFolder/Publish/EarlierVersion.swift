import PortolanFiles
import PortolanSyncPlan
import PortolanValues

/// File here that is likely to have most of a content that is fetched.
struct ContentBase: Sendable {
    var file: Expectation
    /// False for another version of a conflict, which stays beside the fetched one.
    var isReplaced: Bool
}

/// File that is about to be replaced, or the other version of a conflict, open, as a source of bytes that a fetched
/// version also has.
///
/// The digest of that version verifies the result. The file may change at any time, and is not used any more then.
struct EarlierVersion: Sendable {
    /// Sizes of files, in bytes, whose next version may be fetched as a difference: a smaller file is fetched faster
    /// whole.
    static let sizes: ClosedRange<UInt64> = 256 << 10...DifferenceSizes.range.upperBound

    let file: Descriptor
    private let storage: any Storage
    private let stamp: FileStatusStamp

    /// - Parameter stamp: state of the file as it is known.
    /// - Returns: nil for a file that cannot be read or is in another state, a link, and a file of another size than
    ///   `sizes`.
    init?(_ name: String, in folder: Descriptor, _ stamp: FileStatusStamp, _ storage: any Storage) {
        guard stamp.kind == .file, Self.sizes ~= stamp.size else { return nil }
        do throws(SystemFailure) {
            guard try storage.status(of: name, in: folder).kind == .file else { return nil }
            file = try storage.openFile(name, in: folder)
            guard FileStatusStamp(try storage.status(of: file)) == stamp else { return nil }
        } catch { return nil }
        self.stamp = stamp
        self.storage = storage
    }

    /// - Parameter file: snapshot of a database, which nobody changes.
    init?(_ file: Descriptor, _ storage: any Storage) {
        guard let status = try? storage.status(of: file), let stamp = FileStatusStamp(status), Self.sizes ~= stamp.size
        else { return nil }
        self.file = file
        self.stamp = stamp
        self.storage = storage
    }

    /// True if the whole file has this digest. Blocks.
    func hasContent(_ digest: ContentDigest, _ look: FileLook) -> Bool {
        (try? look.digest(of: file, size: stamp.size)) == digest
    }

    /// True if the file is still the one that was opened.
    var isUnchanged: Bool {
        guard let status = try? storage.status(of: file) else { return false }
        return FileStatusStamp(status)?.isSameContent(as: stamp) ?? false
    }

    /// The file, for reading; nil if it is another one than when it was opened.
    var base: BaseFile? {
        isUnchanged ? BaseFile(size: stamp.size, descriptor: file, name: DisplayText("an earlier version")) : nil
    }
}
