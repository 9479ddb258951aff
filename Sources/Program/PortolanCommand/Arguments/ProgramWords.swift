import PortolanValues

/// Words of the command line, each as ``PathText``, so that a path keeps its bytes.
///
/// `CommandLine.arguments` has U+FFFD for each byte that is not UTF-8, and so names different files. ArgumentParser
/// supports only text.
enum ProgramWords {
    /// Words after the program's name.
    static let all: [String] = (1..<max(1, Int(CommandLine.argc))).compactMap { index in
        CommandLine.unsafeArgv[index].map { PathText.text(of: $0) }
    }
}
