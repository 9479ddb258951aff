extension DisplayText {
    /// The text as one word of a command that a person may copy into a shell, in single quotation marks if necessary.
    ///
    /// Characters that may not be shown are escaped, and the word then differs from the text.
    package static func shellWord(_ text: String) -> String {
        let shown = DisplayText(text, limit: 4096).text
        let isPlain = shown.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"):
                true
            // At the start it begins an option.
            case UInt8(ascii: "-"): shown.utf8.first != byte
            default: false
            }
        }
        if isPlain, !shown.isEmpty { return shown }
        return "'" + shown.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}
