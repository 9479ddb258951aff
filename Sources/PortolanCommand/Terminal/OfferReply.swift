/// Answer of a person to an offer.
enum OfferReply: Hashable, Sendable {
    case yes
    case no
    /// Yes, and to everything that comes from the same peer as long as the command runs.
    case always
    case help

    /// Only a clear word is one.
    ///
    /// - Parameters:
    ///   - line: typed line, with its line end.
    ///   - offersAlways: true if `a` is a choice.
    /// - Returns: nil for anything else, an empty line among it.
    init?(_ line: [UInt8], offersAlways: Bool) {
        let word = String(decoding: line, as: UTF8.self).lowercased().filter { !$0.isWhitespace }
        switch word {
        case "y", "yes": self = .yes
        case "n", "no": self = .no
        case "a", "always": if offersAlways { self = .always } else { return nil }
        case "?": self = .help
        default: return nil
        }
    }

    /// The choices, as they stand behind the question.
    static func choices(offersAlways: Bool) -> String { offersAlways ? "[y/n/a/?]" : "[y/n/?]" }

    /// - Parameter name: the peer's, as harmless text.
    static func explanation(offersAlways: Bool, _ name: String) -> String {
        let always = "\n  a  yes, and take all that “\(name)” offers until this command ends"
        return "  y  take it\n  n  decline it" + (offersAlways ? always : "") + "\n  ?  this"
    }
}
