import ArgumentParser
import Portolan
import PortolanConcurrency
import PortolanProtocol
import PortolanSettings
import PortolanSyncFolder
import PortolanSyncPeers
import PortolanSyncPlan

/// `portolan sync add`.
struct SyncAddCommand: AgentSubcommand {
    static let configuration = CommandConfiguration(
        "add", "Share a folder of this device, to keep it alike with others.",
        examples: """
            portolan sync add ~/Notes --with @acme/design
            portolan sync add ~/Notes --with ben --name Minutes
            portolan sync add ~/Photos --with @acme --mode send-only
            """,
        manual: """
            This device signs for whom the folder is, and all that have it show the same; 'portolan sync sign' changes it.

            Returns when a running agent has taken it up. The agent starts again by itself for that. A folder that is \
            kept alike here already is refused, also by another path that leads to it, and so is one in it or around \
            it: each file would be kept alike twice. The program's own files are left out, by any link, and 'portolan \
            sync' names them.
            """)

    @Argument(help: .value("folder", "The folder."), completion: .directory)
    var folder: String

    @Option(
        name: .customLong("with"),
        help: ArgumentHelp(
            "With whom: @team, @team/group, or a contact by its name or the beginning of its fingerprint; may be given several times.",
            valueName: "@team|peer"),
        completion: Completions.targets)
    var with: [String]

    @Option(help: .value("name", "Its name; the folder's own if left out."))
    var name: String?

    @OptionGroup var keeping: SyncKeeperOptions
    @OptionGroup var ways: SyncWaysOptions
    @OptionGroup var options: AgentSubcommandOptions

    func perform(_ console: Console) async throws {
        let settings = try Settings(shared)
        let node = try await Node(settings.node(nil))
        let parts = try await SyncAudience.parts(with, by: node)
        let path = try SyncPath.folder(folder)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
            throw CommandFailure(.noInput, "There is no folder \(DisplayText(path, limit: 4096)).")
        }
        var entry = try SyncFolderEntry(
            name: name ?? URL(fileURLWithPath: path).lastPathComponent, path: path, for: parts,
            keepers: try await keeping.keys(by: node), by: node.identity.key, ways: ways.ways)
        entry.root = await withLookupThread { SharedRoot.identity(of: path) }
        try await entry.add(to: settings.home)
        if await withLookupThread({ SyncFolderPlace.isAroundOwnFiles(path, of: settings.home) }) {
            console.remark("The program's own files in it are left out.")
        }
        let keeper =
            await agent.takeUp(entry, settings, console) ? "by the agent" : "while 'portolan sync run' runs"
        console.remark("“\(DisplayText(entry.name, limit: 100))” is kept alike \(keeper).")
    }
}

/// `portolan sync join`.
struct SyncJoinCommand: AgentSubcommand {
    static let configuration = CommandConfiguration(
        "join", "Have a copy of a folder that others share, and keep it alike with theirs.",
        examples: """
            portolan sync join acme:Notes ~/Notes
            portolan sync join ben:Minutes ~/Minutes --mode receive-only
            """,
        manual: """
            It says whose folder it takes, and for whom that is: the word of its maker, which no other member can widen. Where several \
            folders have the name it lists them, and --maker chooses.

            Returns when a running agent has taken it up. The agent starts again by itself for that.
            """)

    @Argument(
        help: .value("team|peer:name", "The owner, and the folder's name there: a team or group, or a contact."),
        completion: Completions.offeredFolders)
    var from: String

    @Argument(help: .value("folder", "Where the copy goes; made if it is not there."), completion: .directory)
    var folder: String

    @Option(help: .value("name", "Its name here; the others' name if left out."))
    var name: String?

    @Option(
        help: ArgumentHelp(
            "The maker, where several folders have the name: the beginning of its fingerprint.",
            valueName: "fingerprint"))
    var maker: String?

    @Option(
        help: ArgumentHelp(
            "Of those for whom it is, who may have it from this device: @team, @team/group, or a contact; may be given several times.",
            valueName: "@team|peer"),
        completion: Completions.targets)
    var only: [String] = []

    @OptionGroup var ways: SyncWaysOptions
    @OptionGroup var options: AgentSubcommandOptions

