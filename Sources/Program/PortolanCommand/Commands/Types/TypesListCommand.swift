import ArgumentParser
import Portolan
import PortolanSettings

/// `portolan types list`.
struct TypesListCommand: Subcommand {
    static let configuration = CommandConfiguration(
        "list", "List the types that are declared here.",
        examples: "portolan types list")

    @Option(
        name: .customLong("conforming-to"), help: .value("type", "Only this type and its kinds."),
        transform: TypeSyntax.parse)
    var supertype: UTType?

    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        let types = TypeRegistry.shared.allTypes.filter { type in
            type.isDeclared && (supertype.map(type.conforms(to:)) ?? true)
        }
        for type in types {
            guard console.hasReader else { return }
            let words = [
                DisplayText(type.identifier).text, type.preferredFilenameExtension.map { "." + DisplayText($0).text },
                type.localizedDescription.map { DisplayText($0).text },
            ]
            console.say(words.compactMap(\.self).joined(separator: "  "))
            console.emit(TypeText.event(type))
        }
    }
}
