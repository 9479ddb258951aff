/// Name of an object of git: its digest, in hexadecimal.
package struct ObjectName: Hashable, Sendable {
    package let text: String

    package init?(_ text: some StringProtocol) {
        let bytes = text.utf8
        guard ObjectFormat(count: bytes.count) != nil, bytes.allSatisfy(Self.isDigit) else { return nil }
        self.text = String(text)
    }

    static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}

/// Digest by which a repository names its objects.
package enum ObjectFormat: String, Sendable {
    case sha1, sha256

    init?(count: Int) {
        switch count {
        case 40: self = .sha1
        case 64: self = .sha256
        default: return nil
        }
    }

    /// Value that stands for "there is none".
    var none: String { String(repeating: "0", count: self == .sha1 ? 40 : 64) }

    /// Name of the tree without entries, which each repository knows.
    var emptyTree: String {
        switch self {
        case .sha1: "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
        case .sha256: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"
        }
    }
}

/// Name of a reference that git allows (git-check-ref-format), below `refs/`.
package struct RefName: Hashable, Comparable, Sendable {
    package static let maximumBytes = 1000
    /// A lock file's name is 5 bytes longer.
    private static let longestComponent = 250

    package let text: String

    package init?(_ text: some StringProtocol) {
        let parts = Array(text.utf8).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count >= 2, parts[0].elementsEqual("refs".utf8), text.utf8.count <= Self.maximumBytes,
            parts.allSatisfy(Self.isComponent), !Self.has("@{", text), !Self.has("..", text)
        else { return nil }
        self.text = String(text)
    }

    private static func has(_ pair: String, _ text: some StringProtocol) -> Bool {
        zip(text.utf8, text.utf8.dropFirst()).contains { [$0, $1] == Array(pair.utf8) }
    }

    private static func isComponent(_ part: ArraySlice<UInt8>) -> Bool {
        let dot = UInt8(ascii: ".")
        guard (1...longestComponent).contains(part.count), part.first != dot, part.last != dot,
            !part.suffix(5).elementsEqual(".lock".utf8)
        else { return false }
        let excluded = Array(#" ~^:?*[\"#.utf8)
        return !part.contains { $0 < 0x20 || $0 == 0x7F || excluded.contains($0) }
    }

    package static func < (left: Self, right: Self) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    package static func == (left: Self, right: Self) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    package func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }

    /// Namespace of what other devices have and this one does not.
    static let apart = "refs/portolan/"
    /// References that move with those of other devices. Others of theirs are shown, as those in ``apart``.
    private static let moving = ["refs/heads/", "refs/tags/", "refs/notes/", "refs/remotes/"]

    var moves: Bool { Self.moving.contains { text.hasPrefix($0) } }
    var isApart: Bool { text.hasPrefix(Self.apart) }

    /// Name under which this device shows the reference of another one.
    func apart(of device: String) -> RefName? { RefName("\(Self.apart)\(device)/\(text.dropFirst("refs/".count))") }
}

/// A folder in which one device writes for others about one repository: 16 hexadecimal digits, by chance.
package struct WriterID: Hashable, Comparable, Sendable {
    let text: String

    init?(_ text: some StringProtocol) {
        guard text.utf8.count == 16, text.utf8.allSatisfy(ObjectName.isDigit) else { return nil }
        self.text = String(text)
    }

    private init(number: UInt64) {
        let digits = String(number, radix: 16)
        text = String(repeating: "0", count: 16 - digits.count) + digits
    }

    static func random() -> WriterID { WriterID(number: .random(in: 0 ... .max)) }

    package static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}
