import Portolan

/// Destination of one item: standard output is the only one.
enum OutputArgument: Sendable {
    case standardOutput

    static func parse(_ text: String) throws(ValueError) -> OutputArgument {
        guard text == "-" else {
            throw ValueError("--output takes - and nothing else; --into names a folder to store in.")
        }
        return .standardOutput
    }
}
