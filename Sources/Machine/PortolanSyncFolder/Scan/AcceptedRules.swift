import Foundation
import PortolanCrypto
import PortolanFiles
import PortolanSyncPlan
import PortolanValues

/// Line of an ignore file that excludes an entry.
struct ExcludingRule: Hashable, Codable, Sendable {
    /// Inode of the folder with the file.
    var folder: UInt64
    /// ``IgnorePattern/mark`` of the line.
    var line: [UInt8]
    /// True if other names of the folders above could make the line match no more: the entry is remembered.
    var isLasting: Bool
}

/// Rules of others that exclude less than those of this device, which go on until a person agrees.
package struct HeldRules: Hashable, Sendable {
    /// Eight hexadecimal digits.
    package var mark: String
    /// Path of the ignore file in the folder, untrusted text.
    package var path: String
}

/// Rules of exclusion that this device has accepted, and the entries that they exclude.
///
/// Lines that others add count at once. Lines that others take away, and negated ones that they add, wait for a person.
/// A change that a person makes here counts once it has stayed for two seconds: editors remove a file, or empty it,
/// before they write it. The rules lie in the control folder, so that no member reaches them.
struct AcceptedRules: Hashable, Codable, Sendable {
    struct File: Hashable, Codable, Sendable {
        /// Text that counts.
        var text: [UInt8] = []
        var path: String
        var next: Next?
    }

    /// Text that is in the place of the one that counts.
    struct Next: Hashable, Codable, Sendable {
        var text: [UInt8]
        var isOwn: Bool
        var since: Int64
    }

    /// By inodes of folders.
    private(set) var files: [UInt64: File] = [:]
    /// Rules by which entries are excluded, by inodes of their folders and names.
    private(set) var excluded: [UInt64: [String: ExcludingRule]] = [:]
    /// Marks of lines that count, by inodes of folders; not stored.
    private var lines: [UInt64: Set<[UInt8]>] = [:]
    /// Number of remembered entries; not stored.
    private var count = 0

    /// Names that a person here has taken out of the folder; nil for none, as in the files of earlier versions.
    var forgotten: [ForgottenNames]?

    private enum CodingKeys: CodingKey { case files, excluded, forgotten }

    static let empty = AcceptedRules()
    /// Name for a folder itself, which was synchronized before it was excluded.
    static let itself = ""
    static let settleSeconds: Int64 = 2
    private static let mostFiles = 1024
    private static let mostBytes = 1 << 20
    private static let mostExcluded = 65_536

    /// Takes note of the ignore file in a folder.
    ///
    /// - Parameters:
    ///   - isBelowRules: true if rules of folders above count in it.
    ///   - isOwn: tells whether a person has changed it here.
    ///   - confirmed: marks of rules of others to which a person has agreed.
    /// - Returns: false if there are too many rules.
    mutating func take(
        _ text: [UInt8], in folder: UInt64, at path: String, isBelowRules: Bool, confirmed: Set<String>, now: Int64,
        isOwn: () throws(SyncError) -> Bool
    ) throws(SyncError) -> Bool {
        let before = files[folder]
        if before == nil, text.isEmpty { return true }
        guard before != nil || files.count < Self.mostFiles else { return false }
        let bytes = files.reduce(text.count) { $0 + ($1.key == folder ? 0 : $1.value.text.count) }
        guard bytes <= Self.mostBytes else { return false }
        var file = before ?? File(path: path)
        file.path = path
        let isMore = IgnoreRules.extend(
            IgnoreRules.patterns(of: text), IgnoreRules.patterns(of: file.text),
            mayInclude: before == nil && !isBelowRules)
        if isMore || confirmed.contains(Self.mark(text, in: folder)) {
            file.text = text
            file.next = nil
        } else if let next = file.next, !next.isOwn {
            file.next?.text = text
        } else if let next = file.next, next.text == text, next.since <= now {
            if now - next.since >= Self.settleSeconds {
                file.text = text
                file.next = nil
            }
        } else {
            file.next = Next(text: text, isOwn: try isOwn(), since: now)
        }
        files[folder] = file.text.isEmpty && file.next == nil ? nil : file
        if file.text != before?.text { lines[folder] = Self.lines(of: file) }
        return true
    }

    /// True if a change by a person here does not count yet.
    var isSettling: Bool { files.values.contains { $0.next?.isOwn == true } }

    /// Rules of others that wait for a person.
    var held: [HeldRules] {
        files.compactMap { folder, file in
            guard let next = file.next, !next.isOwn else { return nil }
            return HeldRules(mark: Self.mark(next.text, in: folder), path: file.path)
        }.sorted { $0.path < $1.path }
    }

    private static func mark(_ text: [UInt8], in folder: UInt64) -> String {
        Hexadecimal.text(sha256([withUnsafeBytes(of: folder.bigEndian, Array.init), text]).prefix(4))
    }

    // MARK: Entries

    /// Remembers by which rule an entry is excluded.
    mutating func keep(_ rule: ExcludingRule, for name: String, in folder: UInt64) {
        guard rule.isLasting, excluded[folder]?[name] != rule else { return }
        let isNew = excluded[folder]?[name] == nil
        guard count < Self.mostExcluded || !isNew else { return }
        excluded[folder, default: [:]][name] = rule
        if isNew { count += 1 }
    }

    /// True if the line is still among the rules that count.
    func hasRule(_ rule: ExcludingRule) -> Bool { lines[rule.folder]?.contains(rule.line) ?? false }

    private static func lines(of file: File) -> Set<[UInt8]> { Set(IgnoreRules.patterns(of: file.text).map(\.mark)) }

    /// Forgets folders that are gone.
    mutating func forget(except folders: Set<UInt64>) {
        dropReplaced(folders)
        guard !folders.isSuperset(of: files.keys) || !folders.isSuperset(of: excluded.keys) else { return }
        files = files.filter { folders.contains($0.key) }
        excluded = excluded.filter { folders.contains($0.key) }
        derive()
    }

    /// Makes anew what is not stored.
    mutating func derive() {
        lines = files.mapValues { Self.lines(of: $0) }
        count = excluded.values.reduce(0) { $0 + $1.count }
    }
}

extension ControlFolder {
    private static let rulesName = "rules"
    private static let mostRulesBytes = 256 << 20

    /// Reads the accepted rules; none before the first are stored.
    func acceptedRules() throws(SyncError) -> AcceptedRules {
        do throws(SystemFailure) {
            let file = try storage.openFile(Self.rulesName, in: folder)
            let size = try storage.status(of: file).size
            let bytes = try storage.read(file, at: 0, count: Int(min(size, UInt64(Self.mostRulesBytes))))
            if var rules = try? JSONDecoder().decode(AcceptedRules.self, from: Data(bytes)) {
                rules.derive()
                return rules
            }
        } catch {
            if error.number == ENOENT { return .empty }
            throw .folder(error, "read the rules of the folder")
        }
        throw SyncError(
            .folder(SystemFailure(EIO)),
            "The file “\(Self.name)/\(Self.rulesName)” is damaged; without it, the rules of exclusion count as they are now."
        )
    }

    /// Stores the accepted rules.
    func write(_ rules: AcceptedRules) throws(SyncError) {
        guard let text = try? JSONEncoder().encode(rules) else {
            preconditionFailure("Texts and numbers are plain data")
        }
        do throws(SystemFailure) {
            try replace(Self.rulesName, with: Array(text))
        } catch { throw .folder(error, "write the rules of the folder") }
    }
}
