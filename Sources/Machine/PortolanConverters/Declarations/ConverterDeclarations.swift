import PortolanValues
import UniformTypeIdentifiers

/// Reader of converters from property lists.
///
/// They stand beside declarations of types, under one top-level key:
///
/// ```xml
/// <key>PortolanConverters</key>
/// <array>
///     <dict>
///         <key>PortolanConverterFrom</key>    <string>public.svg-image</string>
///         <key>PortolanConverterTo</key>      <string>public.png</string>
///         <key>PortolanConverterCommand</key>
///         <array><string>rsvg-convert</string><string>--output={output}</string><string>{input}</string></array>
///     </dict>
/// </array>
/// ```
///
/// Optional: `PortolanConverterTimeLimit` (seconds), `PortolanConverterSizeLimit` and `PortolanConverterMemoryLimit`
/// (bytes), `PortolanConverterReads` (absolute paths it may read beside those of the system) and
/// `PortolanConverterDescription` (for people).
package enum ConverterDeclarations {
    package static let key = "PortolanConverters"
    /// Largest number of converters in one file.
    package static let maximumCount = 256
    /// Largest number of parts of a command, the program included, and of readable paths.
    package static let maximumArguments = 64
    /// Longest text in a declaration, in bytes.
    package static let maximumTextBytes = 4096

    fileprivate static let unknownKey = "This key means nothing here and is passed over."

    package static let usualTimeLimit = Duration.seconds(60)
    package static let usualSizeLimit: UInt64 = 256 << 20
    package static let usualMemoryLimit: UInt64 = 4 << 30

    /// Reads the declarations of a property list. A malformed entry is a problem; the others are valid.
    ///
    /// - Parameter file: path of the list, for messages.
    package static func parse(
        _ list: [String: Any], from file: String
    ) -> (converters: [Converter], problems: [ConverterProblem]) {
        // The other keys of the list are not ours.
        var problems = list.keys.sorted().filter { $0.hasPrefix("Portolan") && $0 != key }
            .map { ConverterProblem(file: file, keyPath: $0, sentence: unknownKey) }
        guard let value = list[key] else { return ([], problems) }
        guard let entries = value as? [Any] else {
            problems.append(
                ConverterProblem(file: file, keyPath: key, sentence: "This must be an array of dictionaries."))
            return ([], problems)
        }
        if entries.count > maximumCount {
            let sentence =
                "A file may declare \(maximumCount) converters; these are \(entries.count). The rest is left out."
            problems.append(ConverterProblem(file: file, keyPath: key, sentence: sentence))
        }
        var converters: [Converter] = []
        for (index, entry) in entries.prefix(maximumCount).enumerated() {
            var reader = EntryReader(entry, file: file, keyPath: "\(key)[\(index)]")
            do throws(ConverterProblem) {
                converters.append(try reader.converter())
            } catch {
                problems.append(error)
            }
            problems += reader.remarks
        }
        return (converters, problems)
    }
}

/// Reads one entry of the array.
private struct EntryReader {
    private enum Key: String, CaseIterable {
        case from = "PortolanConverterFrom"
        case to = "PortolanConverterTo"
        case command = "PortolanConverterCommand"
        case timeLimit = "PortolanConverterTimeLimit"
        case sizeLimit = "PortolanConverterSizeLimit"
        case memoryLimit = "PortolanConverterMemoryLimit"
        case reads = "PortolanConverterReads"
        case description = "PortolanConverterDescription"
    }

    private let entry: Any
    private let file: String
    private let keyPath: String
    /// Problems that do not make the entry unusable.
    private(set) var remarks: [ConverterProblem] = []

    init(_ entry: Any, file: String, keyPath: String) {
        self.entry = entry
        self.file = file
        self.keyPath = keyPath
    }

    mutating func converter() throws(ConverterProblem) -> Converter {
        guard let fields = entry as? [String: Any] else { throw problem("This must be a dictionary.") }
        let from = try source(try text(.from, in: fields))
        let to = try result(try text(.to, in: fields), from: from)
        let converter = Converter(
            from: from, to: to, command: try command(in: fields),
            timeLimit: try number(.timeLimit, in: fields, 1...3600).map { .seconds($0) }
                ?? ConverterDeclarations.usualTimeLimit,
            sizeLimit: try number(.sizeLimit, in: fields, 1...(1 << 40)) ?? ConverterDeclarations.usualSizeLimit,
            memoryLimit: try number(.memoryLimit, in: fields, (16 << 20)...(1 << 40))
                ?? ConverterDeclarations.usualMemoryLimit,
            reads: try readable(in: fields), declaredIn: file)
        for unknown in fields.keys.sorted() where Key(rawValue: unknown) == nil {
            remarks.append(problem(ConverterDeclarations.unknownKey, at: unknown))
        }
        return converter
    }

