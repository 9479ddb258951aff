import ArgumentParser
import Portolan

/// `portolan types of`.
struct TypesOfCommand: Subcommand {
    static let configuration = CommandConfiguration(
        "of", "Say which type files and folders would be sent as.",
        examples: "portolan types of photo.png notes.md",
        manual: "The kind of a file and its name count; contents are not read.")

    @Argument(help: .value("path", "Files and folders."), completion: .file())
    var paths: [String]

    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        for path in paths {
            var status = stat()
            let name = URL(fileURLWithPath: path).lastPathComponent
            guard stat(path.pathBytes, &status) == 0,
                let type = UTType.type(ofItemNamed: name, mode: status.st_mode)
            else {
                throw CommandFailure(.noInput, "“\(DisplayText(path))” is not there, or may not be looked at.")
            }
            let description = type.localizedDescription.map { "  \(DisplayText($0))" } ?? ""
            console.say("\(DisplayText(path, limit: 4096)): \(DisplayText(type.identifier))\(description)")
            console.emit(TypeText.event(type, of: path))
        }
    }
}
