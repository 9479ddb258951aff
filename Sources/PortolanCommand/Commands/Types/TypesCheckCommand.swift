import ArgumentParser
import Portolan
import PortolanConverters

/// `portolan types check`.
struct TypesCheckCommand: Subcommand {
    static let configuration = CommandConfiguration(
        "check", "Find what is wrong with declarations of types and converters.",
        examples: """
            portolan types check
            portolan types check Sources/ Info.plist
            """,
        manual: """
            Without a path, everything that is installed is checked. A path is a property list, or a folder, below which property lists \
            are checked and Swift sources searched for types that nobody declares. Ends with 0 when there are no errors; \
            warnings alone are none.
            """)

    @Argument(
        help: ArgumentHelp("Property lists and folders.", valueName: "path"), completion: .file())
    var paths: [String] = []

    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        let problems = TypeDeclarationCheck.problems(in: paths) + converterProblems()
        for problem in problems {
            console.say("\(problem.severity.rawValue): \(problem)")
            console.emit(\.problem, .init(problem))
        }
        let errors = problems.count { $0.severity == .error }
        guard errors == 0 else {
            throw CommandFailure(.badData, "\(Human.count(errors, "error")) in declarations.")
        }
        console.remark(problems.isEmpty ? "Nothing is wrong." : "\(Human.count(problems.count, "warning")), no error.")
    }

    private func converterProblems() -> [TypeProblem] {
        TypeDeclarationFiles.all(below: paths).flatMap { file in
            ConverterDeclarations.parse(file.contents, from: file.path).problems.map { problem in
                TypeProblem(.error, file: problem.file, keyPath: problem.keyPath, problem.sentence)
            }
        }
    }
}
