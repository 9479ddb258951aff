import ArgumentParser
import Portolan
import PortolanConcurrency
import PortolanSettings
import PortolanSyncPeers
import PortolanSyncPlan

/// `portolan sync held`.
struct SyncHeldCommand: Subcommand {
    static let configuration = CommandConfiguration(
        "held", "List the large deletions that wait for your agreement, with their paths.",
        examples: """
            portolan sync held
            portolan sync held 3f2a --json     # one of them, with all paths
            """,
        manual: """
            It is held on the device where it was made, and on each other one that has not agreed: the files stay \
            there. Deletions that another device holds are listed behind this device's own, and are decided there. A \
            deletion that is meant, as by 'git gc' or a build that is cleaned, needs 'portolan sync confirm' on the \
            device where it was made, and then on each other one. 20 paths of each are shown, and with --json up to \
            1,000.
            """)

    @Argument(help: .value("id", "One of them, or the beginning of its name; all if left out."))
    var mark: String?

    @OptionGroup var shared: SharedOptions

    private static let mostPaths = 20

    func perform(_ console: Console) async throws {
        let list = SyncFolderList(home: try shared.homeDirectory())
        let folders = try await withLookupThread {
            try list.all().map { entry in
                let status = try list.status(of: entry)
                return (entry, status?.deletions ?? [], status?.others ?? [])
            }
        }
        var count = 0
        for (entry, deletions, _) in folders {
            for one in deletions where one.mark.hasPrefix(mark ?? "") {
                count += 1
                console.say("“\(DisplayText(entry.name, limit: 100))”  \(one.mark)  \(one.sentence)")
                for path in one.paths.prefix(Self.mostPaths) {
                    console.say("  \(DisplayText(path, limit: 4096))")
                }
                let rest = one.count - min(one.paths.count, Self.mostPaths)
                if rest > 0 { console.say("  \(Human.number(rest)) more.") }
                console.say("  \(one.decisions(on: entry))")
                try console.emit(
                    .folderDeletion,
                    [
                        "folder": entry.name, "id": one.mark, "count": one.count, "isOwn": one.isOwn, "by": one.by,
                        "paths": one.paths,
                    ])
            }
        }
        for (entry, others) in folders.map({ ($0.0, $0.2) }) {
            for one in others where one.mark?.hasPrefix(mark ?? "") ?? false {
                count += 1
                console.say("“\(DisplayText(entry.name, limit: 100))”  \(one.sentence)")
                for path in one.paths { console.say("  \(DisplayText(path, limit: 4096))") }
                try console.emit(
                    .folderDeletion,
                    [
                        "folder": entry.name, "id": one.mark, "count": one.count, "isOwn": false,
                        "paths": one.paths, "heldBy": one.by,
                    ])
            }
        }
        guard count == 0 else { return }
        guard mark == nil else { throw CommandFailure(.unreachable, "No such deletion is held; see 'portolan sync'.") }
        console.remark("No deletion is held.")
    }
}

extension SyncHeldDeletion {
    /// Sentence about who deleted how much.
    var sentence: String {
        let what = "\(Human.number(count)) \(count == 1 ? "file or folder" : "files and folders")"
        if isOwn { return "A deletion of \(what) on this device is held: the others are not told of it." }
        return "A deletion of \(what) \(by.map { "by \($0)" } ?? "by another device") is held: all of it stays here."
    }

    /// Commands that decide.
    func decisions(on entry: SyncFolderEntry) -> String {
        "portolan sync confirm|reject \(DisplayText.shellWord(entry.name)) \(mark)"
    }
}

extension SyncOtherLack {
    /// Sentence about it, with the place of the decision; safe to print.
    var sentence: String {
        let name = mark.map { "; it is “\(DisplayText($0, limit: 20))” there" } ?? ""
        return "\(reason.hasSuffix(".") ? String(reason.dropLast()) : reason)\(name)."
    }
}

/// Argument that names the large deletion to decide on.
struct HeldDeletionArgument: ParsableArguments {
    @OptionGroup var folder: SyncFolderArgument

    @Argument(help: .value("id", "The deletion, as 'portolan sync held' names it, or the beginning."))
    var mark: String

    /// - Returns: the program that makes it so.
    func decide(_ isConfirmed: Bool, _ options: AgentSubcommandOptions, _ console: Console) async throws -> String {
        let settings = try Settings(options.shared)
        let list = SyncFolderList(home: settings.home)
        let entry = try await folder.entry(of: list)
        let status = try await withLookupThread { try list.status(of: entry) }
        let deletions = (status?.deletions ?? []).map(\.mark)
        // Rules of others can be agreed to; who wants other ones writes them into the file.
        let rules = isConfirmed ? status?.rules ?? [] : []
        let found = (deletions + rules).filter { $0.hasPrefix(mark) }
        guard let mark = found.first, found.count == 1 else {
            let many = found.isEmpty ? "No deletion" : "More than one deletion"
            throw CommandFailure(
                .unreachable, "\(many) “\(DisplayText(mark, limit: 20))” is held there; see 'portolan sync held'.")
        }
        guard isConfirmed || entry.ways.tells else {
            throw CommandFailure(
                .usage, "This device is receive-only there: it cannot bring back deleted files of others for all.")
        }
        try await list.change(entry) { entry in
            entry.decisions.removeAll { $0.deletion == mark }
            entry.decisions.append(.init(deletion: mark, isConfirmed: isConfirmed))
        }
        return await options.agent.refreshedFolders(settings, console) == nil ? "'portolan sync run'" : "the agent"
    }
}

/// `portolan sync confirm`.
struct SyncConfirmCommand: AgentSubcommand {
    static let configuration = CommandConfiguration(
        "confirm", "Agree to a large deletion, or to rules of exclusion of others; the next run makes it so.",
        examples: """
            portolan sync held                 # names the deletions that wait
            portolan sync confirm Notes 3f2a
            """)

    @OptionGroup var deletion: HeldDeletionArgument
    @OptionGroup var options: AgentSubcommandOptions

    func perform(_ console: Console) async throws {
        console.remark("The deletion is made by \(try await deletion.decide(true, options, console)).")
    }
}

/// `portolan sync reject`.
struct SyncRejectCommand: AgentSubcommand {
    static let configuration = CommandConfiguration(
        "reject", "Refuse a large deletion: the files come back on all devices.",
        examples: """
            portolan sync held                 # names the deletions that wait
            portolan sync reject Notes 3f2a
            """)

    @OptionGroup var deletion: HeldDeletionArgument
    @OptionGroup var options: AgentSubcommandOptions

    func perform(_ console: Console) async throws {
        let program = try await deletion.decide(false, options, console)
        console.remark("The files are brought back by \(program).")
    }
}
