import ArgumentParser
import Portolan
import PortolanConverters

/// `portolan types import`.
struct TypesImportCommand: Subcommand {
    static let configuration = CommandConfiguration(
        "import", "Install the declarations of a property list for this user.",
        examples: "portolan types import com.example.note.plist",
        manual: "The file is checked first; with an error in it, nothing is installed.")

    @Argument(help: .value("file", "A property list with declarations of types or converters."), completion: .file())
    var file: String

    @Flag(help: "Replace a file of the same name that is installed already.")
    var replace = false

    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        guard FileManager.default.isReadableFile(atPath: file) else {
            throw CommandFailure(.noInput, "“\(DisplayText(file))” is not there, or cannot be read.")
        }
        let places = TypePlaces.ofThisProcess
        let problems = ConverterDeclarations.problems(below: [file])
        if let problem = problems.first(where: { $0.severity == .error }) {
            throw CommandFailure(.badData, "\(DisplayText(sentence: "\(problem)", limit: 1000))")
        }
        let installed: (path: String, warnings: [TypeProblem])
        do throws(TypeDeclarationError) {
            installed = try places.importDeclarations(
                from: file, replacing: replace, alsoFor: [ConverterDeclarations.key])
        } catch {
            for problem in error.problems { console.emit(\.problem, .init(problem)) }
            let isInTheWay = error.problems.contains { $0.file?.hasPrefix(places.userFolder ?? "/") ?? false }
            throw CommandFailure(
                isInTheWay ? .cannotCreate : .badData, DisplayText(oneLine: "\(error)", limit: 4000).text)
        }
        for warning in installed.warnings + problems {
            console.emit(\.problem, .init(warning))
            console.diagnose("warning: \(warning)")
        }
        console.say("Installed as \(DisplayText(installed.path, limit: 4096)).")
        console.emit(\.imported, .init(path: installed.path))
    }
}
