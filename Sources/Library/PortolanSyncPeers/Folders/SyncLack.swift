import PortolanValues

/// Difference of a folder from those of the other members that remains for now.
package struct SyncLack: Hashable, Codable, Sendable {
    /// Path in the folder, untrusted text; nil if no single file is meant.
    package var path: String?
    /// Sentence; safe to print.
    package var reason: String
    /// True if it remains until a person changes something.
    package var needsPerson: Bool

    /// Sentence with the path; safe to print.
    package var sentence: String { path.map { "“\(DisplayText($0, limit: 4096))”: \(reason)" } ?? reason }
}

/// Large deletion that waits for a person.
package struct SyncHeldDeletion: Hashable, Codable, Sendable {
    /// Name of the deletion for `portolan sync confirm` and `reject`.
    package var mark: String
    /// Number of files and folders.
    package var count: Int
    /// True if it was made on this device, and the others are not told of it.
    package var isOwn: Bool
    /// Name of the device that made it, if it is known; safe to print.
    package var by: String?
    /// The first paths in the folder, in order; untrusted text.
    package var paths: [String]
}

/// Contents that are being fetched.
package struct SyncComing: Hashable, Codable, Sendable {
    package var files: Int
    package var bytes: UInt64
    package var doneFiles: Int
    package var doneBytes: UInt64
    /// Names of the devices that may have them; safe to print.
    package var from: [String]
}

/// Contents that go to one other device.
package struct SyncGoing: Hashable, Codable, Sendable {
    package var files: Int
    /// Bytes of the files that it fetches now, as far as their sizes are known.
    package var bytes: UInt64
    package var doneFiles: Int
    package var doneBytes: UInt64
    /// Name of the device; safe to print.
    package var to: String
}

/// Lack of another member.
package struct SyncOtherLack: Hashable, Codable, Sendable {
    /// Name of the device; safe to print.
    package var by: String
    /// Its key, in hexadecimal digits.
    package var device: String
    /// ``MemberLack/Reason`` in words.
    package var kind: String
    /// Name of a held deletion on that device.
    package var mark: String?
    /// Number of files and folders, as that device tells it.
    package var count: Int
    /// The first paths, in order, as far as this device knows them; untrusted text.
    package var paths: [String]
    /// Sentence; safe to print.
    package var reason: String
    /// True if it remains until a person changes something.
    package var needsPerson: Bool
}

extension SyncFolderList.Status {
    /// Large number of items of one kind in the file of a status, and of bytes of their paths.
    package static let mostListed = 1000
    private static let mostBytes = 512 << 10

    /// True if the folder lacks nothing that is known, nothing in it is left out, and no other member lacks anything.
    package var isAlike: Bool {
        (others ?? []).isEmpty && (lacks ?? []).isEmpty && (deletions ?? []).isEmpty && (skipped ?? []).isEmpty
            && coming == nil
    }

    var hasLists: Bool {
        ![lacks?.count, skipped?.count, deletions?.count, conflicts?.count].allSatisfy { $0 ?? 0 == 0 }
    }

    /// Drops the second halves of the lists, and of the paths in them.
    mutating func halveLists() {
        lacks = lacks.map { Array($0.prefix($0.count / 2)) }
        skipped = skipped.map { Array($0.prefix($0.count / 2)) }
        conflicts = conflicts.map { Array($0.prefix($0.count / 2)) }
        sinceRemoval = sinceRemoval.map { Array($0.prefix($0.count / 2)) }
        deletions = deletions.map { all in
            all.prefix(all.count / 2).map { one in
                var one = one
                one.paths.removeLast(one.paths.count / 2)
                return one
            }
        }
    }

    /// The first ones that fit.
    static func listed<One>(_ all: [One], _ path: (One) -> String?) -> [One] {
        var bytes = 0
        return Array(
            all.prefix(mostListed).prefix { one in
                bytes += path(one)?.utf8.count ?? 0
                return bytes <= mostBytes
            })
    }
}
