import Glibc

/// Command to run on a host.
public struct Command: Sendable, CustomStringConvertible {
    /// Standard input of a command.
    public enum Input: Sendable {
        /// Empty input (`/dev/null`), and no terminal.
        case none
        /// These bytes through a pipe, then its end. At most 64 KiB, the capacity of a pipe.
        case bytes([UInt8])
        /// The file at a path, opened for reading.
        case file(String)
        /// An open descriptor, which the caller keeps.
        case descriptor(Int32)
        /// A terminal, which also takes both outputs; `RunningCommand.type(_:)` is its keyboard.
        case terminal
    }

    public var arguments: [String]
    public var environment: [String: String]
    public var input: Input
    /// Working directory; nil for the host's home.
    public var directory: String?

    /// - Parameters:
    ///   - arguments: the program, looked up in PATH unless it has a slash, and its arguments.
    ///   - environment: added to the host's own.
    public init(
        _ arguments: [String], environment: [String: String] = [:], input: Input = .none, directory: String? = nil
    ) {
        precondition(!arguments.isEmpty, "a command has at least a name")
        self.arguments = arguments
        self.environment = environment
        self.input = input
        self.directory = directory
    }

    public var description: String {
        arguments.map { $0.contains(" ") || $0.isEmpty ? "'\($0)'" : $0 }.joined(separator: " ")
    }
}

/// Ending of a command, with its output.
public struct Outcome: Sendable, CustomStringConvertible {
    public enum Ending: Sendable, Equatable {
        case exit(Int32)
        case signal(Int32)
    }

    public let command: Command
    public let host: String
    public let ending: Ending
    public let output: [UInt8]
    public let errors: [UInt8]
    /// Time from the start of the process to its end.
    public let duration: Duration
    /// Processor time of the process and the children it waited for, in seconds.
    public let processorSeconds: Double

    /// Exit code, or 128 + the signal, as in a shell.
    public var code: Int32 {
        switch ending {
        case .exit(let code): code
        case .signal(let number): 128 + number
        }
    }

    /// Standard output as text.
    public var text: String { String(decoding: output, as: UTF8.self) }
    /// Standard error as text.
    public var errorText: String { String(decoding: errors, as: UTF8.self) }
    public var outputLines: [Substring] { text.split(whereSeparator: \.isNewline) }

    public var description: String {
        """
        [\(host)] \(command)
        ended with \(ending) after \(duration)
        --- standard output
        \(text)--- standard error
        \(errorText)---
        """
    }
}

/// Error of the hosts themselves, not of programs on them.
public struct HostsError: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String) {
        self.description = description
    }

    /// A failed system call; `status` is `-errno`.
    init(_ doing: String, status: Int32) {
        description = "\(doing): \(String(cString: strerror(-status)))"
    }
}
