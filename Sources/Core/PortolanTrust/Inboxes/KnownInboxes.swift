import Foundation
import Synchronization

/// Folders into which this device has received, so that interrupted items in them can be listed later.
///
/// Several processes may share the file; see ``CachedFile`` for the detection of changes. The calls block until the
/// disk answers.
package final class KnownInboxes: Sendable {
    /// Largest number of folders; those used longest ago are dropped.
    private static let capacity = 64
    static let fileName = "inboxes"
    private static let lockName = "inboxes.lock"
    private static let sizeLimit = 512 << 10

    private let directoryPath: String
    private let cached = Mutex(CachedFile<[String]>())

    package init(home: HomeDirectory) { directoryPath = home.state }

    /// Returns the folders, the last used first; none if the file is missing or damaged.
    package func all() throws(StoreError) -> [String] {
        guard let directory = try PrivateDirectory(existing: directoryPath) else { return [] }
        return try all(in: directory)
    }

    /// - Parameter inbox: absolute path of the folder.
    package func remember(_ inbox: String) throws(StoreError) {
        // The list mostly stays the same: a check without the lock comes first.
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

    /// Reads the list. Receiving makes it again, so a damaged file counts as an empty one.
    private static func load(from directory: borrowing PrivateDirectory) throws(StoreError) -> [String] {
        guard let file = try directory.readHints(fileName, limit: sizeLimit) else { return [] }
        return (try? JSONDecoder().decode([String].self, from: Data(file))) ?? []
    }
}
