import PortolanValues

extension FileName {
    /// Makes a name that peers accept, for a local file whose own name they might refuse.
    ///
    /// Each forbidden character and each invalid byte becomes `_`; a name that is too long loses the end of its stem.
    /// Only the name of a whole item is replaced like this, and the user sees it; names inside a folder are sent
    /// unchanged or reported.
    package static func sanitised(fromLocal bytes: some Collection<UInt8>) -> FileName {
        var text = ""
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            let carried = scalar != "\u{FFFD}" && NameRefusal.of(scalar) == nil
            text.unicodeScalars.append(carried ? scalar : "_")
        }
        if text.isEmpty || text == "." || text == ".." { text = "unnamed" }
        if isPartial(text) { text = "_" + text }
        return FileName(obeying: shortened(text, keepingExtension: true, by: ""))
    }

    /// Returns the name to try when this one is taken: `photo (2).jpg`, `backup (3).tar.gz`, `folder.d (2)`.
    ///
    /// - Parameter isFolder: a folder's name has no extension to keep at the end.
    package func numbered(_ number: Int, isFolder: Bool) -> FileName {
        FileName(obeying: Self.shortened(text, keepingExtension: !isFolder, by: " (\(number))"))
    }

    /// Name of which this one is probably a numbered variant: `a.txt` for `a (2).txt`; else the name itself.
    var unnumbered: String {
        let (stem, ending) = Self.parts(of: text)
        return String(stem.replacing(/\ \([1-9][0-9]*\)$/, with: "") + ending)
    }

    /// Name under which a whole item is stored: visible in a listing, without a special meaning, and not an option of a
    /// command.
    ///
    /// `_` is put before a leading `.` or `-`, and replaces blanks at both ends and dots at the end. A name without a
    /// visible character becomes `unnamed`. Names inside a folder are not changed.
    package var ofItem: FileName {
        let scalars = Array(text.unicodeScalars)
        func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace }
        let isEmpty = scalars.allSatisfy { isBlank($0) || $0 == "." || DisplayText.isHarmful($0) }
        if isEmpty { return FileName(obeying: "unnamed") }
        let start = scalars.prefix(while: isBlank).count
        let end = scalars.count - scalars.reversed().prefix { isBlank($0) || $0 == "." }.count
        var safe = String.UnicodeScalarView()
        if scalars[0] == "." || scalars[0] == "-" { safe.append("_") }
        for (place, scalar) in scalars.enumerated() { safe.append((start..<end).contains(place) ? scalar : "_") }
        let name = String(safe)
        return name == text ? self : FileName(obeying: Self.shortened(name, keepingExtension: true, by: ""))
    }

    /// Returns `stem` + `addition` + `extension`, the stem cut between characters so that all of it fits.
    private static func shortened(_ text: String, keepingExtension: Bool, by addition: String) -> String {
        if addition.isEmpty, text.utf8.count <= maximumBytes { return text }
        let (stem, ending) = keepingExtension ? parts(of: text) : (text[...], text.suffix(0))
        let room = maximumBytes - addition.utf8.count - ending.utf8.count
        var kept = stem
        while kept.utf8.count > room { kept.removeLast() }
        // A single character can be longer than any name; its pieces are still text.
        if kept.isEmpty { return String(prefix(of: text, bytes: maximumBytes - addition.utf8.count)) + addition }
        return kept + addition + ending
    }

    private static func prefix(of text: String, bytes: Int) -> String {
        var kept = String.UnicodeScalarView()
        var count = 0
        for scalar in text.unicodeScalars {
            count += UTF8.width(scalar)
            if count > bytes { break }
            kept.append(scalar)
        }
        return String(kept)
    }

    /// Splits before the extension; `.tar` stays with the extension behind it, and a leading dot begins no extension.
    private static func parts(of text: String) -> (stem: Substring, ending: Substring) {
        guard let dot = text.lastIndex(of: "."), dot != text.startIndex else { return (text[...], text.suffix(0)) }
        let ending = text[dot...]
        let isExtension = (2...17).contains(ending.utf8.count) && !ending.contains(where: \.isWhitespace)
        guard isExtension else { return (text[...], text.suffix(0)) }
        let stem = text[..<dot]
        if stem.count > 4, stem.suffix(4).lowercased() == ".tar" {
            let tar = stem.index(stem.endIndex, offsetBy: -4)
            return (text[..<tar], text[tar...])
        }
        return (stem, ending)
    }
}
