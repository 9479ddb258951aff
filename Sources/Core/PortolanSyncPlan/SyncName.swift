import PortolanValues

/// Name of a file or folder, compared by its bytes: composed and decomposed forms of one text are two names.
package struct SyncName: Hashable, Comparable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (left: Self, right: Self) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    package static func < (left: Self, right: Self) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }

    /// Most bytes of a name.
    package static let maximumBytes = 255

    /// True if a path can have the name as a component. The engine adds rules on displayable names.
    package var isComponent: Bool {
        (1...Self.maximumBytes).contains(text.utf8.count) && text != "." && text != ".."
            && !text.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "/") }
    }
}

extension SyncName: CustomStringConvertible {
    package var description: String { text }
}

// MARK: - Conflicts

extension SyncName {
    private static let mark = " (conflict of "

    /// The name and the extension with its dot; a name that begins with its only dot has none.
    private static func split(_ text: String) -> (base: Substring, suffix: Substring) {
        guard let dot = text.utf8.lastIndex(of: UInt8(ascii: ".")), dot != text.startIndex else {
            return (text[...], "")
        }
        return (text[..<dot], text[dot...])
    }

    /// Conflict name of a version: author, date and four characters from its change make it the same on all devices.
    ///
    /// - Parameter place: place of the version among those of its dot.
    package func conflict(of content: FileVersion, write: Dot, place: Int = 0) -> SyncName {
        let (base, suffix) = Self.split(text)
        let tag = tag(write, place)
        let note = "\(Self.mark)\(Self.shown(author: content.author)), \(date(content.modified.seconds)), \(tag))"
        let whole = Self.joined(base, note + suffix)
        return SyncName(whole.utf8.count <= Self.maximumBytes ? whole : "conflict \(tag)")
    }

    /// A device's name in the form for conflict names.
    package static func shown(author: String) -> String {
        String(author.unicodeScalars.filter(isShown).prefix(32).map(Character.init))
    }

    /// Device's name in the note of a conflict name; nil without such a note.
    package var conflictAuthor: String? {
        guard let rest = withoutConflict else { return nil }
        let start = Self.split(rest.text).base.utf8.count + Self.mark.utf8.count
        let note = Array(Self.split(text).base.utf8.dropFirst(start))
        // After the author: a comma, a space, ten characters of the date, a comma, a space, four of the tag, a
        // parenthesis.
        let count = note.count - 19
        return count < 0 ? nil : String(decoding: note[..<count], as: UTF8.self)
    }

    /// The name with a number before the extension.
    package func numbered(_ number: Int) -> SyncName {
        let (base, suffix) = Self.split(text)
        return SyncName(Self.joined(base, " (\(number))\(suffix)"))
    }

    /// Shortens a base so that a name with this end has at most ``maximumBytes``.
    private static func joined(_ base: Substring, _ end: String) -> String {
        var kept = base.unicodeScalars
        while Substring(kept).utf8.count + end.utf8.count > maximumBytes, !kept.isEmpty { kept.removeLast() }
        return "\(Substring(kept))\(end)"
    }

    /// The name without the note of a conflict; nil without such a note.
    package var withoutConflict: SyncName? {
        let (base, suffix) = Self.split(text)
        guard base.utf8.last == UInt8(ascii: ")") else { return nil }
        let bytes = Array(base.utf8)
        let mark = Array(Self.mark.utf8)
        guard bytes.count > mark.count else { return nil }
        for start in stride(from: bytes.count - mark.count, to: 0, by: -1) where bytes[start...].starts(with: mark) {
            return SyncName(String(decoding: bytes[..<start], as: UTF8.self) + suffix)
        }
        return nil
    }
}

/// True if a file's name may have the character: no separator, no control character, and none that is invisible or
/// changes the direction of text. The ranges are fixed, so that all members make the same name.
private func isShown(_ scalar: Unicode.Scalar) -> Bool {
    let hidden: [ClosedRange<UInt32>] = [
        0...0x1F, 0x2F...0x2F, 0x7F...0x9F, 0xAD...0xAD, 0x61C...0x61C, 0x200B...0x200F, 0x2028...0x202E,
        0x2060...0x206F, 0xFEFF...0xFEFF,
    ]
    return !hidden.contains { $0.contains(scalar.value) }
}

/// Four characters from a change, computed by SplitMix64's finalizer.
private func tag(_ write: Dot, _ place: Int) -> String {
    var mixed: UInt64 = 0
    let words = write.replica.device.words + [write.replica.epoch, write.counter]
    for word in place == 0 ? words : words + [UInt64(place)] {
        mixed = (mixed ^ word) &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        mixed ^= mixed >> 31
    }
    let letters = Array("abcdefghijkmnpqrstuvwxyz23456789")
    return String((0..<4).map { letters[Int(mixed >> (5 * UInt64($0)) & 31)] })
}

/// Day of a time in seconds since 1970, in UTC; years outside 1970 to 2999 are shown as the nearest of them.
private func date(_ seconds: Int64) -> String {
    CivilDate(daysSince1970: Int(min(max(seconds, 0), 32_503_679_999) / 86_400)).description
}
