import PortolanCrypto

/// Pattern of an ignore file, by the rules of gitignore(5).
///
/// Names are compared by bytes. The cost of a match is bounded by the product of both lengths for any pattern.
struct IgnorePattern: Hashable, Sendable {
    /// True if matching paths are not ignored.
    let isNegated: Bool
    /// True if it matches folders only.
    let isForFolders: Bool
    /// True if it matches a path from the folder of the ignore file on, and not a name at any depth.
    let isAnchored: Bool
    /// The pattern as it is written; of a long one, its digest.
    let mark: [UInt8]
    private let segments: [Segment]

    private enum Segment: Hashable, Sendable {
        /// Any number of folders.
        case folders
        case name([Token])
    }

    enum Token: Hashable, Sendable {
        case byte(UInt8)
        case any
        case anyBytes
        case oneOf(ByteSet)
    }

    /// - Parameter line: line without its line end.
    /// - Returns: nil for a line that matches nothing.
    init?(_ line: some Collection<UInt8>) {
        var line = Self.withoutTrailingSpaces(Array(line))
        mark = line.count <= 32 ? line : sha256([line])
        guard let first = line.first, first != UInt8(ascii: "#") else { return nil }
        isNegated = first == UInt8(ascii: "!")
        if isNegated { line.removeFirst() }
        let slash = UInt8(ascii: "/")
        isForFolders = line.last == slash
        if isForFolders { line.removeLast() }
        isAnchored = line.contains(slash)
        if line.first == slash { line.removeFirst() }
        guard !line.isEmpty else { return nil }
        var segments: [Segment] = []
        let parts = Self.parts(line)
        for (number, part) in parts.enumerated() {
            // In git further stars mean the same.
            if isAnchored, part.count > 1, part.allSatisfy({ $0 == UInt8(ascii: "*") }) {
                if segments.last != .folders { segments.append(.folders) }
            } else {
                // A slash separates also behind a backslash.
                let isEscape = number + 1 < parts.count && Self.endsWithEscape(part)
                guard let tokens = Self.tokens(Array(isEscape ? part.dropLast() : part)) else { return nil }
                segments.append(.name(tokens))
            }
        }
        self.segments = segments
    }

    /// Splits a pattern at its slashes. One in brackets separates nothing, and matches nothing.
    private static func parts(_ line: [UInt8]) -> [ArraySlice<UInt8>] {
        let slash = UInt8(ascii: "/")
        var parts: [ArraySlice<UInt8>] = []
        var (start, position) = (0, 0)
        while position < line.count {
            switch line[position] {
            case slash:
                parts.append(line[start..<position])
                start = position + 1
            case UInt8(ascii: "\\") where position + 1 < line.count && line[position + 1] != slash: position += 1
            case UInt8(ascii: "["):
                var end = position + 1
                if ByteSet(line, &end) != nil { position = end - 1 }
            default: break
            }
            position += 1
        }
        return parts + [line[start...]]
    }

    private static func endsWithEscape(_ part: ArraySlice<UInt8>) -> Bool {
        part.reversed().prefix { $0 == UInt8(ascii: "\\") }.count % 2 == 1
    }

    /// Removes trailing spaces, except one behind a backslash.
    private static func withoutTrailingSpaces(_ line: [UInt8]) -> [UInt8] {
        var end = 0
        var position = 0
        while position < line.count {
            if line[position] == UInt8(ascii: "\\") {
                position = min(position + 2, line.count)
                end = position
            } else {
                position += 1
                if line[position - 1] != UInt8(ascii: " ") { end = position }
            }
        }
        return Array(line[..<end])
    }

    // MARK: Matching

    /// - Parameter path: names from the folder of the ignore file down.
    func matches(_ path: ArraySlice<[UInt8]>, isFolder: Bool) -> Bool {
        if isForFolders, !isFolder { return false }
        guard isAnchored else {
            guard case .name(let tokens) = segments[0], let name = path.last else { return false }
            return Self.matches(tokens[...], name[...])
        }
        return Self.matches(segments[...], path)
    }

    /// Matches with backtracking to the last wildcard only: an earlier one could reach no further.
    private static func matches(_ segments: ArraySlice<Segment>, _ path: ArraySlice<[UInt8]>) -> Bool {
        var (segment, name) = (segments.startIndex, path.startIndex)
        var retry: (segment: Int, name: Int)?
        while true {
            if segment < segments.endIndex, segments[segment] == .folders {
                // A final `**` matches the contents of a folder, and not the folder itself.
                if segment + 1 == segments.endIndex { return name < path.endIndex }
                retry = (segment + 1, name)
                segment += 1
                continue
            }
            if segment == segments.endIndex, name == path.endIndex { return true }
            if segment < segments.endIndex, name < path.endIndex, case .name(let tokens) = segments[segment],
                matches(tokens[...], path[name][...])
            {
                segment += 1
                name += 1
                continue
            }
            guard let back = retry, back.name < path.endIndex else { return false }
            retry = (back.segment, back.name + 1)
            (segment, name) = (back.segment, back.name + 1)
        }
    }

    private static func matches(_ tokens: ArraySlice<Token>, _ name: ArraySlice<UInt8>) -> Bool {
        var (token, byte) = (tokens.startIndex, name.startIndex)
        var retry: (token: Int, byte: Int)?
        while token < tokens.endIndex || byte < name.endIndex {
            if token < tokens.endIndex {
                if tokens[token] == .anyBytes {
                    token += 1
                    retry = (token, byte)
                    continue
                }
                if byte < name.endIndex, tokens[token].matches(name[byte]) {
                    token += 1
                    byte += 1
                    continue
                }
            }
            guard let back = retry, back.byte < name.endIndex else { return false }
            retry = (back.token, back.byte + 1)
            (token, byte) = (back.token, back.byte + 1)
        }
        return true
    }
}

