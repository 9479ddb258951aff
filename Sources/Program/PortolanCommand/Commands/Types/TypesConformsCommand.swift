import ArgumentParser
import Portolan
import PortolanSettings

/// `portolan types conforms`.
struct TypesConformsCommand: Subcommand {
    static let configuration = CommandConfiguration(
        "conforms", "Say whether a type is a kind of another.",
        examples: "portolan types conforms png public.image",
        manual: "Ends with 0 if it is, with 1 if it is not.")

    @Argument(help: .value("type", "An identifier, extension or MIME type."), transform: TypeSyntax.parseAny)
    var type: UTType

    @Argument(help: .value("other", "The possible supertype."), transform: TypeSyntax.parseAny)
    var other: UTType

    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        let conforms = type.conforms(to: other)
        let verb = conforms ? "conforms" : "does not conform"
        console.say("\(DisplayText(type.identifier)) \(verb) to \(DisplayText(other.identifier)).")
        console.emit(\.conforms, .init(type, to: other, conforms: conforms))
        if !conforms { throw ExitCode(ExitStatus.no.rawValue) }
    }
}
