import PortolanCrypto
import PortolanValues

/// Cache of the teams' files; see ``CachedFile`` for the detection of changes.
struct TeamCache: Sendable {
    private var listed = CachedFile<[TeamID]>()
    private var standard = CachedFile<TeamID?>()
    private var files: [TeamID: CachedFile<IndexedRecord?>] = [:]

    mutating func identifiers(in directory: borrowing PrivateDirectory) throws(StoreError) -> [TeamID] {
        try listed.value(of: nil, in: directory, read: TeamFiles.readIdentifiers)
    }

    mutating func chosen(in directory: borrowing PrivateDirectory) throws(StoreError) -> TeamID? {
        try standard.value(of: TeamFiles.defaultName, in: directory, read: TeamFiles.readChosen)
    }

    mutating func record(
        _ id: TeamID, in directory: borrowing PrivateDirectory
    ) throws(StoreError) -> IndexedRecord? {
        try files[id, default: CachedFile()].value(of: TeamFiles.fileName(id), in: directory) {
            directory throws(StoreError) in
            try TeamFiles.readRecord(id, in: directory).map(IndexedRecord.init)
        }
    }

    /// Returns every team without opening a file; nil if the directory or a file has changed.
    func records(ifUnchangedIn path: String) -> [IndexedRecord]? {
        guard let identifiers = listed.value(ifUnchangedAt: path) else { return nil }
        var records: [IndexedRecord] = []
        for id in identifiers {
            guard let record = files[id]?.value(ifUnchangedAt: path + "/" + TeamFiles.fileName(id)) else { return nil }
            if let record { records.append(record) }
        }
        return records
    }

    mutating func records(in directory: borrowing PrivateDirectory) throws(StoreError) -> [IndexedRecord] {
        let identifiers = try identifiers(in: directory)
        if files.count > identifiers.count { files = files.filter { identifiers.contains($0.key) } }
        var records: [IndexedRecord] = []
        for id in identifiers {
            // A team that vanished meanwhile was left by another process.
            if let record = try record(id, in: directory) { records.append(record) }
        }
        return records
    }
}

/// A team and its members' keys by their fingerprints, which the network announces.
struct IndexedRecord: Sendable {
    let record: TeamRecord
    let keys: [Fingerprint: PinnedKey]

    init(_ record: TeamRecord) {
        self.record = record
        keys = Dictionary(
            record.heads.team.members.map { ($0.key.fingerprint, $0.key) }, uniquingKeysWith: { first, _ in first })
    }
}
