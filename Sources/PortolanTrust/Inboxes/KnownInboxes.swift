import Foundation
import Synchronization

/// The folders that this device has received into, so that what was interrupted in them can be listed later.
///
/// Several processes may share the file; see ``CachedFile`` for how they are followed. The calls block for as long as the disk takes.
package final class KnownInboxes: Sendable {
    /// The longest ago used are forgotten beyond this.
    private static let capacity = 64
    static let fileName = "inboxes"
    private static let lockName = "inboxes.lock"
    private static let sizeLimit = 512 << 10

    private let directoryPath: String
    private let cached = Mutex(CachedFile<[String]>())

    package init(home: HomeDirectory) { directoryPath = home.state }

    /// The last one first; none where nothing was remembered, or that cannot be read.
    package func all() throws(StoreError) -> [String] {
        guard let directory = try PrivateDirectory(existing: directoryPath) else { return [] }
        return try all(in: directory)
    }

    /// - Parameter inbox: an absolute path.
    package func remember(_ inbox: String) throws(StoreError) {
        // Nothing changes most of the time: looking first leaves the lock alone.
        guard try all().first != inbox else { return }
        try PrivateDirectory(path: directoryPath).withLock(Self.lockName) { directory throws(StoreError) in
            let known = try all(in: directory)
            guard known.first != inbox else { return }
            let inboxes = [inbox] + known.filter { $0 != inbox }.prefix(Self.capacity - 1)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .withoutEscapingSlashes]
            guard let text = try? encoder.encode(inboxes) else { preconditionFailure("A list of texts is plain data") }
            try directory.replace(Self.fileName, with: Array(text) + [UInt8(ascii: "\n")])
        }
    }

    private func all(in directory: borrowing PrivateDirectory) throws(StoreError) -> [String] {
        try cached.withLock { cached throws(StoreError) in
            try cached.value(of: Self.fileName, in: directory, read: Self.load)
        }
    }

    /// It can be made again by receiving: what is damaged counts as nothing.
    private static func load(from directory: borrowing PrivateDirectory) throws(StoreError) -> [String] {
        guard let file = try directory.read(fileName, limit: sizeLimit) else { return [] }
        return (try? JSONDecoder().decode([String].self, from: Data(file))) ?? []
    }
}
