import ArgumentParser
import Portolan
import PortolanAgent
import PortolanClient
import PortolanConcurrency
import PortolanSettings
import PortolanSyncFolder
import PortolanSyncPeers

/// `portolan sync check`.
struct SyncCheckCommand: AgentSubcommand {
    static let configuration = CommandConfiguration(
        "check", "Compare folders with their indices, and repair these without a loss.",
        examples: """
            portolan sync check
            portolan sync check Notes
            portolan sync check Notes --repair
            """,
        manual: """
            Each file is read and compared with the index of the folder, and the index with the members' records. \
            Changes that are not announced yet, and waiting and held ones, are no finding. Ends with 0 if nothing was \
            found, and with 23 if something is left.

            With --repair the index becomes true, and no file is lost: wrong parts are made again from the files; if that does not \
            suffice, the index begins anew, as on a new device that has the files already. Files that others have and this device lacks \
            come back then. A folder that stands still because it is empty, on another file system, or another one than before, as \
            after a restore, is taken only with --yes, or after a question: see first that it is the right folder.

            With --json there is a line for each finding and one for each folder.
            """)

    @Argument(help: .value("name", "Name of the folder; all if left out."), completion: Completions.folders)
    var name: String?

    @Flag(help: "Make the index true.")
    var repair = false

    @Flag(help: "With --repair: start again a folder that stands still, without a question.")
    var yes = false

    @OptionGroup var options: AgentSubcommandOptions

    /// Time for the agent's answer: all files are read for it.
    private static let patience = Duration.seconds(86_400)

    func validate() throws {
        if yes, !repair { throw ValidationError("--yes is about --repair; give that, too.") }
    }

    func perform(_ console: Console) async throws {
        let settings = try Settings(shared)
        let list = SyncFolderList(home: settings.home)
        let entries = try await SyncFolderArgument.entries(named: name, of: list)
        if entries.isEmpty { console.remark("No folder is kept alike.") }
        let client =
            try await agent.running(settings) == nil
            ? nil : AgentClient(socket: settings.agentSocket, timeout: Self.patience)
        let checker = FolderChecker(list: list, client: client, node: try await Node(settings.node(nil)))
        var statuses: [ExitStatus] = []
        for entry in entries {
            guard entry.id != nil else {
                console.remark(
                    "“\(DisplayText(entry.name, limit: 100))” is to be joined: there is nothing to check yet.")
                continue
            }
            let status = try await withLookupThread { try list.status(of: entry) }
            if status?.isCopied ?? false, let problem = status?.problem {
                console.remark("“\(DisplayText(entry.name, limit: 100))” is passed over. \(problem)")
                continue
            }
            do {
                let (check, isTaken) = try await check(entry, by: checker, console)
                try tell(check, of: entry, isTaken: isTaken, console)
                statuses.append(check.left.isEmpty ? .done : .incomplete)
            } catch {
                try Task.checkCancellation()
                let failure = CommandFailure(error)
                console.report(failure)
                statuses.append(failure.status)
            }
        }
        let status = statuses.combined
        if status != .done { throw ExitCode(status.rawValue) }
    }

    /// - Returns: with true if the folder stood still until now.
    private func check(
        _ entry: SyncFolderEntry, by checker: FolderChecker, _ console: Console
    ) async throws -> (AgentAPI.SyncCheck, isTaken: Bool) {
        do {
            return (try await checker.check(entry, repair ? .repairing(startsOver: false) : .comparing), false)
        } catch let problem as AgentAPI.Problem where problem.isHalted {
            let name = DisplayText(entry.name, limit: 100)
            let reason = "“\(name)” stands still. \(DisplayText(sentence: problem.detail, limit: 500))"
            guard repair else {
                throw CommandFailure(
                    .inputOutput, "\(reason) If it is the right folder, 'portolan sync check --repair' starts it again."
                )
            }
            if !yes {
                let question = """
                    \(reason)
                    Its index can begin anew: the files in it stay, those that others have come back, and nothing is deleted.
                    Start it again? [y/n]\u{20}
                    """
                guard case .line(let line) = try await console.put(question),
                    OfferReply(line, offersAlways: false) == .yes
                else { throw CommandFailure(.inputOutput, "\(reason) It is left alone; --yes starts it again.") }
            }
            return (try await checker.check(entry, .repairing(startsOver: true)), true)
        }
    }

    // MARK: Output

    private func tell(
        _ check: AgentAPI.SyncCheck, of entry: SyncFolderEntry, isTaken: Bool, _ console: Console
    ) throws {
        let left = Set(check.left)
        for finding in check.found + check.left.filter({ !check.found.contains($0) }) {
            let isLeft = left.contains(finding)
            let path = finding.path.isEmpty ? "-" : finding.path
            console.say(
                "\(DisplayText(path, limit: 4096))  \(finding.sentence)\(repair && !isLeft ? " Repaired." : "")")
            try console.emit(
                .folderFinding,
                [
                    "folder": entry.name, "kind": finding.kind, "path": finding.path, "sentence": finding.sentence,
                    "isLeft": isLeft,
                ])
        }
        let name = DisplayText(entry.name, limit: 100)
        switch (check.found.isEmpty, check.left.isEmpty) {
        case (true, true):
            console.remark("“\(name)”: \(check.compared) files and folders were compared, and nothing was found.")
        case (false, true): console.remark("“\(name)” was repaired.")
        default:
            let advice = repair ? "" : " 'portolan sync check --repair' repairs that, and loses no file."
            console.remark("“\(name)”: \(check.left.count) findings.\(advice)")
        }
        if check.beganAnew {
            console.remark("Its index has begun anew; 'portolan sync run' or the agent goes on with it.")
        } else if isTaken {
            console.remark("It stands still no more; 'portolan sync run' or the agent goes on with it.")
        }
        for wait in check.waits { console.remark("It waits: \(DisplayText(sentence: wait, limit: 500))") }
        try console.emit(
            .folderChecked,
            [
                "folder": entry.name, "compared": check.compared, "found": check.found.count,
                "left": check.left.count, "waits": check.waits, "beganAnew": check.beganAnew,
            ])
    }
}

/// Checks folders: by the agent, if it has them open.
private struct FolderChecker {
    let list: SyncFolderList
    let client: AgentClient?
    let node: Node

    /// - Throws: a problem that is halted if the folder is left alone until a person decides.
    func check(_ entry: SyncFolderEntry, _ manner: SyncCheckManner) async throws -> AgentAPI.SyncCheck {
        do {
            if let client, !entry.isPaused { return try await client.checkSync(entry.local, order(manner)) }
            return AgentAPI.SyncCheck(try await list.check(entry, manner, by: node))
        } catch let error as SyncError {
            guard case .halted = error.kind else { throw error }
            throw AgentAPI.Problem.halted(error.description)
        }
    }

    private func order(_ manner: SyncCheckManner) -> AgentAPI.SyncCheckOrder {
        switch manner {
        case .comparing: AgentAPI.SyncCheckOrder()
        case .repairing(let startsOver): AgentAPI.SyncCheckOrder(repair: true, startsOver: startsOver)
        }
    }
}
