import ArgumentParser
import Portolan
import PortolanSettings

/// `portolan pair`: pairs two machines by a code that is read aloud.
struct PairCommand: NetworkSubcommand {
    static let configuration = CommandConfiguration(
        "pair", "Make a contact: show a code and wait, or enter the code that the other machine shows.",
        examples: """
            portolan pair                    # shows a code, and waits
            portolan pair 7-walnut-harbor    # on the other machine
            portolan pair --enter            # the same, and asks for the code
            portolan pair - <code.txt        # without a terminal
            portolan pair --qr --valid 2m
            """,
        manual: """
            One machine shows a code and waits, a person reads it aloud to the user of the other, and it is entered \
            there. From then on both know each other's key, without a third device in between.

            Capitals do not matter, nor whether hyphens or spaces stand between the words. A wrong code ends the right \
            one: one guess is all there is. If another device is known by its name, the new contact gets a number: \
            “debian (2)”. Ends with 77 for a wrong code, with 69 if no device waits with that number.

            The code is the first line on standard output; with --quiet, there is no other.

            \(PairPage.text)
            """)

    @OptionGroup var entered: CodeArguments

    @Flag(help: "Ask for the code at the terminal.")
    var enter = false

    @OptionGroup var made: CodeOptions
    @OptionGroup var search: CodeSearch
    @OptionGroup var network: NetworkOptions

    private var source: CodeSource? { enter ? .terminal : entered.source }

    func validate() throws {
        if enter, entered.source != nil {
            throw ValidationError("--enter asks for the code, so leave it out where it is given.")
        }
        if source != nil, made.valid != nil || made.qr {
            throw ValidationError("--valid and --qr belong to a code that is made here; leave out the other code.")
        }
        if source == nil, search.wait != nil || search.place != nil {
            throw ValidationError("--wait and --at belong to a code that is entered; leave them out where one is made.")
        }
        try made.validate(with: shared)
    }

    func perform(_ console: Console) async throws {
        var configuration = try Settings(shared).node(network)
        configuration.takesOtherPorts = true
        let node = try await Node(configuration)
        let reporter = CodeReporter(console: console)
        let contact: Contact
        if let source {
            let code = try await source.read(console)
            contact = try await node.pair(with: code, at: search.place, wait: search.duration) { reporter.report($0) }
        } else {
            try made.check()
            let code = try await node.makePairingCode()
            try reporter.announce(code, options: made, command: "portolan pair")
            contact = try await node.waitForPairing(code, valid: made.lifetime) { reporter.report($0) }
        }
        let other = contact.announcedName == contact.name ? "" : ", calls itself “\(contact.announcedName)”"
        console.remark("“\(contact.name)” is a contact now\(other), with the key")
        console.remark("  \(contact.fingerprint)")
        console.emit(\.paired, .init(contact))
        console.emit(.end(.done))
    }
}