extension IgnorePattern.Token {
    fileprivate func matches(_ byte: UInt8) -> Bool {
        switch self {
        case .byte(let wanted): byte == wanted
        case .any, .anyBytes: true
        case .oneOf(let set): set.contains(byte)
        }
    }
}

// MARK: - Parsing

extension IgnorePattern {
    /// - Returns: nil if a bracket is not closed, or a backslash ends the text.
    private static func tokens(_ part: [UInt8]) -> [Token]? {
        var tokens: [Token] = []
        var position = 0
        while position < part.count {
            let byte = part[position]
            position += 1
            switch byte {
            case UInt8(ascii: "*"):
                if tokens.last != .anyBytes { tokens.append(.anyBytes) }
            case UInt8(ascii: "?"): tokens.append(.any)
            case UInt8(ascii: "\\"):
                guard position < part.count else { return nil }
                tokens.append(.byte(part[position]))
                position += 1
            case UInt8(ascii: "["):
                guard let set = ByteSet(part, &position) else { return nil }
                tokens.append(.oneOf(set))
            default: tokens.append(.byte(byte))
            }
        }
        return tokens
    }
}

/// Bytes that a bracket expression matches.
struct ByteSet: Hashable, Sendable {
    private var bits: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    func contains(_ byte: UInt8) -> Bool { words[Int(byte >> 6)] >> UInt64(byte & 63) & 1 == 1 }

    private var words: [UInt64] { [bits.0, bits.1, bits.2, bits.3] }

    static func == (left: Self, right: Self) -> Bool { left.bits == right.bits }

    func hash(into hasher: inout Hasher) { hasher.combine(words) }

    private mutating func insert(_ byte: UInt8) {
        let bit: UInt64 = 1 << UInt64(byte & 63)
        switch byte >> 6 {
        case 0: bits.0 |= bit
        case 1: bits.1 |= bit
        case 2: bits.2 |= bit
        default: bits.3 |= bit
        }
    }

    /// Parses a bracket expression behind its opening bracket.
    ///
    /// - Returns: nil if it is not closed.
    init?(_ part: [UInt8], _ position: inout Int) {
        var isNegated = false
        if position < part.count, part[position] == UInt8(ascii: "!") || part[position] == UInt8(ascii: "^") {
            isNegated = true
            position += 1
        }
        var last: UInt8?
        var isFirst = true
        while true {
            guard position < part.count else { return nil }
            var byte = part[position]
            position += 1
            if byte == UInt8(ascii: "]"), !isFirst { break }
            isFirst = false
            if byte == UInt8(ascii: "["), position < part.count, part[position] == UInt8(ascii: ":") {
                guard let name = Self.className(part, &position), insertClass(name) else { return nil }
                last = nil
                continue
            }
            if byte == UInt8(ascii: "-"), let start = last, position < part.count, part[position] != UInt8(ascii: "]") {
                byte = part[position]
                position += 1
                if byte == UInt8(ascii: "\\") {
                    guard position < part.count else { return nil }
                    byte = part[position]
                    position += 1
                }
                if start <= byte { for one in start...byte { insert(one) } }
                last = nil
                continue
            }
            if byte == UInt8(ascii: "\\") {
                guard position < part.count else { return nil }
                byte = part[position]
                position += 1
            }
            insert(byte)
            last = byte
        }
        guard isNegated else { return }
        bits = (~bits.0, ~bits.1, ~bits.2, ~bits.3)
    }

    /// Parses the name of a class behind its opening bracket, as in `[:alpha:]`.
    private static func className(_ part: [UInt8], _ position: inout Int) -> String? {
        guard let end = part[position...].firstIndex(of: UInt8(ascii: "]")), end >= position + 2,
            part[end - 1] == UInt8(ascii: ":")
        else { return nil }
        defer { position = end + 1 }
        return String(decoding: part[(position + 1)..<(end - 1)], as: UTF8.self)
    }

    /// - Returns: false if there is no such class.
    private mutating func insertClass(_ name: String) -> Bool {
        let isMember: (Unicode.Scalar) -> Bool
        switch name {
        case "alnum": isMember = { $0.properties.isAlphabetic || ("0"..."9").contains($0) }
        case "alpha": isMember = { $0.properties.isAlphabetic }
        case "blank": isMember = { $0 == " " || $0 == "\t" }
        case "cntrl": isMember = { $0.value < 32 || $0.value == 127 }
        case "digit": isMember = { ("0"..."9").contains($0) }
        case "graph": isMember = { (33...126).contains($0.value) }
        case "lower": isMember = { ("a"..."z").contains($0) }
        case "print": isMember = { (32...126).contains($0.value) }
        case "punct":
            isMember = { (33...126).contains($0.value) && !$0.properties.isAlphabetic && !("0"..."9").contains($0) }
        case "space": isMember = { $0 == " " || (9...13).contains($0.value) }
        case "upper": isMember = { ("A"..."Z").contains($0) }
        case "xdigit":
            isMember = { ("0"..."9").contains($0) || ("a"..."f").contains($0) || ("A"..."F").contains($0) }
        default: return false
        }
        for byte in 0..<128 as Range<UInt8> where isMember(Unicode.Scalar(byte)) { insert(byte) }
        return true
    }
}
