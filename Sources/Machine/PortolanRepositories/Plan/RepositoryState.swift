/// Target of a repository's head.
package enum HeadValue: Hashable, Sendable {
    case branch(RefName)
    case commit(ObjectName)

    var branch: RefName? { if case .branch(let name) = self { name } else { nil } }

    private static let mark = "ref:"

    init?(_ text: some StringProtocol) {
        if text.hasPrefix(Self.mark) {
            guard let name = RefName(text.dropFirst(Self.mark.count)) else { return nil }
            self = .branch(name)
        } else {
            guard let name = ObjectName(text) else { return nil }
            self = .commit(name)
        }
    }

    var text: String {
        switch self {
        case .branch(let name): Self.mark + name.text
        case .commit(let name): name.text
        }
    }
}

/// A file with objects for others.
struct ObjectFile: Hashable, Sendable {
    enum Kind: String, Sendable {
        /// Packs, each behind the number of its bytes.
        case frames
        /// A pack alone.
        case pack
    }

    var kind: Kind
    var number: UInt32
    var bytes: UInt64

    var name: String { "\(kind.rawValue)-\(number)" }
}

/// Text by which a device tells others of its repository (SYNC.md 6.4).
package struct RepositoryState: Hashable, Sendable {
    /// Name of its file.
    static let fileName = "state"
    static let maximumBytes = 16 << 20
    static let maximumFiles = 10_000
    private static let title = "portolan-repository 1"
    private static let end = "end"

    /// Name of the device, as it was given to itself.
    var device: String
    /// The device's name in references.
    var slug: String
    var format: ObjectFormat
    /// In the order in which they were written.
    var files: [ObjectFile] = []
    /// Nil before the first commit.
    var head: Versioned<HeadValue>?
    /// Tree of what is staged.
    var index: Versioned<ObjectName>?
    var refs: [RefName: Versioned<ObjectName?>] = [:]

    init(device: String, format: ObjectFormat) {
        self.device = device
        self.format = format
        slug = Self.slug(device)
    }

    /// Commit that the head names.
    var headCommit: ObjectName? { head.flatMap { commit(of: $0.value) } }

    func commit(of head: HeadValue) -> ObjectName? {
        switch head {
        case .branch(let name): refs[name]?.value
        case .commit(let name): name
        }
    }

    /// All objects that it names.
    var values: Set<ObjectName> {
        var values = Set(refs.values.compactMap(\.value))
        if case .commit(let name) = head?.value { values.insert(name) }
        if let index { values.insert(index.value) }
        return values
    }

    // MARK: Text

    var text: String {
        var lines = [Self.title, "device \(device)", "format \(format.rawValue)"]
        lines += files.map { "\($0.kind.rawValue) \($0.number) \($0.bytes)" }
        if let head { lines.append("head \(head.value.text) \(head.version.text)") }
        if let index { lines.append("index \(index.value.text) \(index.version.text)") }
        for (name, ref) in refs.sorted(by: { $0.key < $1.key }) {
            lines.append("ref \(ref.value?.text ?? "-") \(ref.version.text) \(name.text)")
        }
        return (lines + [Self.end, ""]).joined(separator: "\n")
    }

    /// - Returns: nil if the text is not what a device writes.
    init?(_ text: String) {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
        guard text.utf8.count <= Self.maximumBytes, lines.popFirst() == Self.title[...], lines.popLast() == "",
            lines.popLast() == Self.end[...], let device = lines.popFirst(), device.hasPrefix("device "),
            let format = lines.popFirst(), format.hasPrefix("format "),
            let format = ObjectFormat(rawValue: String(format.dropFirst(7)))
        else { return nil }
        self.init(device: String(device.dropFirst(7)), format: format)
        for line in lines {
            let words = line.split(separator: " ", omittingEmptySubsequences: false)
            guard let word = words.first, take(word, words.dropFirst()) else { return nil }
        }
        guard files.count <= Self.maximumFiles else { return nil }
        let names = values
        guard names.allSatisfy({ ObjectFormat(count: $0.text.utf8.count) == format }) else { return nil }
    }

    private mutating func take(_ word: Substring, _ rest: ArraySlice<Substring>) -> Bool {
        let words = Array(rest)
        switch word {
        case "frames", "pack":
            guard words.count == 2, let kind = ObjectFile.Kind(rawValue: String(word)), let number = UInt32(words[0]),
                let bytes = UInt64(words[1]), bytes < UInt64.max / 2
            else { return false }
            files.append(ObjectFile(kind: kind, number: number, bytes: bytes))
        case "head":
            guard words.count == 2, let value = HeadValue(words[0]), let version = RefVersion(words[1]), head == nil
            else { return false }
            head = Versioned(value, version)
        case "index":
            guard words.count == 2, let value = ObjectName(words[0]), let version = RefVersion(words[1]), index == nil
            else { return false }
            index = Versioned(value, version)
        case "ref":
            guard words.count == 3, let version = RefVersion(words[1]), let name = RefName(words[2]), !name.isApart,
                refs[name] == nil
            else { return false }
            let value = ObjectName(words[0])
            guard value != nil || words[0] == "-" else { return false }
            refs[name] = Versioned(value, version)
        default: return false
        }
        return true
    }
}
