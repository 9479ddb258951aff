import ArgumentParser

/// `portolan`.
struct Root: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "portolan",
        abstract: "Carry typed items between machines on one network.",
        discussion: """
            Start with 'portolan demo'. Then run 'portolan receive --into ~/Drop' on one machine and \
            'portolan send FILE --to NAME' on another; 'portolan peers' shows who is there.

            Nothing needs to be set up. Each device makes a key of its own at the first start; its fingerprint \
            ('portolan id') is what people compare to be sure of each other.
            """,
        version: "0.1.0",
        subcommands: [IdCommand.self, ExitCodesPage.self, JSONOutputPage.self])
}

@main
enum Main {
    static func main() async {
        Interruption.listen()
        do {
            var command = try Root.parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            Root.exit(withError: error)
        }
    }
}
