import UniformTypeIdentifiers

/// A command that makes one type of content from another, as somebody declared it.
///
/// The command is run as it stands, without a shell. In its arguments `{input}` stands for the path of the content and
/// `{output}` for the path the result is expected at. Without `{input}` the content is on standard input; without `{output}`
/// the result is what the command writes to standard output.
package struct Converter: Sendable, Hashable {
    package static let inputPlaceholder = "{input}"
    package static let outputPlaceholder = "{output}"

    /// What it takes: this type and all that conform to it.
    package let from: UTType
    /// What it makes: a type that content can be of, not one that only groups others.
    package let to: UTType
    /// The program, looked up in PATH unless absolute, and its arguments.
    package let command: [String]
    /// How long it may run.
    package let timeLimit: Duration
    /// How many bytes it may write, all its files together.
    package let sizeLimit: UInt64
    /// How many bytes of address space each of its processes may have.
    package let memoryLimit: UInt64
    /// Files and folders that it may read beside those of the system.
    package let reads: [String]
    /// The file that declares it.
    package let declaredIn: String

    /// What the program is called in messages.
    package var tool: String {
        String(command[0].split(separator: "/").last ?? Substring(command[0]))
    }

    var readsStandardInput: Bool { !mentions(Self.inputPlaceholder) }
    var writesStandardOutput: Bool { !mentions(Self.outputPlaceholder) }

    /// The arguments with paths in place of placeholders.
    func arguments(input: String, output: String) -> [String] {
        command.map { argument in
            // The path put in for one placeholder is not searched for the other.
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
    /// One that comes with Portolan, as the generated table names it.
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
