import Portolan

/// Space where items are stored.
struct DiskFacts: Sendable, Hashable {
    /// Inbox folder, or the nearest existing folder above it.
    var folder: String
    /// Bytes and files that this user can add; nil for files where the file system has no such limit.
    var freeBytes: UInt64
    var freeFiles: UInt64?
    var canWrite = true
    /// Bytes that receiving leaves free.
    var reserve: UInt64
}

/// A file or folder of this device's state.
struct StateFacts: Sendable, Hashable {
    enum Outcome: Sendable, Hashable {
        case absent
        case unreadable(String)
        /// - Parameters:
        ///   - permissions: the twelve bits.
        ///   - isOwn: true if it belongs to this user.
        case present(permissions: UInt32, isOwn: Bool)
    }

    var path: String
    var outcome: Outcome
}

enum StorageJudgement {
    /// Less is worth a remark: one large file fills it.
    private static let scarce: UInt64 = 1 << 30
    /// Fewer files than one folder of a project has.
    private static let scarceFiles: UInt64 = 10_000

    static func finding(_ facts: DiskFacts) -> Finding {
        let probe = "disk"
        let free = Human.size(facts.freeBytes)
        let place = "“\(facts.folder)”"
        guard facts.canWrite else {
            return Finding(
                probe, .fail(.disk), "\(place) cannot be written to.",
                advice: "Give it to this user, or choose another folder with --into or 'inbox' in the configuration.")
        }
        guard facts.freeBytes > facts.reserve else {
            return Finding(
                probe, .fail(.disk),
                "\(free) free at \(place), and receiving leaves \(Human.size(facts.reserve)) free.",
                advice: "Delete something there, choose another folder with --into, or lower --reserve.")
        }
        if let files = facts.freeFiles, files < 100 {
            return Finding(
                probe, .fail(.disk),
                "\(files) more files fit at \(place), though \(free) are free: no inodes are left.",
                advice: "Delete small files there ('df -i' shows it), or choose another folder with --into.")
        }
        if facts.freeBytes < scarce {
            return Finding(
                probe, .warn, "\(free) free at \(place).", advice: "Large items will not fit; see 'df -h'.")
        }
        if let files = facts.freeFiles, files < scarceFiles {
            return Finding(
                probe, .warn, "\(files) more files fit at \(place).", advice: "Large folders will not; see 'df -i'.")
        }
        return Finding(probe, .ok, "\(free) free at \(place).")
    }

    static func findings(_ all: [StateFacts]) -> [Finding] {
        let faults = all.compactMap(fault)
        guard faults.isEmpty else { return faults }
        let isNew = all.allSatisfy { $0.outcome == .absent }
        return [
            Finding(
                "state", .ok,
                isNew ? "nothing is there yet; the first start makes a key." : "the key and the state are private.")
        ]
    }

    private static func fault(_ facts: StateFacts) -> Finding? {
        let place = "“\(facts.path)”"
        switch facts.outcome {
        case .absent: return nil
        case .unreadable(let reason):
            return Finding(
                "state", .fail(.state), "\(place) cannot be read: \(reason).",
                advice: "Give it back to this user, or choose another home with --home.")
        case .present(_, isOwn: false):
            return Finding(
                "state", .fail(.state), "\(place) belongs to another user.",
                advice: "Run Portolan as its owner, or choose another home with --home.")
        case .present(let permissions, _) where permissions & 0o077 != 0:
            return Finding(
                "state", .fail(.state), "others can reach \(place) (mode \(String(permissions, radix: 8))).",
                advice: "Run: chmod go= \(facts.path)")
        case .present: return nil
        }
    }
}
