import PortolanValues
import Yams

/// Node of a YAML file with its key and line, for messages.
package struct ConfigurationNode {
    private let node: Yams.Node
    /// Key, dotted from the top; empty for the file itself.
    private let path: String

    /// A key of a mapping.
    package struct Key {
        package let text: String
        /// Dotted from the top.
        package let path: String
        /// From 1.
        package let line: Int
        /// Column from 1, in Unicode scalars; nil if unknown.
        let column: Int?

        package func defect(_ reason: String) -> ConfigurationDefect {
            ConfigurationDefect(line: line, column: column, key: path, reason: reason)
        }
    }

    /// Root of the file; nil for a file with only comments.
    package static func root(of text: String) throws(ConfigurationDefect) -> ConfigurationNode? {
        do {
            // Some editors write a byte order mark.
            let text = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
            guard let node = try compose(yaml: text) else { return nil }
            if node.scalar?.string.isEmpty == true { return nil }
            return ConfigurationNode(node: node, path: "")
        } catch let error as YamlError {
            throw ConfigurationDefect(error).explained(by: text)
        } catch {
            throw ConfigurationDefect(line: 1, key: "", reason: "it is no YAML")
        }
    }

    /// From 1.
    package var line: Int { node.mark?.line ?? 1 }

    /// From 1, in Unicode scalars; nil if it is not known.
    package var column: Int? { node.mark?.column }

    package var isList: Bool { node.sequence != nil }

    /// Members with a valid key.
    ///
    /// - Parameter defects: gets those of the keys, or that there are no members.
    package func members(noting defects: inout [ConfigurationDefect]) -> [(key: Key, value: ConfigurationNode)] {
        guard let mapping = node.mapping else {
            defects.append(defect("here stand keys with values, such as “port: 47217”"))
            return []
        }
        var members: [(Key, ConfigurationNode)] = []
        for (key, value) in mapping {
            let line = key.mark?.line ?? 1
            let column = key.mark?.column
            guard let text = key.scalar?.string else {
                defects.append(
                    ConfigurationDefect(line: line, column: column, key: path, reason: "a key is a single word"))
                continue
            }
            let full = path.isEmpty ? text : path + "." + text
            members.append(
                (
                    Key(text: text, path: full, line: line, column: column), ConfigurationNode(node: value, path: full)
                ))
        }
        return members
    }

    /// Reads the members one by one. A defect of one is noted, and the others are read all the same.
    package func readMembers(
        noting defects: inout [ConfigurationDefect],
        _ read: (Key, ConfigurationNode, inout [ConfigurationDefect]) throws(ConfigurationDefect) -> Void
    ) {
        for (key, value) in members(noting: &defects) {
            do throws(ConfigurationDefect) {
                try read(key, value, &defects)
            } catch {
                defects.append(error)
            }
        }
    }

    /// Elements that can be converted.
    ///
    /// - Parameter defects: gets those of the others, or that this is no list.
    package func elements<Value>(
        noting defects: inout [ConfigurationDefect],
        _ convert: (ConfigurationNode) throws(ConfigurationDefect) -> Value
    ) -> [Value] {
        guard let sequence = node.sequence else {
            defects.append(defect("here stands a list, such as [one, two]"))
            return []
        }
        var values: [Value] = []
        for element in sequence {
            do throws(ConfigurationDefect) {
                values.append(try convert(ConfigurationNode(node: element, path: path)))
            } catch {
                defects.append(error)
            }
        }
        return values
    }

    package func scalar() throws(ConfigurationDefect) -> String {
        guard let scalar = node.scalar, !scalar.string.isEmpty else { throw defect("here stands a single value") }
        return scalar.string
    }

    package func converted<Value, Failure: Error & CustomStringConvertible>(
        _ convert: (String) throws(Failure) -> Value
    ) throws(ConfigurationDefect) -> Value {
        let text = try scalar()
        return try translating(convert(text)) { (error: Failure) in defect(error.description) }
    }

    package func defect(_ reason: String) -> ConfigurationDefect {
        ConfigurationDefect(line: line, column: column, key: path, reason: reason)
    }
}

/// A mistake in a YAML file, with its line.
package struct ConfigurationDefect: Error, Hashable, CustomStringConvertible {
    /// From 1.
    package let line: Int
    /// Column from 1, in Unicode scalars; nil if unknown.
    package let column: Int?
    /// Dotted from the top; empty where no key is to blame.
    package let key: String
    package let reason: String

    package init(line: Int, column: Int? = nil, key: String, reason: String) {
        self.line = line
        self.column = column
        self.key = key
        self.reason = reason
    }

    package var description: String {
        let place = key.isEmpty ? "line \(line)" : "line \(line), key “\(DisplayText(key, limit: 60))”"
        return "\(place): \(sentence)"
    }

    /// With its file, as compilers write it and editors find it: `portolan.yaml:3:1: key “prot”: unknown key.`
    ///
    /// - Parameter file: its path; `-` is standard input.
    package func line(in file: String) -> String {
        let key = key.isEmpty ? "" : "key “\(DisplayText(key, limit: 60))”: "
        let column = column.map { ":\($0)" } ?? ""
        return "\(DisplayText(file)):\(line)\(column): \(key)\(sentence)"
    }

    private var sentence: String { reason + (reason.hasSuffix(".") ? "" : ".") }
}

extension ConfigurationDefect {
    /// The defect with a reason that says what to write, where the parser's own does not.
    fileprivate func explained(by text: String) -> ConfigurationDefect {
        func with(_ reason: String) -> ConfigurationDefect {
            ConfigurationDefect(line: line, column: column, key: key, reason: reason)
        }
        if reason.contains("another document") {
            return with("a second document begins here, and a file has one; remove the line “---”")
        }
        guard reason.contains("cannot start any token"), let column else { return self }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.indices.contains(line - 1),
            let sign = lines[line - 1].unicodeScalars.dropFirst(column - 1).first
        else { return self }
        if sign == "\t" { return with("a TAB stands here; YAML is indented with spaces") }
        return with(
            "a value that begins with \(DisplayText(String(sign))) stands in quotation marks, as in “from: \"\(DisplayText(String(sign)))acme\"”"
        )
    }

    fileprivate init(_ error: YamlError) {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            self.init(line: mark.line, column: mark.column, key: "", reason: "\(DisplayText(sentence: problem))")
        case .duplicatedKeysInMapping(let duplicates, let context):
            let keys = duplicates.sorted().joined(separator: ", ")
            let mark = context.mark
            // The line is 0 if the position is unknown.
            self.init(
                line: max(1, mark.line), column: mark.line > 0 ? mark.column : nil, key: keys,
                reason: "it stands there twice")
        default: self.init(line: 1, key: "", reason: "it is no YAML")
        }
    }
}
