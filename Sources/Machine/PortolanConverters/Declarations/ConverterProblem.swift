import PortolanValues

/// Defect of one declaration of a converter.
package struct ConverterProblem: Error, Sendable, Hashable, CustomStringConvertible {
    package let file: String
    /// Key path in the file: `PortolanConverters[2].PortolanConverterTo`.
    package let keyPath: String
    package let sentence: String

    package var description: String { "\(DisplayText(file)): \(DisplayText(keyPath)): \(sentence)" }
}

extension Converter {
    /// Parts that its author may not have meant, though it can be used.
    package func warnings(tools: ToolSearch = .environment) -> [ConverterProblem] {
        var sentences: [String] = []
        if readsStandardInput {
            sentences.append("has no \(Self.inputPlaceholder), so that it gets the content on standard input")
        }
        if tools.find(command[0]) == nil { sentences.append("is not used: it is not installed here") }
        return sentences.map { sentence in
            ConverterProblem(
                file: declaredIn, keyPath: ConverterDeclarations.key,
                sentence: "“\(DisplayText(tool))”, which makes \(to) of \(from), \(sentence).")
        }
    }
}
