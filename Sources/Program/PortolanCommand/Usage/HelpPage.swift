/// Help page of ArgumentParser, fitted to a terminal and to its command.
enum HelpPage {
    private static let beginning = "USAGE: "
    private static let width = 80

    /// The page with its usage line broken between options, and with the command in place of `COMMAND`.
    static func fitted(_ page: String) -> String {
        var lines = page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let usage = lines.firstIndex(where: { $0.hasPrefix(beginning) }) else { return page }
        let parts = parts(of: lines[usage])
        // The word after “USAGE:” is the program.
        let command = parts.dropFirst(2).prefix { word in !["[", "<", "-"].contains { word.hasPrefix($0) } }
        if let more = lines[..<usage].lastIndex(of: HelpText.more), !command.isEmpty {
            lines[more] = HelpText.more(of: command.joined(separator: " "))
        }
        lines[usage] = broken(parts)
        return lines.joined(separator: "\n")
    }

    /// Words of a line; text in brackets is one word.
    private static func parts(of line: String) -> [String] {
        var parts: [String] = []
        var isOpen = false
        for word in line.split(separator: " ") {
            if isOpen, let last = parts.indices.last {
                parts[last] += " " + word
            } else {
                parts.append(String(word))
            }
            if word.hasPrefix("[") { isOpen = true }
            if word.hasSuffix("]") { isOpen = false }
        }
        return parts
    }

    private static func broken(_ parts: [String]) -> String {
        var lines: [String] = []
        var line = ""
        for part in parts {
            if !line.isEmpty, line.count + 1 + part.count > width {
                lines.append(line)
                line = String(repeating: " ", count: beginning.count + 1)
            }
            line += (line.isEmpty || line.allSatisfy { $0 == " " } ? "" : " ") + part
        }
        return (lines + [line]).joined(separator: "\n")
    }
}
