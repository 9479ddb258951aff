import PortolanFiles

/// Memory of a device about one repository: its writer, the text that was told, and the taken objects of others.
struct RepositoryMemory {
    private static let title = "portolan-memory 1"
    private static let fileName = "memory"
    private static let shownWord = "shown"
    private static let lackingWord = "lacking"
    private static let toldName = "told"
    private static let tellingName = "telling"

    /// Device and folder that it is of: a copy of the folder, also one that a backup brought back, has another writer.
    private let owner: String
    private(set) var writer: WriterID
    /// Text that was told last; nil if nothing was.
    private(set) var told: String?
    /// Text that a repository told of which this one is a copy.
    private(set) var earlier: String?
    /// References of other devices that are shown here, with their values.
    var shown: [RefName: ObjectName] = [:]
    /// Objects that were not here, or not with all to which they lead, after all packs had been taken again.
    var lacking: Set<ObjectName> = []
    /// Bytes of the objects' files of each writer that are in the repository.
    private(set) var taken: [WriterID: [String: UInt64]] = [:]

    /// - Parameter owner: device and folder.
    init(owner: String) {
        self.owner = owner
        writer = .random()
    }

    func taken(_ file: ObjectFile, of writer: WriterID) -> UInt64 { taken[writer]?[file.name] ?? 0 }

    mutating func take(_ file: ObjectFile, of writer: WriterID, upTo bytes: UInt64) {
        taken[writer, default: [:]][file.name] = bytes
    }

    /// Forgets what is in the repository, so that all objects are taken again.
    mutating func takeAgain() { taken = [:] }

    /// Begins to write in another folder.
    mutating func beginAgain() {
        writer = .random()
        earlier = told ?? earlier
        told = nil
    }

    // MARK: Disk

    /// - Returns: nil if there is none.
    init?(owner: String, in folder: RepositoryFolder) {
        guard let local = try? folder.local(), let text = folder.text(Self.fileName, in: local) else { return nil }
        var lines = text.split(separator: "\n")[...]
        guard lines.popFirst() == Self.title[...], let before = lines.popFirst(), let name = lines.popFirst(),
            let writer = WriterID(name)
        else { return nil }
        self.init(owner: owner)
        self.writer = writer
        for line in lines {
            let words = line.split(separator: " ")
            if words.count == 3, words[0] == Self.shownWord, let name = RefName(words[1]) {
                shown[name] = ObjectName(words[2])
                continue
            }
            if words.count == 2, words[0] == Self.lackingWord, let name = ObjectName(words[1]) {
                lacking.insert(name)
                continue
            }
            guard words.count == 3, let other = WriterID(words[0]), let bytes = UInt64(words[2]) else { return nil }
            taken[other, default: [:]][String(words[1])] = bytes
        }
        told = folder.text(Self.toldName, in: local)
        // The process may have ended before it had noted what it told.
        if let telling = folder.text(Self.tellingName, in: local), telling == folder.stateText(of: writer) {
            told = telling
        }
        if before != owner { beginAgain() }
    }

    /// Stores all but what was told.
    func store(in folder: RepositoryFolder) throws(RepositoryRefusal) {
        var lines = [Self.title, owner, writer.text]
        for (writer, files) in taken.sorted(by: { $0.key < $1.key }) {
            lines += files.sorted { $0.key < $1.key }.map { "\(writer.text) \($0.key) \($0.value)" }
        }
        lines += shown.sorted { $0.key < $1.key }.map { "\(Self.shownWord) \($0.key.text) \($0.value.text)" }
        lines += lacking.map { "\(Self.lackingWord) \($0.text)" }.sorted()
        let text = lines.map { $0 + "\n" }.joined()
        let isTold = told != nil
        try folder.disk { () throws(SystemFailure) in
            let local = try folder.local()
            if !isTold {
                for name in [Self.toldName, Self.tellingName] { try folder.storage.removeIfPresent(name, in: local) }
            }
            try folder.replace(Self.fileName, in: local, with: text, mode: 0o600)
        }
    }

    mutating func tell(_ text: String, in folder: RepositoryFolder) throws(RepositoryRefusal) {
        try store(in: folder)
        let writer = writer
        try folder.disk { () throws(SystemFailure) in
            let local = try folder.local()
            try folder.replace(Self.tellingName, in: local, with: text, mode: 0o600)
            try folder.replace(
                RepositoryState.fileName, in: folder.folder(of: writer, makes: true), with: text)
            try folder.storage.move(Self.tellingName, in: local, to: Self.toldName, in: local, .replacing)
            try folder.storage.sync(local)
        }
        told = text
    }
}
