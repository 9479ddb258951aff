import PortolanConcurrency
import PortolanFiles
import PortolanSyncPlan

/// Small contents that arrive with the changes that name them.
extension FolderReplica {
    /// Largest number of versions of the latest changes that are sampled to decide if contents are of use.
    private static let samples = 256
    /// Largest number of contents that are open at once to be sent.
    private static let openAtOnce = 64

    /// True if contents that arrive with changes can be of use: steps use them, and there is room for them.
    ///
    /// - Parameter bytes: their size.
    package func takesContents(bytes: UInt64) async throws -> Bool {
        guard ways.mode != .sendOnly else { return false }
        return try await exclusively { replica in
            let free = try replica.openFolder().root.freeSpace() ?? .max
            return replica.carried.mayTake(bytes: bytes, free: free)
        }
    }

    /// Files and folders before the first changes of a member.
    package enum Filling: Sendable {
        case empty
        case known
        /// The folder has files that the index does not know yet.
        case unknown
    }

    package func filling() async throws -> Filling {
        try await exclusively { replica in
            let folder = try replica.openFolder()
            if try replica.index.identity()?.hasEntries == true { return .known }
            return (try? replica.opener.isEmpty(folder.root)) == true ? .empty : .unknown
        }
    }

    /// True if contents with further changes are likely to be of use, because most contents of these changes are
    /// missing here.
    ///
    /// - Parameter largest: largest size of a content that comes with changes, in bytes.
    package func lacksContents(of news: Announcement, upTo largest: Int) async throws -> Bool {
        let named = news.records.flatMap { $0.smallContents(upTo: largest) }.suffix(Self.samples)
        return try await exclusively { replica in
            let new = try replica.index.read { index in
                named.filter { !replica.carried.has($0.digest) && !index.mayHave($0.digest) }
            }
            return new.count * 2 >= named.count
        }
    }

    /// Stores verified contents that arrived with changes, for the next synchronization.
    package func keep(_ contents: [ContentDigest: [UInt8]]) async throws {
        guard !contents.isEmpty else { return }
        try await exclusively { replica in
            replica.carried.keep(contents, in: try replica.openFolder().control)
        }
    }

    /// Returns verified contents of the folder or its history. Contents that are missing or were changed are omitted.
    package func contents(_ all: [SmallContents.Content]) async throws -> [[UInt8]] {
        try await Self.threads.run {
            var found: [[UInt8]] = []
            var rest = all[...]
            while !rest.isEmpty {
                let part = rest.prefix(Self.openAtOnce)
                rest = rest.dropFirst(part.count)
                for (one, source) in zip(part, try self.openContents(of: part.map(\.digest))) {
                    try Task.checkCancellation()
                    guard let bytes = try? await source?.read(at: 0, count: one.size), bytes.count == one.size,
                        FileLook.digest(bytes) == one.digest
                    else { continue }
                    found.append(bytes)
                }
            }
            return found
        }
    }
}
