import ArgumentParser
import Portolan
import PortolanSettings

/// `portolan types show`.
struct TypesShowCommand: Subcommand {
    static let configuration = CommandConfiguration(
        "show", "Show what is known of a type.",
        examples: """
            portolan types show png
            portolan types show com.example.recipe --json
            """,
        manual: """
            TYPE is an identifier (public.png), an extension (png) or a MIME type (image/png). A tag that no type \
            claims has a dynamic type, whose identifier spells out the tag.
            """)

    @Argument(help: .value("type", "The type to show."), transform: TypeSyntax.parseAny)
    var types: [UTType]

    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        for type in types {
            console.say(TypeText.full(type))
            console.emit(TypeText.event(type))
        }
    }
}
