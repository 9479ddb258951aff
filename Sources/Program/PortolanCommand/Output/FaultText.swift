import Portolan

extension NodeError.Fault {
    /// Advice for a person, after the sentence about the attempt; nil if that sentence contains it.
    var remedy: String? {
        let tcp = "TCP port \(port ?? Node.Configuration.usualPort)"
        return switch code {
        case .connectionRefused:
            "The machine is on, and no program listens there on \(tcp): start 'portolan receive' or the agent there."
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

    /// Command for further examination; nil if there would be no new result.
    var examination: String? {
        switch code {
        case .hostUnknown, .discoveryOff, .nameUnknown, .nameAmbiguous: nil
        case .noInterface, .discoveryFailed: "'portolan doctor' says more."
        default:
            peer.map { "portolan doctor \(DisplayText.shellWord($0)) says more." } ?? "'portolan doctor' says more."
        }
    }
}

/// Breaks text into lines for a terminal of 80 columns.
enum Paragraph {
    private static let width = 78

    /// Breaks a text between its words. Text after its first line break is a list, and is not changed.
    ///
    /// - Parameter indent: columns that are used by other text in the first line.
    static func wrapped(_ text: String, after indent: Int) -> String {
        guard let end = text.firstIndex(of: "\n") else { return lines(text[...], indent) }
        return lines(text[..<end], indent) + text[end...]
    }

    /// Words of a sentence. A text in a shell's quotation marks is one word, because a line break would change a name
    /// in it. Between “ and ”, an apostrophe of a peer is not a quotation mark.
    private static func words(_ text: Substring) -> [String] {
        var (isQuoted, isName) = (false, false)
        var last: Unicode.Scalar = " "
        return text.unicodeScalars.split { scalar in
            defer { last = scalar }
            switch scalar {
            case "“" where !isQuoted: isName = true
            case "”" where !isQuoted: isName = false
            // Within a word it is an apostrophe, unless it follows quoted text.
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
