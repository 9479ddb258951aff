import ArgumentParser
import Portolan
import PortolanClient
import PortolanConcurrency
import PortolanSettings
import PortolanSyncPeers

/// `portolan sync run`.
struct SyncRunCommand: NetworkSubcommand {
    static let configuration = CommandConfiguration(
        "run", "Keep all folders alike, until stopped.",
        examples: """
            portolan sync run
            portolan sync run --once
            """,
        manual: """
            Listens, looks at the folders when they change, and connects to devices in sight that a folder is shared with. With --once it \
            only connects to those that are in sight now, and ends with 0 when nothing is left to do with them.

            Where the agent of this home runs, it keeps the folders alike: with --once this waits until it has, as 'portolan wait sync-idle' \
            does, and is refused otherwise.
            """)

    @Flag(help: "End when nothing is left to do with those that are in sight now.")
    var once = false

    @Option(
        name: .customLong("at"),
        help: ArgumentHelp(
            "Connect to this address as well; may be given several times.", valueName: "host:port"))
    var addresses: [String] = []

    @OptionGroup var listening: ListeningOptions
    @OptionGroup var agent: AgentOptions
    @OptionGroup var network: NetworkOptions

    func perform(_ console: Console) async throws {
        let settings = try Settings(shared)
        if let client = try await agent.running(settings) { return try await leave(to: client, settings, console) }
        var configuration = try listening.configuration(settings, network)
        configuration.takesOtherPorts = listening.port == nil
        let node = try await Node(configuration)
        let list = SyncFolderList(home: settings.home)
        let service = SyncCoordinator(node, list) { Self.report($0, on: console) }
        if once {
            try await checkForFolders(list)
            try await service.visit(peersAt: addresses)
            try await checkAll(list)
        } else {
            do {
                try await service.stay(peersAt: addresses) { Self.report($0, of: node, on: console) }
            } catch is CancellationError {
                // Stopping is how it ends.
            }
        }
        await node.close()
    }

    private func checkForFolders(_ list: SyncFolderList) async throws {
        guard try await withLookupThread({ try list.all().isEmpty }) else { return }
        throw CommandFailure(.noInput, "No folder is kept alike here; begin with 'portolan sync add'.")
    }

    /// Leaves the work to the agent, since two processes must not synchronize one folder.
    private func leave(to client: AgentClient, _ settings: Settings, _ console: Console) async throws {
        let sentence = "The agent keeps the folders alike; see 'portolan sync'."
        guard once else { throw CommandFailure(.inputOutput, sentence) }
        guard addresses.isEmpty else {
            throw CommandFailure(
                .usage, "\(sentence) It connects to an address by 'portolan agent run --sync-at'; leave --at out.")
        }
        try await checkForFolders(SyncFolderList(home: settings.home))
        _ = try await client.waitUntilIdle(nil)
        console.remark(sentence)
    }

    /// Fails if a folder was not found or is stopped.
    private func checkAll(_ list: SyncFolderList) async throws {
        let folders = try await withLookupThread { try list.all().map { ($0, try list.status(of: $0)) } }
        for (entry, status) in folders where !entry.isPaused {
            let name = DisplayText(entry.name, limit: 100)
            if entry.id == nil {
                throw CommandFailure(.unreachable, "No device in sight shares the folder “\(name)”.")
            }
            if let problem = status?.problem {
                throw CommandFailure(.inputOutput, "“\(name)” stands still. \(problem)")
            }
        }
    }

    private static func report(_ event: SyncEvent, on console: Console) {
        switch event {
        case .joined(let folder, let maker, let with):
            tell("“\(folder)” was found: of “\(maker)”, for \(with).", console)
        case .changed(let folder, 1): tell("“\(folder)”: 1 change of others was made here.", console)
        case .changed(let folder, let steps): tell("“\(folder)”: \(steps) changes of others were made here.", console)
        case .connected(let peer): tell("“\(peer)” is there.", console)
        case .disconnected(let peer): tell("“\(peer)” is gone.", console)
        case .held(let folder, let mark, let count):
            warn(
                "“\(folder)”: a deletion of \(count) files and folders is held. "
                    + "See 'portolan sync held', and confirm or reject \(mark).", console)
        case .skipped(let folder, let path, let reason, let count):
            let more = count > 1 ? " \(count - 1) more are not kept alike; see 'portolan sync'." : ""
            warn("“\(folder)”: “\(path)” is not kept alike. \(reason)\(more)", console)
        case .lacking(let folder, _, let path, let reason, let count):
            let more = count > 1 ? " \(count - 1) more; see 'portolan sync'." : ""
            warn("“\(folder)”\(path.map { ", “\($0)”" } ?? ""): \(reason)\(more)", console)
        case .halted(let folder, let reason): warn("“\(folder)” stands still. \(reason)", console)
        case .unwatched(let folder, let reason): warn("“\(folder)” is not watched. \(reason)", console)
        case .failed(let reason): warn(reason.text, console)
        }
    }

    private static func report(_ event: ReceiveEvent, of node: Node, on console: Console) {
        switch event {
        case .listening(let port, let name, let discovery):
            console.remark("“\(DisplayText(name))” keeps folders alike on port \(port).")
            console.emit(
                \.listening,
                .init(
                    name: name, fingerprint: node.identity.fingerprint, port: port, discovery: discovery,
                    inbox: nil))
        case .warning(let message): warn(DisplayText(sentence: message, limit: 500).text, console)
        default: break
        }
    }

    private static func tell(_ sentence: String, _ console: Console) {
        console.remark(sentence)
        console.emit(\.note, .init(sentence))
    }

    private static func warn(_ sentence: String, _ console: Console) {
        console.diagnose(sentence)
        console.emit(\.note, .init(sentence))
    }
}
