import Foundation
import PortolanCrypto
import PortolanValues
import Synchronization

/// The files behind a ``TeamStore``: `teams/IDENTIFIER.team`, and `teams/default` with the identifier of one of them.
/// Contents that were read are cached.
final class TeamFiles: Sendable {
    static let defaultName = "default"
    private static let lockName = "lock"
    private static let fileEnding = ".team"

    private let dataPath: String
    private let own: PinnedKey?
    private let cache = Mutex(TeamCache())
    /// State of the parent directory at the time when it had no directory for teams.
    private let emptyData = Mutex<DirectoryMark?>(nil)
    private var directoryPath: String { Self.directoryPath(in: dataPath) }

    static func directoryPath(in data: String) -> String { data + "/teams" }

    /// - Parameter own: the key of this device; nil takes for each team the key with which this device joined it.
    init(home: HomeDirectory, own: PinnedKey?) {
        dataPath = home.data
        self.own = own
    }

    /// Opens the directory; `nil` if there are no teams.
    func open() throws(StoreError) -> PrivateDirectory? {
        // Another user who can write to the parent directory could replace this one, so the parent is checked first.
        guard try PrivateDirectory(existing: dataPath) != nil else { return nil }
        return try PrivateDirectory(existing: directoryPath)
    }

    /// Runs `body` with the lock of all processes.
    func locked<Success>(_ body: (borrowing PrivateDirectory) throws -> Success) throws(TeamError) -> Success {
        do {
            _ = try PrivateDirectory(path: dataPath)
            return try PrivateDirectory(path: directoryPath).withLock(Self.lockName) { directory throws(StoreError) in
                try directory.removeLeftovers { $0 == Self.defaultName || Self.identifier($0) != nil }
                do {
                    return Result<Success, any Error>.success(try body(directory))
                } catch {
                    return .failure(error)
                }
            }.get()
        } catch {
            throw TeamError(error)
        }
    }

    static func fileName(_ id: TeamID) -> String { "\(id)\(fileEnding)" }

    /// Returns the team of a file; `nil` for a file of another kind.
    static func identifier(_ fileName: String) -> TeamID? {
        guard fileName.hasSuffix(fileEnding) else { return nil }
        // Each team has one file: identifiers are read in either case, but written in one.
        return TeamID(String(fileName.dropLast(fileEnding.count))).flatMap { self.fileName($0) == fileName ? $0 : nil }
    }

    func identifiers(in directory: borrowing PrivateDirectory) throws(StoreError) -> [TeamID] {
        try cache.withLock { cache throws(StoreError) in try cache.identifiers(in: directory) }
    }

    func record(_ id: TeamID, in directory: borrowing PrivateDirectory) throws(StoreError) -> TeamRecord? {
        try cache.withLock { cache throws(StoreError) in try cache.record(id, in: directory)?.record }
    }

    /// Returns the chosen team, even if this device was removed from it.
    func chosen(in directory: borrowing PrivateDirectory) throws(StoreError) -> TeamID? {
        try cache.withLock { cache throws(StoreError) in try cache.chosen(in: directory) }
    }

    /// Returns every team, under one lock, so that a later answer is never older than an earlier one.
    func records() throws(StoreError) -> [IndexedRecord] {
        if let records = cache.withLock({ $0.records(ifUnchangedIn: directoryPath) }) { return records }
        let data = DirectoryMark(path: dataPath)
        if data != nil, emptyData.withLock(\.self) == data, try CachedFileStamp.of(directoryPath) == nil { return [] }
        guard let directory = try open() else {
            emptyData.withLock { $0 = data }
            return []
        }
        return try cache.withLock { cache throws(StoreError) in try cache.records(in: directory) }
    }

    /// Returns every team, ordered by name.
    func teams(in directory: borrowing PrivateDirectory) throws(StoreError) -> [StoredTeam] {
        let (records, chosen) = try cache.withLock { cache throws(StoreError) in
            (try cache.records(in: directory), try cache.chosen(in: directory))
        }
        return stored(records.map(\.record), chosen: chosen)
    }

    static func readIdentifiers(in directory: borrowing PrivateDirectory) throws(StoreError) -> [TeamID] {
        let all = try directory.names().compactMap(identifier)
        guard all.count <= TeamStore.capacity else {
            throw StoreError(
                .full(reason: "it holds \(all.count) teams, and \(TeamStore.capacity) can be used"),
                path: directory.path,
                remedy: "Move away the files of those that you need least.")
        }
        return all
    }

