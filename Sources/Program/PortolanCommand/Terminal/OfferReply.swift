/// Answer of a person to an offer.
enum OfferReply: Hashable, Sendable {
    case yes
    case no
    /// Yes, also for further offers of the same peer while the command runs.
    case always
    case help

    /// Accepts only clear answers.
    ///
    /// - Parameters:
    ///   - line: typed line, with its line end.
    ///   - offersAlways: true if `a` is a choice.
    /// - Returns: nil for any other line, including an empty one.
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

    /// Choices after the question.
    static func choices(offersAlways: Bool) -> String { offersAlways ? "[y/n/a/?]" : "[y/n/?]" }

    /// - Parameter name: the peer's, as harmless text.
    static func explanation(offersAlways: Bool, _ name: String) -> String {
        let always = "\n  a  yes, and take all that “\(name)” offers until this command ends"
        return "  y  take it\n  n  decline it" + (offersAlways ? always : "") + "\n  ?  this"
    }
}
