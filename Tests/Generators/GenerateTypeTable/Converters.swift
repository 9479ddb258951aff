import Foundation

struct DeclaredConverters: Decodable {
    var converters: [DeclaredConverter]

    enum CodingKeys: String, CodingKey {
        case converters = "PortolanConverters"
    }
}

struct DeclaredConverter: Decodable {
    var from: String
    var to: String
    var command: [String]
    var timeLimit: Int?
    var sizeLimit: UInt64?
    var memoryLimit: UInt64?
    var reads: [String]?

    enum CodingKeys: String, CodingKey {
        case from = "PortolanConverterFrom"
        case to = "PortolanConverterTo"
        case command = "PortolanConverterCommand"
        case timeLimit = "PortolanConverterTimeLimit"
        case sizeLimit = "PortolanConverterSizeLimit"
        case memoryLimit = "PortolanConverterMemoryLimit"
        case reads = "PortolanConverterReads"
    }

    /// A call that makes the converter. Undeclared limits are omitted from it.
    var source: String {
        func list(_ texts: [String]) -> String { "[" + texts.map(literal).joined(separator: ", ") + "]" }
        let arguments = [
            "shippedFrom: \(literal(from))", "to: \(literal(to))", "command: \(list(command))",
            timeLimit.map { "timeLimit: .seconds(\($0))" }, sizeLimit.map { "sizeLimit: \($0)" },
            memoryLimit.map { "memoryLimit: \($0)" }, reads.map { "reads: \(list($0))" },
        ]
        return "Converter(\(arguments.compactMap(\.self).joined(separator: ", "))),"
    }
}

/// The Swift source of the converters in a property list.
func converters(inFile path: String) -> [String] {
    guard let data = FileManager.default.contents(atPath: path) else { fail("cannot read \(path)") }
    do {
        let declared = try PropertyListDecoder().decode(DeclaredConverters.self, from: data).converters
        return [
            "extension ConverterDeclarations {",
            "    /// The converters that come with Portolan, for programs that Debian has.",
            "    package static let shipped: [Converter] = [",
        ] + declared.map { "        \($0.source)" } + ["    ]", "}"]
    } catch {
        fail("\(path) holds no converters: \(error)")
    }
}
