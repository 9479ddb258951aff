import ArgumentParser
import Portolan
import PortolanConverters

/// `portolan types check`.
struct TypesCheckCommand: Subcommand {
    static let configuration = CommandConfiguration(
        "check", "Find mistakes in declarations of types and converters.",
        examples: """
            portolan types check
            portolan types check Sources/ Info.plist
            """,
        manual: """
            Without a path, everything that is installed is checked. A path is a property list, or a folder, below \
            which property lists are checked and Swift sources searched for undeclared types. Ends with 0 when there \
            are no errors; warnings alone are none.
            """)

    @Argument(help: .value("path", "Property lists and folders."), completion: .file())
    var paths: [String] = []

    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        let problems = TypeDeclarationCheck.problems(in: paths) + ConverterDeclarations.problems(below: paths)
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
}

extension ConverterDeclarations {
    /// Problems of the converters in files and below folders; without any path, of those on this machine.
    static func problems(below paths: [String]) -> [TypeProblem] {
        let files = TypeDeclarationFiles.all(below: paths)
        // A converter may make a type that its file declares. The check of types tells what is wrong with that.
        for file in files { try? UTType.register(declarations: file.contents) }
        return files.flatMap { file in
            let (converters, problems) = parse(file.contents, from: file.path)
            return problems.map { TypeProblem(.error, $0) }
                + converters.flatMap { $0.warnings() }.map { TypeProblem(.warning, $0) }
        }
    }
}

extension TypeProblem {
    fileprivate init(_ severity: Severity, _ problem: ConverterProblem) {
        self.init(severity, file: problem.file, keyPath: problem.keyPath, problem.sentence)
    }
}