    func perform(_ console: Console) async throws {
        let parts = from.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
            throw CommandFailure(.usage, "Write whose folder it is and its name: TEAM:NAME or PEER:NAME.")
        }
        let settings = try Settings(shared)
        let node = try await Node(settings.node(nil))
        let audience = try await SyncAudience.named(parts[0], by: node, orTeam: true)
        let path = try SyncPath.folder(folder)
        var entry = SyncFolderEntry(
            name: name ?? parts[1], path: path, audiences: [audience], id: nil, wanted: parts[1], ways: ways.ways)
        entry.wantedMaker = maker
        for one in only { entry.limits = (entry.limits ?? []) + [try await SyncAudience.named(one, by: node)] }
        let offer = try await offer(of: parts[1], audience, node, SyncFolderList(home: settings.home))
        entry.wantedID = offer?.id
        try await entry.add(to: settings.home)
        try translating(FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)) {
            (_: any Error) in
            CommandFailure(.cannotCreate, "The folder \(DisplayText(path, limit: 4096)) cannot be made.")
        }
        try await SyncFolderList(home: settings.home).change(entry) { $0.root = SharedRoot.identity(of: path) }
        let keeper = await agent.takeUp(entry, settings, console) ? "the agent" : "'portolan sync run'"
        console.remark(
            "“\(DisplayText(entry.name, limit: 100))”\(offer?.shown ?? "") is fetched when \(keeper) meets one who has it."
        )
    }

    /// Folder that others offered when they were met last; nil for none.
    ///
    /// - Throws: `CommandFailure` if several have the name.
    private func offer(
        of wanted: String, _ audience: SyncAudience, _ node: Node, _ list: SyncFolderList
    ) async throws -> (id: String, shown: String)? {
        var found: [String: String] = [:]
        for offers in try await withLookupThread({ try list.offers() }) {
            guard let bytes = Hexadecimal.bytes(inEitherCase: offers.key),
                let device = try? DevicePublicKey(bytes: bytes),
                audience.includes(try await node.standing(of: device), inGroup: false, is: { $0.matches(device) })
            else { continue }
            for folder in offers.folders where folder.name == wanted {
                guard let audience = folder.audience,
                    maker.map({ audience.maker.fingerprint.hasPrefix($0) }) ?? true
                else { continue }
                let name = DisplayText(await node.shownName(of: audience.maker), limit: 100)
                let with = DisplayText(audience.words.joined(separator: ", "), limit: 500)
                found[folder.id] = " of “\(name)” (\(audience.maker.fingerprint)), for \(with),"
            }
        }
        guard found.count > 1 else { return found.first.map { ($0.key, $0.value) } }
        let list = found.values.sorted().map { $0.dropLast() }.joined(separator: ";")
        throw CommandFailure(
            .usage,
            "Several folders are called “\(DisplayText(wanted, limit: 100))”; give --maker with the beginning of a "
                + "fingerprint:\(list).")
    }
}

extension SyncAudience {
    /// Parts of a statement that the user names.
    static func parts(_ texts: [String], by node: Node) async throws -> [FolderStatement.Part] {
        var parts: [FolderStatement.Part] = []
        for text in texts {
            guard let part = try await named(text, by: node).part else {
                throw CommandFailure(.usage, "“\(DisplayText(text, limit: 80))” is no team, group or contact.")
            }
            parts.append(part)
        }
        return parts
    }

    /// Team or contact that the user names.
    ///
    /// - Parameter orTeam: true if a team may be named without `@` when no contact has the name.
    static func named(_ text: String, by node: Node, orTeam: Bool = false) async throws -> SyncAudience {
        if TeamTarget.names(text) {
            let target = try TeamTarget.parse(text)
            return SyncAudience(team: try await node.team(of: target), target)
        }
        do {
            let contact = try await node.contact(named: text)
            return SyncAudience(contact: contact.key, name: contact.name)
        } catch {
            guard orTeam, let target = try? TeamTarget.parse("@" + text), let team = try? await node.team(of: target)
            else { throw error }
            return SyncAudience(team: team, target)
        }
    }
}

extension SyncFolderEntry {
    /// - Throws: `CommandFailure` if another folder has the name or the path.
    fileprivate func add(to home: HomeDirectory) async throws {
        let entry = self
        guard !name.isEmpty, name.utf8.count <= Limits.name, DisplayText(name).text == name else {
            throw CommandFailure(.usage, "A folder's name has 1 to \(Limits.name) bytes of text that can be shown.")
        }
        let (place, obstacle) = await withLookupThread {
            (SyncFolderPlace(path), SyncFolderPlace.obstacle(at: path, in: home))
        }
        if let obstacle { throw CommandFailure(.usage, obstacle) }
        let list = SyncFolderList(home: home)
        try await withLookupThread {
            // Before the list is locked, since a disk that does not answer holds this up.
            let places = Dictionary(uniqueKeysWithValues: try list.all().map { ($0.local, SyncFolderPlace($0.path)) })
            try list.change { entries in
                guard !entries.contains(where: { $0.name == entry.name }) else {
                    throw CommandFailure(
                        .usage,
                        "A folder “\(DisplayText(entry.name, limit: 100))” is kept alike here already; give --name.")
                }
                for other in entries {
                    // A path tells of folders whose disk is not there now.
                    let isBelow = SyncPath.isInside(other.path, path) || SyncPath.isInside(path, other.path)
                    let otherPlace = places[other.local] ?? SyncFolderPlace(other.path)
                    let obstacle = place.obstacle(beside: otherPlace, called: other.name)
                    guard isBelow || obstacle != nil else { continue }
                    throw CommandFailure(
                        .usage,
                        obstacle ?? "It is in, or has in it, the folder “\(DisplayText(other.name, limit: 100))”, "
                            + "which is kept alike.")
                }
                entries.append(entry)
            }
        }
    }
}