    private func source(_ identifier: String) throws(ConverterProblem) -> UTType {
        guard let type = UTType(identifier: identifier, allowUndeclared: true) else {
            throw problem("“\(DisplayText(identifier))” is no type identifier.", at: .from)
        }
        return type
    }

    private func result(_ identifier: String, from: UTType) throws(ConverterProblem) -> UTType {
        guard let type = UTType(identifier), type.isDeclared else {
            throw problem("No type “\(DisplayText(identifier))” is declared.", at: .to)
        }
        guard type.conforms(to: .data), type != .data,
            type.preferredFilenameExtension != nil || type.preferredMIMEType != nil
        else {
            throw problem(
                "“\(type)” only groups other types, so nothing can be made that is just this; name a type that has a filename extension or a MIME type.",
                at: .to)
        }
        if from.conforms(to: type) {
            throw problem("“\(from)” is “\(type)” already; there is nothing to convert.", at: .to)
        }
        return type
    }

    private func command(in fields: [String: Any]) throws(ConverterProblem) -> [String] {
        let command = try texts(.command, in: fields)
        guard let program = command?.first, let command, !program.isEmpty else {
            throw problem("This must be an array that begins with the name of a program.", at: .command)
        }
        if program.contains("/"), !program.hasPrefix("/") {
            throw problem("A program is named, or given by an absolute path.", at: "\(Key.command.rawValue)[0]")
        }
        if program.contains(Converter.inputPlaceholder) || program.contains(Converter.outputPlaceholder) {
            throw problem("What is converted is never run as a program.", at: "\(Key.command.rawValue)[0]")
        }
        return command
    }

    private func readable(in fields: [String: Any]) throws(ConverterProblem) -> [String] {
        let paths = try texts(.reads, in: fields) ?? []
        for (index, path) in paths.enumerated() where !path.hasPrefix("/") {
            throw problem("This must be an absolute path.", at: "\(Key.reads.rawValue)[\(index)]")
        }
        return paths
    }

    private func text(_ key: Key, in fields: [String: Any]) throws(ConverterProblem) -> String {
        guard let value = fields[key.rawValue] else { throw problem("This is missing.", at: key) }
        return try text(value, at: key.rawValue)
    }

    private func texts(_ key: Key, in fields: [String: Any]) throws(ConverterProblem) -> [String]? {
        guard let value = fields[key.rawValue] else { return nil }
        guard let values = value as? [Any] else { throw problem("This must be an array of strings.", at: key) }
        guard values.count <= ConverterDeclarations.maximumArguments else {
            throw problem(
                "This may have \(ConverterDeclarations.maximumArguments) parts; it has \(values.count).", at: key)
        }
        var texts: [String] = []
        for (index, value) in values.enumerated() { texts.append(try text(value, at: "\(key.rawValue)[\(index)]")) }
        return texts
    }

    private func text(_ value: Any, at key: String) throws(ConverterProblem) -> String {
        guard let text = value as? String else { throw problem("This must be a string.", at: key) }
        guard text.utf8.count <= ConverterDeclarations.maximumTextBytes else {
            throw problem("This is longer than \(ConverterDeclarations.maximumTextBytes) bytes.", at: key)
        }
        guard !text.utf8.contains(0) else { throw problem("This has a NUL character in it.", at: key) }
        return text
    }

    private func number(
        _ key: Key, in fields: [String: Any], _ range: ClosedRange<UInt64>
    ) throws(ConverterProblem) -> UInt64? {
        guard let value = fields[key.rawValue] else { return nil }
        guard !(value is Bool), let number = (value as? NSNumber).flatMap({ UInt64(exactly: $0.doubleValue) }),
            range.contains(number)
        else {
            throw problem("This must be a whole number from \(range.lowerBound) to \(range.upperBound).", at: key)
        }
        return number
    }

    private func problem(_ sentence: String, at key: Key) -> ConverterProblem { problem(sentence, at: key.rawValue) }

    private func problem(_ sentence: String, at key: String? = nil) -> ConverterProblem {
        ConverterProblem(file: file, keyPath: key.map { "\(keyPath).\($0)" } ?? keyPath, sentence: sentence)
    }
}
