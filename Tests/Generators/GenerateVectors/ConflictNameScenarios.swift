import Foundation

/// Names of versions that a conflict keeps from their own (SYNC.md 3), made without the library.
func conflictNameScenarios() -> [Scenario] {
    let day: Int64 = 86_400
    let long = String(repeating: "x", count: 218)
    let versions: [(String, String, ConflictingVersion)] = [
        ("extension", "The note goes before the extension.", .init("notes.txt")),
        ("several-dots", "The extension begins with the last dot.", .init("archive.tar.gz")),
        ("no-extension", "A name without a dot.", .init("Makefile")),
        ("hidden", "A dot at the beginning begins no extension.", .init(".profile")),
        ("hidden-extension", "The second dot begins an extension.", .init(".notes.txt")),
        ("dot-at-end", "The extension is a dot alone.", .init("notes.")),
        (
            "second-note", "A name that has a note already.",
            .init("notes (conflict of Ada, 2023-11-14, aaaa).txt", author: "Bob")
        ),
        ("decomposed", "Names keep their bytes.", .init("u\u{308}ber.txt", author: "Be\u{308}n")),
        ("no-author", "The author has no name.", .init("notes.txt", author: "")),
        (
            "example", "The version of SYNC.md, annex 1.",
            .init(
                "notes.txt", author: "ben", modified: 1_793_608_200, device: [UInt8](repeating: 0x22, count: 32),
                epoch: 7002, counter: 1)
        ),
        (
            "author-hidden", "Separators, controls and invisible characters are left out of the author's name.",
            .init(
                "notes.txt",
                author: "a/\u{0}\u{1F}\u{7F}\u{9F}\u{AD}\u{61C}b\u{200B}\u{200F}\u{2028}\u{202E}\u{2060}\u{206F}"
                    + "\u{FEFF}c\u{20}\u{7E}\u{A0}\u{2027}\u{202F}")
        ),
        (
            "author-33", "32 scalars of the author's name stay, counted without those that are left out.",
            .init("notes.txt", author: "\u{200B}" + String(repeating: "e\u{301}", count: 15) + "\u{1F600}abc")
        ),
        ("before-1970", "A time before 1970 is of the first day.", .init("notes.txt", modified: -1)),
        ("last-second", "The last second of a leap day.", .init("notes.txt", modified: 19_783 * day - 1)),
        ("last-day", "The last second of 2999.", .init("notes.txt", modified: 376_200 * day - 1)),
        ("after-2999", "A later time is of the last day.", .init("notes.txt", modified: .max)),
        (
            "long", "The base is cut at a character, and has one byte less than there is room for.",
            .init(String(repeating: "ä", count: 125) + ".txt")
        ),
        ("no-base", "Nothing of the base fits, and the rest has 255 bytes.", .init("ab." + long)),
        ("dot-twice", "The second of two versions of one dot.", .init("notes.txt", place: 1)),
        ("too-long", "The extension leaves no room for the note.", .init("ab.x" + long)),
        (
            "largest", "The greatest numbers of a dot.",
            .init(
                "notes.txt", device: [UInt8](repeating: 0xFF, count: 32), epoch: .max, counter: UInt64(Int64.max))
        ),
    ]
    return versions.map { name, comment, version in
        Scenario(
            "conflict-name-" + name, kind: "conflict_name", comment,
            [
                "name": version.name, "author": version.author, "modified": "\(version.modified)",
                "device": hex(version.device), "epoch": "\(version.epoch)", "counter": "\(version.counter)",
                "conflict": version.conflict,
            ].with("place", version.place == 0 ? nil : version.place))
    }
}

/// Version of a file, and the dot of the change that wrote it.
struct ConflictingVersion {
    let name: String
    let author: String
    let modified: Int64
    let device: [UInt8]
    let epoch: UInt64
    let counter: UInt64
    /// Place among the versions of the dot.
    let place: Int

    init(
        _ name: String, author: String = "Ada", modified: Int64 = 1_700_000_000,
        device: [UInt8] = fixedBytes(0x30), epoch: UInt64 = 0x0102_0304_0506_0708, counter: UInt64 = 12,
        place: Int = 0
    ) {
        (self.name, self.author, self.modified) = (name, author, modified)
        (self.device, self.epoch, self.counter, self.place) = (device, epoch, counter, place)
    }

    var conflict: String {
        let scalars = Array(name.unicodeScalars)
        let dot = scalars.lastIndex(of: ".").flatMap { $0 == 0 ? nil : $0 } ?? scalars.count
        var base = scalars[..<dot]
        let rest = " (conflict of \(shownAuthor), \(date), \(tag))" + text(scalars[dot...])
        guard rest.utf8.count <= 255 else { return "conflict \(tag)" }
        while text(base).utf8.count + rest.utf8.count > 255 { base.removeLast() }
        return text(base) + rest
    }

    private var shownAuthor: String {
        let left: [ClosedRange<UInt32>] = [
            0x00...0x1F, 0x2F...0x2F, 0x7F...0x9F, 0xAD...0xAD, 0x61C...0x61C, 0x200B...0x200F, 0x2028...0x202E,
            0x2060...0x206F, 0xFEFF...0xFEFF,
        ]
        return text(author.unicodeScalars.filter { scalar in !left.contains { $0 ~= scalar.value } }.prefix(32))
    }

    private var date: String {
        var day = modified < 0 ? 0 : modified / 86_400
        for year in 1970...2999 {
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            for (place, length) in [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].enumerated() {
                if day < length { return "\(year)-\(digits(place + 1))-\(digits(Int(day) + 1))" }
                day -= Int64(length)
            }
        }
        return "2999-12-31"
    }

    private var tag: String {
        let words = (0..<4).map { word in device[8 * word..<8 * word + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        var x: UInt64 = 0
        for word in words + [epoch, counter] + (place == 0 ? [] : [UInt64(place)]) {
            x = (x ^ word) &+ 0x9E37_79B9_7F4A_7C15
            x = (x ^ x >> 30) &* 0xBF58_476D_1CE4_E5B9
            x = (x ^ x >> 27) &* 0x94D0_49BB_1331_11EB
            x ^= x >> 31
        }
        let letters = Array("abcdefghijkmnpqrstuvwxyz23456789")
        return String([x & 31, x >> 5 & 31, x >> 10 & 31, x >> 15 & 31].map { letters[Int($0)] })
    }

    private func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private func text(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }
}
