import ArgumentParser
import Portolan
import PortolanConcurrency
import PortolanSettings
import PortolanSyncPeers

/// `portolan id`: name, key and state of this device.
struct IdCommand: Subcommand {
    static let configuration = CommandConfiguration(
        "id", "Show this device's name, the fingerprint of its key, and where its state lies.",
        examples: """
            portolan id
            portolan id --name "Ada's laptop"
            portolan id --json
            portolan id --new-key     # for a machine whose disk is a copy of another's
            portolan id --keep-key    # for the other one of them
            """,
        manual: """
            Two people compare fingerprints to be sure that their machines talk to each other, without a third one in \
            between. The key behind one is made at the first start and never leaves this machine. So is the name, from \
            the account and the host: ada@laptop.

            With a new key this is another device to all that know it: it has to be paired again, and to join its \
            teams again, and the makers of folders that are for it as a contact have to give them to the new key; all \
            that is listed. Files, settings and history stay. The old key is kept beside the new one, in \
            device.key.old.

            Where two machines have one key, as after a copy of a disk, folders that are kept alike stand still on \
            both. Give one of them a new key; with --keep-key the folders go on on the other. Files on its disk count \
            as new there: equal ones are one with the others', others become conflicts, and no file is deleted. Files \
            that others deleted meanwhile come back.

            \(IdentityPage.text)
            """)

    @Option(help: .value("name", "Give this device another name from now on."))
    var name: String?

    @Flag(help: "Give this device another key from now on.")
    var newKey = false

    @Flag(help: "Let folders go on here that stand still because another machine has this device's key.")
    var keepKey = false

    @OptionGroup var shared: SharedOptions

    func validate() throws {
        if newKey, keepKey { throw ValidationError("A machine keeps its key or gets another one; give one of both.") }
    }

    func perform(_ console: Console) async throws {
        let settings = try Settings(shared)
        if let name {
            try await Node.renameDevice(to: DeviceName.given(name), in: settings.home)
            if let configured = settings.file.name {
                console.diagnose(
                    "\(settings.home.configurationFile) calls this device “\(configured)”; that goes first.")
            }
        }
        if newKey { try await renewKey(settings, console) }
        if keepKey {
            let folders = try await withLookupThread { try SyncFolderList(home: settings.home).keepKey() }
            let names = folders.map { "“\(DisplayText($0, limit: 100))”" }.joined(separator: ", ")
            console.remark(
                folders.isEmpty
                    ? "No folder stands still because of the key of this device."
                    : "This machine keeps the key. The agent or 'portolan sync run' goes on with \(names).")
        }
        let node = try await Node(settings.node(nil))
        show(node.identity, in: settings.home, on: console)
    }

    /// Gives the device another key, and lists what has to be done again.
    private func renewKey(_ settings: Settings, _ console: Console) async throws {
        let node = try await Node(settings.node(nil))
        let contacts = try await node.contacts().map { "“\($0.name)”" }
        let teams = try await node.teams().filter { $0.ownName != nil }.map { "“\($0.team.name)”" }
        let own = PinnedKey(node.identity.publicKey)
        let (folders, makers) = try await withLookupThread {
            let folders = try SyncFolderList(home: settings.home).all().compactMap { entry in
                entry.audience.flatMap { $0.namesContact(own) ? (name: entry.name, maker: $0.maker) : nil }
            }
            return (folders, try SyncListCommand.names(of: Set(folders.map(\.maker)), settings.home))
        }
        try await Node.renewKey(in: settings.home)
        console.remark("This device has another key from now on. Programs that run keep the old one until they end.")
        let lists = [("To pair with again", contacts), ("Teams to join again", teams)]
        for (title, names) in lists where !names.isEmpty {
            console.remark("\(title): \(names.joined(separator: ", ")).")
        }
        for folder in folders {
            let name = DisplayText(folder.name, limit: 100)
            let giver =
                folder.maker == own
                ? "the machine that keeps the old key"
                : "its maker \(makers[folder.maker] ?? "")"
            console.remark(
                """
                “\(name)”: \(giver) gives it to the new key with “portolan sync sign \(DisplayText.shellWord(folder.name)) \
                --with …”, for this device and those of before, after the two are paired.
                """)
        }
    }

    private func show(_ identity: DeviceIdentity, in home: HomeDirectory, on console: Console) {
        console.say(
            """
            name         \(identity.name)
            fingerprint  \(identity.fingerprint)
            key file     \(shown(home.deviceKeyFile))
            state        \(shown(home.state))
            settings     \(shown(home.configurationFile))
            """)
        console.emit(\.id, .init(identity, in: home))
    }

    private func shown(_ path: String) -> DisplayText { DisplayText(path, limit: 4096) }
}
