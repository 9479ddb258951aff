import UniformTypeIdentifiers

/// A declared command that converts one type of content to another.
///
/// The command is run without a shell. In its arguments `{input}` stands for the path of the content and `{output}` for
/// the path of the result. Without `{input}` the content is on standard input; without `{output}` the result is read
/// from standard output.
package struct Converter: Sendable, Hashable {
    package static let inputPlaceholder = "{input}"
    package static let outputPlaceholder = "{output}"

    /// Input type: this type and all that conform to it.
    package let from: UTType
    /// Output type: a concrete type, not one that only groups others.
    package let to: UTType
    /// Program, looked up in PATH unless absolute, and its arguments.
    package let command: [String]
    /// Longest run time.
    package let timeLimit: Duration
    /// Largest output in bytes, of all files together.
    package let sizeLimit: UInt64
    /// Largest address space of each process, in bytes. Content of this size is not converted.
    package let memoryLimit: UInt64
    /// Files and folders that the command may read beside those of the system.
    package let reads: [String]
    /// File with the declaration.
    package let declaredIn: String

    /// Name of the program in messages.
    package var tool: String {
        String(command[0].split(separator: "/").last ?? Substring(command[0]))
    }

    var readsStandardInput: Bool { !mentions(Self.inputPlaceholder) }
    var writesStandardOutput: Bool { !mentions(Self.outputPlaceholder) }

    /// Returns the arguments with paths in place of placeholders.
    func arguments(input: String, output: String) -> [String] {
        command.map { argument in
            // A path that replaces one placeholder is not searched for the other.
            argument.split(separator: Self.inputPlaceholder, omittingEmptySubsequences: false)
                .map {
                    $0.split(separator: Self.outputPlaceholder, omittingEmptySubsequences: false).joined(
                        separator: output)
                }
                .joined(separator: input)
        }
    }

    private func mentions(_ placeholder: String) -> Bool {
        command.contains { $0.contains(placeholder) }
    }
}

extension Converter {
    /// Makes a converter of Portolan's own, from the generated table.
    init(
        shippedFrom from: String, to: String, command: [String],
        timeLimit: Duration = ConverterDeclarations.usualTimeLimit,
        sizeLimit: UInt64 = ConverterDeclarations.usualSizeLimit,
        memoryLimit: UInt64 = ConverterDeclarations.usualMemoryLimit, reads: [String] = []
    ) {
        func type(_ identifier: String) -> UTType {
            guard let type = UTType(identifier) else { preconditionFailure("our own converters name unknown types") }
            return type
        }
        self.init(
            from: type(from), to: type(to), command: command, timeLimit: timeLimit, sizeLimit: sizeLimit,
            memoryLimit: memoryLimit, reads: reads, declaredIn: "debian-converters.plist")
    }
}
