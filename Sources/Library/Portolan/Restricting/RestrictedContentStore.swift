/// Records of restricted content that this device has received: at most 65,536 files; the oldest are dropped first.
///
/// Records lie in up to eight files that are numbered by age. New records go into the newest file, which is replaced as
/// a whole; full files do not change, so that the cost of a new record is independent of the number of records.
struct RestrictedContentStore: Sendable {
    private static let folder = "restricted"
    private static let lock = "lock"
    static let recordsPerFile = 8192
    private static let fileLimit = 8
    /// Bytes of a file; long audiences fill one before its records do.
    static let bytesPerFile = 2 << 20

    private let path: String

    init(home: HomeDirectory) { path = home.state + "/" + Self.folder }

    /// True if there are no records, by a look at the folder. May block briefly.
    var isEmpty: Bool {
        guard let folder = try? PrivateDirectory(existing: path), let numbers = try? Self.numbers(in: folder) else {
            return true
        }
        return numbers.isEmpty
    }

    /// Returns all remembered content; none if the store cannot be read.
    func contents() -> RestrictedContents {
        guard let folder = try? PrivateDirectory(existing: path), let numbers = try? Self.numbers(in: folder) else {
            return RestrictedContents([])
        }
        return RestrictedContents(numbers.flatMap { (try? Self.read($0, in: folder)) ?? [] })
    }

    /// Adds new records. May block.
    func remember(_ contents: [RestrictedContent]) throws(StoreError) {
        guard !contents.isEmpty else { return }
        try PrivateDirectory(path: path).withLock(Self.lock) { folder throws(StoreError) in
            var numbers = try Self.numbers(in: folder)
            var known: Set<RestrictedContent> = []
            for number in numbers { known.formUnion(try Self.read(number, in: folder)) }
            var youngest = numbers.last ?? 1
            var records = numbers.isEmpty ? [] : try Self.read(youngest, in: folder)
            if numbers.isEmpty { numbers = [youngest] }
            var bytes = records.flatMap(\.record)
            var hasChanged = false
            for content in contents where known.insert(content).inserted {
                let record = content.record
                if records.count >= Self.recordsPerFile || bytes.count + record.count > Self.bytesPerFile {
                    try folder.replace(Self.name(of: youngest), with: bytes)
                    youngest += 1
                    numbers.append(youngest)
                    (records, bytes) = ([], [])
                }
                records.append(content)
                bytes += record
                hasChanged = true
            }
            guard hasChanged else { return }
            try folder.replace(Self.name(of: youngest), with: bytes)
            for number in numbers.dropLast(Self.fileLimit) { _ = try folder.remove(Self.name(of: number)) }
        }
    }

    private static func name(of number: UInt64) -> String { "received-\(number)" }

    /// The files there are, the oldest first.
    private static func numbers(in folder: borrowing PrivateDirectory) throws(StoreError) -> [UInt64] {
        try folder.names().compactMap { name in
            guard let number = UInt64(name.dropFirst("received-".count)), self.name(of: number) == name else {
                return nil
            }
            return number
        }.sorted()
    }

    private static func read(
        _ number: UInt64, in folder: borrowing PrivateDirectory
    ) throws(StoreError) -> [RestrictedContent] {
        RestrictedContent.records(in: try folder.read(name(of: number), limit: bytesPerFile) ?? [])
    }
}
