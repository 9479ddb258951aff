import PortolanValues

/// The command line, each word of it as ``PathText``: a path keeps the bytes that were typed.
///
/// `CommandLine.arguments` has U+FFFD for each byte that is not UTF-8, and so names other files than were meant.
/// ArgumentParser takes text only.
enum ProgramWords {
    /// The words behind the program's name.
    static let all: [String] = (1..<max(1, Int(CommandLine.argc))).compactMap { index in
        CommandLine.unsafeArgv[index].map { PathText.text(of: $0) }
    }
}