    static func readRecord(_ id: TeamID, in directory: borrowing PrivateDirectory) throws(StoreError) -> TeamRecord? {
        let name = fileName(id)
        guard let contents = try directory.readSecret(name, limit: TeamDocument.sizeLimit) else { return nil }
        let reason: String
        do {
            let document = try TeamDocument.parse(contents)
            if document.team == id {
                let record = try TeamRecord(document)
                if record.heads.team.id == id { return record }
            }
            reason = "it holds another team than its name says"
        } catch let error as StoreDefect {
            reason = error.reason
        } catch {
            reason = "what is in it is no team (\(error))"
        }
        throw StoreError(
            .damaged(reason: reason), path: directory.path(of: name),
            remedy: "Put back a copy of it, or leave the team and have yourself invited again.",
            advice: .leaveTeam(id))
    }

    /// Adds a new team.
    func add(
        _ record: TeamRecord, beside others: [StoredTeam], in directory: borrowing PrivateDirectory
    ) throws(StoreError) -> StoredTeam {
        guard others.count < TeamStore.capacity else {
            throw StoreError(
                .full(reason: "it holds \(others.count) teams"), path: directory.path,
                remedy: "Leave one of them first.")
        }
        // A single team is the default without a file. It stays the default when another team is added.
        if try chosen(in: directory) == nil, let only = others.first(where: \.isDefault) {
            try writeDefault(only.id, in: directory)
        }
        return try save(record, in: directory)
    }

    func save(_ record: TeamRecord, in directory: borrowing PrivateDirectory) throws(StoreError) -> StoredTeam {
        let id = record.heads.team.id
        try directory.replace(Self.fileName(id), with: record.document.text)
        return StoredTeam(record, device: own ?? record.device, isDefault: isDefault(id, in: directory))
    }

    /// Returns the default after a change. The change is done, so errors in other files are left to later readers.
    private func isDefault(_ id: TeamID, in directory: borrowing PrivateDirectory) -> Bool {
        let all = (try? identifiers(in: directory)) ?? []
        if let chosen = try? chosen(in: directory), all.contains(chosen) { return chosen == id }
        for other in all where other != id {
            guard let record = try? record(other, in: directory), !record.isMember else { return false }
        }
        return true
    }

    func remove(_ id: TeamID) throws(StoreError) -> Bool {
        guard try open() != nil else { return false }
        return try PrivateDirectory(path: directoryPath).withLock(Self.lockName) { directory throws(StoreError) in
            let wasThere = try directory.remove(Self.fileName(id))
            if wasThere, (try? chosen(in: directory)) == id { _ = try directory.remove(Self.defaultName) }
            return wasThere
        }
    }

    func writeDefault(_ id: TeamID, in directory: borrowing PrivateDirectory) throws(StoreError) {
        try directory.replace(Self.defaultName, with: Array("\(id)\n".utf8))
    }

    static func readChosen(in directory: borrowing PrivateDirectory) throws(StoreError) -> TeamID? {
        guard let contents = try directory.read(defaultName, limit: 64) else { return nil }
        guard contents.last == UInt8(ascii: "\n"),
            let id = TeamID(String(decoding: contents.dropLast(), as: UTF8.self))
        else {
            throw StoreError(
                .damaged(reason: "it does not name a team"), path: directory.path(of: defaultName),
                remedy: "Move it away, then choose again.", advice: .chooseTeam)
        }
        return id
    }

    /// - Parameter chosen: identifier in the file. Without it a single team is the default. If this device was
    ///   removed from the chosen team, there is no default until a person chooses, so that items do not go to another
    ///   team.
    private func stored(_ records: [TeamRecord], chosen: TeamID?) -> [StoredTeam] {
        let teams = records.map { StoredTeam($0, device: own ?? $0.device, isDefault: false) }
        let usable = teams.filter { !$0.isRemoved }
        let isThere = teams.contains { $0.id == chosen }
        let fallback = usable.count == 1 ? usable[0].id : nil
        let defaultID = isThere ? chosen : fallback
        return zip(records, teams).map { record, team in
            team.id == defaultID ? StoredTeam(record, device: own ?? record.device, isDefault: true) : team
        }.sorted { ($0.team.name, $0.id) < ($1.team.name, $1.id) }
    }
}
