import PortolanConcurrency
import PortolanFiles
import PortolanSyncPlan

/// Small contents that arrive with the changes that name them.
extension FolderReplica {
    /// Largest number of versions of the latest changes that are sampled to decide if contents are of use.
    private static let samples = 256

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

    /// Stores contents that arrived with changes, for the next synchronization.
    ///
    /// - Parameters:
    ///   - contents: verified contents by their digests.
    ///   - news: the changes with which they arrived.
    ///   - largest: largest size of one of them, in bytes.
    /// - Returns: true if contents with further changes are likely to be of use, because most contents of these
    ///   changes were missing here.
    package func keep(
        _ contents: [ContentDigest: [UInt8]], of news: Announcement, upTo largest: Int
    ) async throws -> Bool {
        try await exclusively { replica in
            let named = news.records.flatMap { $0.smallContents(upTo: largest) }.suffix(Self.samples)
            let new = try replica.index.read { index in
                named.filter { !replica.carried.has($0.digest) && !index.mayHave($0.digest) }
            }
            if !contents.isEmpty { replica.carried.keep(contents, in: try replica.openFolder().control) }
            return new.count * 2 >= named.count
        }
    }

    /// Returns verified contents of the folder or its history. Contents that are missing or were changed are omitted.
    package func contents(_ all: [SmallContents.Content]) async throws -> [[UInt8]] {
        try await Self.threads.run {
            var found: [[UInt8]] = []
            for one in all {
                try Task.checkCancellation()
                guard let source = try self.openContent(one.digest),
                    let bytes = try? await source.read(at: 0, count: one.size), bytes.count == one.size,
                    FileLook.digest([bytes]) == one.digest
                else { continue }
                found.append(bytes)
            }
            return found
        }
    }
}
