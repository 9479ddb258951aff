import PortolanValues

/// Defect of one declaration of a converter.
package struct ConverterProblem: Error, Sendable, Hashable, CustomStringConvertible {
    package let file: String
    /// Key path in the file: `PortolanConverters[2].PortolanConverterTo`.
    package let keyPath: String
    package let sentence: String

    package var description: String { "\(DisplayText(file)): \(DisplayText(keyPath)): \(sentence)" }
}
