import PortolanConcurrency
import PortolanFiles
import PortolanSyncModel

/// Small contents that come with the changes that name them.
extension FolderReplica {
    /// Versions of the latest changes by which is told whether contents are of use.
    private static let samples = 256

    /// Whether contents that come with changes can be of use here: steps use them, and there is room for them.
    ///
    /// - Parameters:
    ///   - fromStart: the changes are the member's first ones. Files may be in the folder of which the index knows nothing yet: their
    ///     contents need not come.
    ///   - bytes: size of the largest answer.
    package func takesContents(fromStart: Bool, bytes: UInt64) async throws -> Bool {
        guard ways.mode != .sendOnly else { return false }
        return try await exclusively { replica in
            let folder = try replica.openFolder()
            let free = folder.root.freeSpace() ?? .max
            guard replica.carried.mayTake(bytes: bytes, free: free) else { return false }
            guard fromStart, try replica.index.identity()?.entries ?? 0 == 0 else { return true }
            do throws(SystemFailure) { return try replica.opener.isEmpty(folder.root) } catch { return false }
        }
    }

    /// Keeps contents that came with changes for the next synchronization, which uses them up.
    ///
    /// - Parameters:
    ///   - contents: verified, by their digests.
    ///   - news: the changes that they came with.
    ///   - largest: most bytes that one of them may have.
    /// - Returns: whether those that come with further changes are likely to be of use: most of what these changes name was not here.
    package func keep(
        _ contents: [ContentDigest: [UInt8]], of news: Announcement, upTo largest: Int
    ) async throws -> Bool {
        try await exclusively { replica in
            let named = news.records.flatMap { $0.smallContents(upTo: largest) }.suffix(Self.samples)
            let new = try replica.index.look { index in
                named.filter { !replica.carried.has($0.digest) && !index.mayHave($0.digest) }
            }
            if !contents.isEmpty { replica.carried.keep(contents, in: try replica.openFolder().control) }
            return new.count * 2 >= named.count
        }
    }

    /// Contents that are in the folder or in its history, whole and verified. Those that cannot be had, or were changed, are left out.
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
