import Foundation
import PortolanTrust
import PortolanValues
import Synchronization

/// List of the synchronized folders of this device, and their last status.
///
/// Several processes may share the files. The calls block until the disk answers.
package final class SyncFolderList: Sendable {
    /// Status of a folder, written by the process that synchronizes it.
    package struct Status: Hashable, Codable, Sendable {
        /// Sentences for people; safe to print.
        package var waits: [String] = []
        /// Changes of ``waits``, with paths and reasons.
        package var lacks: [SyncLack]?
        /// Files and folders of this device that are not kept alike.
        package var skipped: [SyncLack]?
        /// Names, for `portolan sync confirm`, of ignore files that others have changed so that they exclude less.
        package var rules: [String]?
        /// Large deletions that wait for a person.
        package var deletions: [SyncHeldDeletion]?
        /// Paths of second versions of files.
        package var conflicts: [String]?
        /// Files and folders that came from removed members after their removal was signed.
        package var sinceRemoval: [SyncLack]?
        /// Contents that are being fetched, and those that go to others.
        package var coming: SyncComing?
        package var going: [SyncGoing]?
        /// Lacks of other members, as they told last.
        package var others: [SyncOtherLack]?
        /// Machines with the keys of members that stand still, because several machines have them.
        package var machines: [KeyMachine]?
        /// True if the folder stands still, because another machine has the key of this device.
        package var isCopied: Bool?
        /// True if the folder was ever kept alike with another device.
        package var hasMet: Bool?
        /// Devices with which the folder was synchronized at the time of writing.
        package var peers: [String] = []
        /// Reason why the folder is not synchronized; safe to print.
        package var problem: String?
        /// Effects of this device's mode, as sentences; safe to print.
        package var notes: [String]?
        /// Paths of changes by persons that are not announced.
        package var untold: [String]?
        /// Reason why the folder is read every few seconds instead of being watched; safe to print.
        package var unwatched: String?

        package init() {}
    }

    private struct Body: Codable {
        var folders: [SyncFolderEntry]
    }

    private static let form = DocumentForm("portolan folders kept alike", versions: 1...1)
    private static let fileName = "folders"
    private static let lockName = "folders.lock"
    static let sizeLimit = 16 << 20
    /// Largest number of folders of a device.
    package static let capacity = 256

    let home: HomeDirectory
    private let cached = Mutex(CachedFile<[SyncFolderEntry]>())

    package init(home: HomeDirectory) { self.home = home }

    var directoryPath: String { home.state + "/sync" }

    /// The folders as last read; nil if the list has changed since, or was not read. One system call.
    var unchanged: [SyncFolderEntry]? {
        cached.withLock { $0.value(ifUnchangedAt: directoryPath + "/" + Self.fileName) }
    }

    /// Returns all folders, in the order in which they were added. The file is read only if it has changed.
    package func all() throws(StoreError) -> [SyncFolderEntry] {
        if let unchanged { return unchanged }
        guard let directory = try PrivateDirectory(existing: directoryPath) else { return [] }
        return try cached.withLock { cached throws(StoreError) in
            try cached.value(of: Self.fileName, in: directory) { directory throws(StoreError) in
                try load(from: directory)
            }
        }
    }

    /// Changes the list under a lock of all processes.
    ///
    /// - Throws: `StoreError`, and the error of `body`.
    @discardableResult
    package func change<Result>(_ body: (inout [SyncFolderEntry]) throws -> Result) throws -> Result {
        var outcome: Swift.Result<Result, any Error>?
        try PrivateDirectory(path: directoryPath).withLock(Self.lockName) { directory throws(StoreError) in
            let before = try load(from: directory)
            var folders = before
            do {
                outcome = .success(try body(&folders))
            } catch {
                outcome = .failure(error)
                return
            }
            guard folders != before else { return }
            guard folders.count <= Self.capacity else {
                throw StoreError(
                    .full(reason: "it has \(Self.capacity) folders"), path: directory.path(of: Self.fileName))
            }
            let text = Self.form.text(of: Body(folders: folders))
            guard text.count <= Self.sizeLimit else {
                throw StoreError(
                    .full(reason: "it would have more than \(Self.sizeLimit) bytes"),
                    path: directory.path(of: Self.fileName))
            }
            try directory.replace(Self.fileName, with: text)
        }
        guard let outcome else { preconditionFailure("The change was made") }
        return try outcome.get()
    }

    /// Returns the path of the index of a folder, and creates its directory.
    package func index(of entry: SyncFolderEntry) throws(StoreError) -> String {
        let directory = try PrivateDirectory(path: directoryPath)
        return directory.path(of: entry.local + ".sqlite")
    }

    /// Returns the status of a folder; nil if it was never synchronized.
    package func status(of entry: SyncFolderEntry) throws(StoreError) -> Status? {
        try hints(Self.statusName(entry))
    }

    /// Stores the status of a folder: of long lists the beginning, as far as a reader takes it.
    package func set(_ status: Status, of entry: SyncFolderEntry) throws(StoreError) {
        var status = status
        var text = Self.text(status)
        while text.count > Self.sizeLimit, status.hasLists {
            status.halveLists()
            text = Self.text(status)
        }
        try PrivateDirectory(path: directoryPath).replace(Self.statusName(entry), with: text)
    }

    /// Reads a file that the next round of work makes again; nil if it is missing or spoiled.
    func hints<Value: Decodable>(_ name: String) throws(StoreError) -> Value? {
        guard let directory = try PrivateDirectory(existing: directoryPath),
            let text = try directory.readHints(name, limit: Self.sizeLimit)
        else { return nil }
        return try? JSONDecoder().decode(Value.self, from: Data(text))
    }

    private static func statusName(_ entry: SyncFolderEntry) -> String { entry.local + ".status" }

    static func text(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let text = try? encoder.encode(value) else { preconditionFailure("Texts and numbers are plain data") }
        return Array(text) + [UInt8(ascii: "\n")]
    }

    private func load(from directory: borrowing PrivateDirectory) throws(StoreError) -> [SyncFolderEntry] {
        guard let text = try directory.read(Self.fileName, limit: Self.sizeLimit) else { return [] }
        let path = directory.path(of: Self.fileName)
        let document = try translating(Self.form.read(Body.self, from: text).body) { (error: DocumentDefect) in
            StoreError(.damaged(reason: error.clause("a list of folders kept alike")), path: path)
        }
        guard document.folders.allSatisfy(\.isPlausible), document.folders.count <= Self.capacity,
            Set(document.folders.map(\.local)).count == document.folders.count
        else { throw StoreError(.damaged(reason: "a folder in it is none"), path: path) }
        return document.folders
    }
}
