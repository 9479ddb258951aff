import Portolan
import PortolanValues

/// Entries of a folder that its receiver may not see, in words for the sender.
enum WithheldLine {
    /// Entries that are told one by one.
    private static let shown = 20

    static func sentences(_ withheld: WithheldEntries) -> [String] {
        var lines = withheld.listed.prefix(shown).map { "left out: “\($0.path)”, \($0.reason)" }
        let rest = withheld.count - UInt64(lines.count)
        if rest > 0 { lines.append("left out: \(Human.number(rest)) more") }
        return lines
    }
}
