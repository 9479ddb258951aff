import Portolan
import PortolanSettings

/// YAML text of a policy, or of an offer for a test of one.
enum PolicyYAML {
    /// Returns the root node of a text; nil for a text with comments only.
    ///
    /// - Throws: `ConfigurationDefect` for a text that is too long, or no YAML, or that has anchors.
    static func root(of text: String) throws(ConfigurationDefect) -> ConfigurationNode? {
        guard text.utf8.count <= PolicyFile.sizeLimit else {
            throw ConfigurationDefect(line: 1, key: "", reason: "it has more than \(PolicyFile.sizeLimit) bytes")
        }
        if let line = lineOfAnchor(in: text) {
            throw ConfigurationDefect(
                line: line, key: "",
                reason:
                    "anchors (“&name”) are not understood; write the value where it is used, or a space behind the &")
        }
        return try ConfigurationNode.root(of: text)
    }

    /// Returns the first line that may have an anchor, from 1.
    ///
    /// An alias repeats the node of an anchor, and a few lines of nested aliases expand to more keys than fit in
    /// memory. Without anchors there are no aliases. An & inside a word is allowed; an & before a word in a comment or
    /// in quotation marks is rejected as well.
    private static func lineOfAnchor(in text: String) -> Int? {
        var (line, previous): (Int, UInt8) = (1, 0)
        var isAfterSign = false
        for byte in text.utf8 {
            if isAfterSign, isWord(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") { return line }
            isAfterSign = byte == UInt8(ascii: "&") && !isWord(previous)
            if byte == UInt8(ascii: "\n") { line += 1 }
            previous = byte
        }
        return nil
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }
}

extension ConfigurationNode {
    /// Reads the elements of a list with a limit on their number.
    ///
    /// - Parameters:
    ///   - defects: gets those that `read` notes, that there are too many elements, or that this is no list.
    ///   - read: gets the number of each element, from 0; returns nil if it has noted a defect.
    func list<Value>(
        most: Int, noting defects: inout [ConfigurationDefect],
        _ read: (ConfigurationNode, Int, inout [ConfigurationDefect]) -> Value?
    ) -> [Value] {
        let nodes = elements(noting: &defects) { $0 }
        if nodes.count > most { defects.append(nodes[most].defect("there are more than \(most) here")) }
        return nodes.prefix(most).enumerated().compactMap { read($0.element, $0.offset, &defects) }
    }

    /// Reads one value, or a list of at least one.
    ///
    /// - Parameter defects: gets those of single values, or that the list is empty.
    func oneOrMore<Value, Failure: Error & CustomStringConvertible>(
        noting defects: inout [ConfigurationDefect], _ convert: (String) throws(Failure) -> Value
    ) -> [Value] {
        guard isList else {
            do throws(ConfigurationDefect) {
                return [try converted(convert)]
            } catch {
                defects.append(error)
                return []
            }
        }
        let before = defects.count
        let values = elements(noting: &defects) { node throws(ConfigurationDefect) in try node.converted(convert) }
        if values.isEmpty, defects.count == before { defects.append(defect("the list is empty")) }
        return values
    }
}
