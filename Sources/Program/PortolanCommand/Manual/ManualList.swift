import Foundation

/// Lists in the text of a manual page, an item after `* ` or `- `.
enum ManualList {
    /// Width of a page, as ArgumentParser takes it: of COLUMNS, or of the terminal.
    static let columns: Int = {
        let wanted = ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) } ?? 0
        return wanted > 0 ? wanted : Terminal.output.width
    }()

    /// Breaks the lines of items between words, each with the indentation of its item. Other text is not changed.
    ///
    /// - Parameter columns: width of the terminal; a line has fewer.
    static func wrapped(_ text: String, columns: Int) -> String {
        var output: [String] = []
        var item: (indent: Int, words: [Substring])?
        func end() {
            if let item { output += lines(item.words, indent: item.indent, columns: columns) }
            item = nil
        }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let words = line.split(separator: " ")
            let indent = line.prefix { $0 == " " }.count
            if words.count > 1, words[0] == "*" || words[0] == "-" {
                end()
                item = (indent, words)
            } else if let outer = item?.indent, !words.isEmpty, indent > outer {
                item?.words += words
            } else {
                end()
                output.append(String(line))
            }
        }
        end()
        return output.joined(separator: "\n")
    }

    /// - Parameter words: the item's words, its mark first.
    private static func lines(_ words: [Substring], indent: Int, columns: Int) -> [String] {
        let margin = String(repeating: " ", count: indent)
        var lines: [String] = []
        var line = margin + (words.first ?? "")
        var isBegun = false
        for word in words.dropFirst() {
            if isBegun, line.count + 1 + word.count >= columns {
                lines.append(line)
                line = margin + " "
            }
            line += " " + word
            isBegun = true
        }
        return lines + [line]
    }
}
