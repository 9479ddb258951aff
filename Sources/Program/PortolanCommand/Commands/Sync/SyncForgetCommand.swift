import ArgumentParser
import Glibc
import Portolan
import PortolanClient
import PortolanSettings
import PortolanSyncPeers
import PortolanSyncPlan

/// `portolan sync forget`.
struct SyncForgetCommand: AgentSubcommand {
    static let configuration = CommandConfiguration(
        "forget", "Keep a file or folder alike no more: it stays here, and goes on the other devices.",
        examples: """
            portolan sync forget ~/Notes/diary.txt
            portolan sync forget ~/Notes/private
            """,
        manual: """
            It is neither announced nor served by this device from now on, and neither is a later file there. On the \
            other devices it is deleted as if by hand: the files are in their histories, and they hold a large \
            deletion until a person there agrees. Narrowing takes nothing back: who has it may keep it.

            It is remembered here by its name and its folder; 'portolan sync' lists it as not kept alike. Under another name it is kept alike \
            again. Ends with 66 if nothing is there, with 69 if it is in no folder that is kept alike here, and with 64 for the folder itself, \
            which 'portolan sync remove' is for, and on a receive-only device. Beside 'portolan sync run' it ends with 74: stop that first. An agent does it while it runs.
            """)

    @Argument(help: .value("path", "A file or folder in a folder that is kept alike."), completion: .file())
    var path: String

    @OptionGroup var options: AgentSubcommandOptions

    /// Time for the agent's answer: the folder is read for it.
    private static let patience = Duration.seconds(3600)

    func perform(_ console: Console) async throws {
        let settings = try Settings(shared)
        let list = SyncFolderList(home: settings.home)
        let place = try await SyncPath(path, in: list)
        let (entry, shown) = (place.entry, DisplayText(place.path, limit: 4096))
        guard !place.path.isEmpty else {
            throw CommandFailure(
                .usage,
                "That is the whole folder; 'portolan sync remove \(DisplayText.shellWord(entry.name))' ends keeping it alike."
            )
        }
        guard entry.ways.tells else {
            throw CommandFailure(.usage, "This device is receive-only there: the others would not be told of it.")
        }
        var status = stat()
        guard lstat("\(entry.path)/\(place.path)", &status) == 0 else {
            throw CommandFailure(.noInput, "There is no “\(shown)” in “\(DisplayText(entry.name, limit: 100))”.")
        }
        let hasAgent = entry.isPaused ? false : try await agent.running(settings) != nil
        if hasAgent {
            let client = try AgentClient(socket: settings.agentSocket, timeout: Self.patience)
            try await client.forgetSync(place.path, in: entry.local)
        } else {
            try await list.forget(place.path, in: entry, by: try await Node(settings.node(nil)))
        }
        console.remark("“\(shown)” stays here, and is kept alike no more.")
        try console.emit(.folderForgotten, ["folder": entry.name, "path": place.path])
    }
}
