import ArgumentParser
import Portolan
import PortolanClient
import PortolanSettings
import Synchronization

/// `portolan wait sync-idle`.
struct WaitSyncIdleCommand: AgentSubcommand {
    static let configuration = CommandConfiguration(
        "sync-idle", "Wait until nothing is left to do in a folder that is kept alike.",
        examples: "portolan wait sync-idle Notes --timeout 10m",
        manual: """
            That is so when the folder has been looked at after the command began, and this device and each peer that \
            is connected have worked off all that they know of each other. Without a connected peer, the look is \
            enough: see 'peers'. Ends with 74 if the folder stands still, and at once with 23 if all is done but a \
            person's decisions and entries that cannot be kept alike, here or on another device, which it names. Other \
            changes that wait, such as content that is on no device in reach, are waited for. With --json: the objects \
            'SyncFolder' of the local API.
            """)

    @Argument(
        help: ArgumentHelp(
            "Name of the folder, as 'portolan sync' shows it; all but those that are paused if left out.",
            valueName: "name"),
        completion: Completions.folders)
    var name: String?

    @OptionGroup var waiting: WaitOptions
    @OptionGroup var options: AgentSubcommandOptions

    func perform(_ console: Console) async throws {
        let client = try options.neededClient(console)
        let name = name
        let lack = name.map { "“\(DisplayText($0, limit: 100))” has not become alike" } ?? "Not all has become alike"
        let last = Mutex<[AgentAPI.SyncFolder]>([])
        let folders: [AgentAPI.SyncFolder]
        do {
            folders = try await waiting.within(else: lack) {
                try await client.waitUntilIdle(name, isDone: \.isDone) { seen in last.withLock { $0 = seen } }
            }
        } catch let failure as CommandFailure where failure.status == .interrupted {
            let rest = last.withLock { $0 }.flatMap(\.rest)
            throw CommandFailure(.interrupted, ([failure.description] + rest.prefix(1)).joined(separator: " "))
        }
        for folder in folders {
            let with = folder.peers.isEmpty ? "no peer is connected" : "with \(folder.peers.joined(separator: ", "))"
            let but = folder.rest.isEmpty ? "" : ", with these exceptions"
            console.remark(
                "“\(DisplayText(folder.name, limit: 100))” is alike\(but); \(DisplayText(with, limit: 1000)).")
            for one in folder.rest.prefix(Self.mostLines) { console.remark("  \(one)") }
            if folder.rest.count > Self.mostLines {
                console.remark("  \(folder.rest.count - Self.mostLines) more; see 'portolan sync --json'.")
            }
            try console.emit(.folderState, folder)
        }
        let rest = folders.reduce(0) { $0 + $1.rest.count }
        guard rest == 0 else {
            let what = Human.count(rest, "thing")
            throw CommandFailure(
                .incomplete, "\(what) cannot be kept alike, or wait for a person; see 'portolan sync'.")
        }
    }

    private static let mostLines = 20
}

extension AgentAPI.SyncFolder {
    /// True if nothing is left to do that needs no person.
    fileprivate var isDone: Bool { isIdle && lacks.allSatisfy(\.needsPerson) && others.allSatisfy(\.needsPerson) }

    /// Sentences about the differences that remain; safe to print.
    fileprivate var rest: [String] {
        let held = deletions.map { one in
            "A deletion of \(Human.number(one.count)) files and folders is held; see 'portolan sync held'."
        }
        return held
            + others.map { one in
                let reason = DisplayText(sentence: one.reason, limit: 1000).text
                return one.paths.first.map { "“\(DisplayText($0, limit: 4096))”: \(reason)" } ?? reason
            }
            + (lacks + skipped.filter(\.needsPerson)).map { one in
                let reason = DisplayText(sentence: one.reason, limit: 1000).text
                return one.path.map { "“\(DisplayText($0, limit: 4096))”: \(reason)" } ?? reason
            }
    }
}
