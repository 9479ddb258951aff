import ArgumentParser
import Portolan
import PortolanSettings

/// `portolan contacts`: devices that were paired with this one.
struct ContactsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "contacts", "List, rename and forget those this device was paired with.",
        examples: """
            portolan contacts
            portolan contacts --json
            portolan contacts rename workstation "Ada's workstation"
            portolan contacts forget workstation    # and pair again
            """,
        manual: """
            A contact is a peer whose key was confirmed with a code. Its name means this key and no other: no item is \
            sent to another device under it, and an offer of one is taken only if a person here says so. Two contacts \
            that call themselves the same are “debian” and “debian (2)” here.
            """,
        subcommands: [ContactsListCommand.self, ContactsRenameCommand.self, ContactsForgetCommand.self],
        defaultSubcommand: ContactsListCommand.self)
}

/// `portolan contacts list`.
struct ContactsListCommand: Subcommand {
    static let configuration = CommandConfiguration(
        "list", "Show all contacts: name, the beginning of the fingerprint, since when, when last seen.",
        examples: """
            portolan contacts list
            portolan contacts list -v          # whole fingerprints
            portolan contacts list --json
            """)

    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        let contacts = try await Node(Settings(shared).node(nil)).contacts()
        for contact in contacts {
            console.say(ContactLine.text(contact, inFull: console.isVerbose))
            console.emit(\.contact, .init(contact))
        }
        if contacts.isEmpty {
            console.remark(
                "There are no contacts yet. Run 'portolan pair' here and 'portolan pair CODE' on another machine.")
        }
    }
}

/// `portolan contacts rename`.
struct ContactsRenameCommand: Subcommand {
    static let configuration = CommandConfiguration(
        "rename", "Give a contact another name on this device.",
        examples: """
            portolan contacts rename workstation "Ada's workstation"
            """,
        manual: "The contact's own name stays as it is, and goes on naming it as well.")

    @Argument(
        help: .value("name", "Name of the contact, or the beginning of its fingerprint."),
        completion: Completions.contacts, transform: DeviceArgument.parse)
    var contact: DeviceArgument

    @Argument(
        help: .value("new-name", "Its new name."), transform: DeviceName.given)
    var newName: DeviceName

    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        let node = try await Node(Settings(shared).node(nil))
        let name = try await contact.resolved(among: node.contacts().devices)
        try await node.renameContact(name, to: newName)
        console.remark("“\(name)” is called “\(newName)” here from now on.")
        let renamed = try await node.contacts().first { $0.name == newName }
        if let contact = renamed { console.emit(\.contact, .init(contact)) }
    }
}

/// `portolan contacts forget`.
struct ContactsForgetCommand: Subcommand {
    static let configuration = CommandConfiguration(
        "forget", "Forget a contact and its key.",
        examples: "portolan contacts forget workstation",
        manual: "The next device of that name is new. Teams are another matter: 'portolan team remove'.")

    @Argument(
        help: .value("name", "Name of the contact, or the beginning of its fingerprint."),
        completion: Completions.contacts, transform: DeviceArgument.parse)
    var contact: DeviceArgument

    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        let node = try await Node(Settings(shared).node(nil))
        let contact = try await node.forgetContact(contact.resolved(among: node.contacts().devices))
        console.remark(
            "“\(contact.name)”, \(contact.fingerprint), is forgotten; the next device of that name is new.")
        console.emit(\.contactForgotten, .init(contact))
    }
}
