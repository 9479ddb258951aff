import Glibc

/// Text for people on terminals that can show only ASCII.
enum PlainText {
    /// True if the environment asks for ASCII: a locale that is not UTF-8, as POSIX is if none is set, or a dumb
    /// terminal.
    ///
    /// - Parameter variable: the value of a variable of the environment.
    static func isWanted(_ variable: (String) -> String?) -> Bool {
        if variable("TERM") == "dumb" { return true }
        // The first that is set counts, and an empty one is not set.
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(variable).first { !$0.isEmpty } ?? "C"
        let name = locale.lowercased()
        return strstr(name, "utf-8") == nil && strstr(name, "utf8") == nil
    }

    /// The text with quotation marks and similar characters replaced by ASCII ones, and other characters by their
    /// number, such as `\u{E9}`.
    ///
    /// - Parameter isOwn: true if the text contains no text of a peer. Otherwise an ASCII quotation mark is replaced by
    ///   its number, since a peer could close the quotation with it.
    static func ascii(_ text: String, isOwn: Bool = false) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        var plain = ""
        for scalar in text.unicodeScalars {
            if scalar.isASCII, isOwn || scalar != "\"" {
                plain.unicodeScalars.append(scalar)
            } else {
                plain += likeness(scalar) ?? "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            }
        }
        return plain
    }

    /// The apostrophe is missing here: it would end the quotation of a shell word in which a peer wrote a similar
    /// character.
    private static func likeness(_ scalar: Unicode.Scalar) -> String? {
        switch scalar {
        case "\u{201C}", "\u{201D}": "\""
        case "\u{2026}": "..."
        case "\u{2010}", "\u{2011}", "\u{2013}", "\u{2014}", "\u{2500}": "-"
        case "\u{2192}": "->"
        case "\u{2190}": "<-"
        case "\u{2022}", "\u{00B7}": "*"
        case "\u{2502}": "|"
        case "\u{00D7}": "x"
        case "\u{00A0}", "\u{202F}": " "
        default: nil
        }
    }
}
