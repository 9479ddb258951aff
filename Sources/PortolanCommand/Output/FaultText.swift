import Portolan
import PortolanValues

extension NodeError.Fault {
    /// Advice for a person, behind the sentence on the attempt and its result; nil if that sentence contains the
    /// advice.
    var remedy: String? {
        let tcp = "TCP port \(port ?? Self.usualPort)"
        return switch code {
        case .connectionRefused:
            "That machine is on, and nothing listens there on \(tcp): start 'portolan receive' or the agent there."
        case .connectionTimedOut:
            "Is it on? Its firewall has to let in \(tcp), and UDP port 5353 for mDNS."
        case .hostUnreachable: "Is it on, and in this network? Its firewall has to let in \(tcp)."
        case .networkUnreachable: "Are both in one network? 'ip route' shows where this machine can go."
        case .noInterface: "Join a network; 'ip address' shows the interfaces."
        case .noAddress: "Name it as HOST:PORT."
        case .hostUnknown: "Check its spelling, or take the address, or a name that 'portolan peers' shows."
        case .nobodyAnswered: "Firewalls have to let in mDNS: UDP port 5353."
        case .connectionFailed, .discoveryOff, .discoveryFailed, .nameUnknown, .nameAmbiguous: nil
        }
    }

    /// The command that looks further into it; nil where that finds out no more.
    var examination: String? {
        switch code {
        case .hostUnknown, .discoveryOff, .nameUnknown, .nameAmbiguous: nil
        case .noInterface, .discoveryFailed: "'portolan doctor' says more."
        default:
            peer.map { "portolan doctor \(DisplayText.shellWord($0)) says more." } ?? "'portolan doctor' says more."
        }
    }

    private static let usualPort: UInt16 = 47217
}

/// Text in lines that a terminal of 80 columns need not break.
enum Paragraph {
    private static let width = 78

    /// Breaks a text between its words. Behind the first line break it is a list, and stays as it is.
    ///
    /// - Parameter indent: columns that something else takes in the first line.
    static func wrapped(_ text: String, after indent: Int) -> String {
        guard let end = text.firstIndex(of: "\n") else { return lines(text[...], indent) }
        return lines(text[..<end], indent) + text[end...]
    }

    /// Words of a sentence. A text in quotation marks of a shell is one of them: with a line break, a name would be
    /// another. Between “ and ” a peer's apostrophe is no such mark.
    private static func words(_ text: Substring) -> [String] {
        var (isQuoted, isName) = (false, false)
        var last: Unicode.Scalar = " "
        return text.unicodeScalars.split { scalar in
            defer { last = scalar }
            switch scalar {
            case "“" where !isQuoted: isName = true
            case "”" where !isQuoted: isName = false
            // Within a word it is an apostrophe, unless it follows what was quoted before.
            case "'" where !isName: isQuoted = !isQuoted && (last == " " || last == "'")
            default: break
            }
            return scalar == " " && !isQuoted
        }.map { String($0) }
    }

    private static func lines(_ text: Substring, _ indent: Int) -> String {
        var result = ""
        var used = indent
        for word in words(text) {
            let cells = CellWidth.of(word)
            if result.isEmpty {
                used += cells
            } else if used + 1 + cells <= width {
                result += " "
                used += 1 + cells
            } else {
                result += "\n"
                used = cells
            }
            result += word
        }
        return result
    }
}
