import Portolan

/// Lines for the sender about entries of a folder that the receiver may not see.
enum WithheldLine {
    /// Most entries that are listed.
    private static let shown = 20

    static func sentences(_ withheld: WithheldEntries) -> [String] {
        var lines = withheld.listed.prefix(shown).map { "left out: “\($0.path)”, \($0.reason)" }
        let rest = withheld.count - UInt64(lines.count)
        if rest > 0 { lines.append("left out: \(Human.number(rest)) more") }
        return lines
    }
}
