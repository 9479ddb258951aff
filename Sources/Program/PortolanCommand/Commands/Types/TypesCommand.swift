import ArgumentParser

/// `portolan types`: content types known to this machine.
struct TypesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "types", "Look up, check and install content types and converters.",
        examples: """
            portolan types show heic
            portolan types of photo.png notes.md
            portolan types check com.example.note.plist
            portolan types import com.example.note.plist
            """,
        manual: """
            Types are declared in property lists, as in an app's Info.plist: UTExportedTypeDeclarations for those you \
            own, UTImportedTypeDeclarations for those of others. They are found in uniform-type-identifiers/ below \
            XDG_DATA_HOME (usually ~/.local/share) and XDG_DATA_DIRS, and beside the program. Undeclared types are \
            looked for in the machine's shared-mime-info.

            The same files declare converters: a list PortolanConverters of dictionaries with PortolanConverterFrom, PortolanConverterTo \
            and PortolanConverterCommand (a program and its arguments, with {input} and {output} for the paths); optional are \
            PortolanConverterTimeLimit in seconds, PortolanConverterSizeLimit and PortolanConverterMemoryLimit in bytes, and \
            PortolanConverterReads, paths it may read. They may name types that their file declares. Content of the memory limit's size \
            (4 GiB, if none is given) is not converted. A converter is used where its program is installed. It sees its input, \
            its output and the system's programs, and no network; where the kernel cannot hold it to that, \
            'portolan offer' says so.
            """,
        subcommands: [
            TypesShowCommand.self, TypesOfCommand.self, TypesListCommand.self, TypesConformsCommand.self,
            TypesCheckCommand.self, TypesImportCommand.self,
        ])
}
