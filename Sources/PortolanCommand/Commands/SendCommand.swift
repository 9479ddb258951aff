import ArgumentParser
import Foundation
import Portolan
import PortolanTrust

/// `portolan send`.
struct SendCommand: Subcommand {
    static let name = "send"

    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Send files, folders, text, or one item in several representations to a peer, or to a team.",
        discussion: """
            The receiver takes, of each item, the first representation in your order that it can import, or declines. \
            Nothing is read or produced before it has. When this ends with 0, everything is on the receiver's disk, where it outlives \
            a loss of power.

              portolan send photo.png notes.md --to workstation
              portolan send --text "see you at 5" --to k3xq-7m2a
              date | portolan send - --to 192.0.2.7:47217 --type public.utf8-plain-text
              portolan send --as public.html@team=n.html --as md=n.md --as txt=n.txt --to workstation
              portolan send report.pdf --to @acme            # every member that can be reached
              portolan send report.pdf --to @acme/design     # those in one group

              portolan send disk.img --to workstation --limit-rate 20M --require mode,mtime,sparse
              tar c . | portolan send - --to workstation --type public.tar-archive

            When the connection breaks, it is tried again for 10 minutes, or as long as --retry says, and goes on where it stopped. \
            Ctrl-C ends it with 75. The receiver keeps what came, for 7 days unless it is told otherwise, and the same command or \
            'portolan resume' goes on from there: only what is missing is sent, and what is there is compared, not trusted. What \
            comes from standard input cannot be read again: when that breaks off, this ends with 74.

            A folder that was sent before is brought up to date. A file of the same size and modification time is there already; one \
            of another time is compared, and only what differs is sent if the size is the same. One that changed replaces what the \
            receiver was sent, unless somebody has changed that too: then it lies beside it, as “name (2).ext”, and is reported. \
            Nothing is removed there; files that you have no more are counted. A single file that changed lies beside the one before.

            A file that was received for a team or group carries that as an extended attribute, and is offered to nobody else. cp, tar, \
            sed -i and many editors make copies without it: 'cp --preserve=xattr' and 'tar --xattrs' keep it. A copy without it is sent \
            to everybody; where the content is that of one of the last 65,536 files so received, a warning says for whom it was. \
            Standard input that is an open file keeps the file's mark; behind a pipe there is none.

            A part that cannot be read, changes while it is sent, or has a kind or name that cannot be stored is left out and reported, and \
            this ends with 23. A part that is restricted to others counts as left out, too; the receiver is told nothing of it. \
            --require content has an item that lacks something fail instead; --allow-omissions ends with 0.

            With several items, the exit status is that of the first one that was not stored. To a team, it is 0 when at least \
            one member was reached and everyone who was has stored everything, else that of the first, in the order of \
            'team show', who was reached and has not, and 23 only if nobody failed; 69 when nobody was.
            """)

    @OptionGroup var options: ItemOptions

    @Option(
        help: ArgumentHelp(
            "Whom to send to: a name, the beginning of a fingerprint (8 characters or more), host:port, @team or @team/group.",
            valueName: "peer"))
    var to: String

    @OptionGroup var transfer: TransferOptions
    @OptionGroup var network: NetworkOptions
    @OptionGroup var shared: SharedOptions

    func validate() throws {
        guard TeamTarget.names(to) else { return }
        do throws(ArgumentFailure) {
            _ = try TeamTarget.parse(to)
        } catch {
            throw ValidationError(error.description)
        }
    }

    func perform(_ console: Console) async throws {
        let status = try await send(Settings(shared), console, goingOnWith: nil)
        console.emit(.result(status))
        if status != .done { throw ExitCode(status.rawValue) }
    }

    /// - Parameter taken: what the register knows of it already, locked.
    func send(
        _ settings: Settings, _ console: Console, goingOnWith taken: (TransferRecord, HeldLock)?
    ) async throws -> ExitStatus {
        let node = try Node(settings.node(network, items: options))
        let target = TeamTarget.names(to) ? try TeamTarget.parse(to) : nil
        let items = try await options.items(of: node, to: target)
        await node.unmarkedCopies(in: items, folders: false) { console.diagnose(Self.sentence($0)) }
        // A folder is looked through while it is sent: that may take as long.
        async let search: Void = node.unmarkedCopies(in: items, folders: true) { console.diagnose(Self.sentence($0)) }
        let register = TransferRegister(settings.home)
        let running = running(items, in: register, goingOnWith: taken)
        let sendOptions = transfer.options(settings.file)
        let work = Task {
            if let target {
                try await send(items, to: target, from: node, sendOptions, running, console)
            } else {
                try await send(items, from: node, sendOptions, running, console)
            }
        }
        running.onCancel { work.cancel() }
        let result = await withTaskCancellationHandler {
            await work.result
        } onCancel: {
            work.cancel()
        }
        // A transfer that failed does not wait for the search, which ends with this scope.
        if case .success = result { await search }
        switch result {
        case .success(let status):
            tell(running.end(isToBeKept: status.canGoOn), console)
            return transfer.omissions.status(status)
        case .failure(let error):
            let failure = CommandFailure(error)
            tell(running.end(isToBeKept: failure.status.canGoOn && !running.wasCancelled), console)
            guard running.wasCancelled else { throw error }
            throw CommandFailure(.interrupted, "It was stopped with 'portolan transfers cancel'.")
        }
    }

    private static func sentence(_ copy: UnmarkedCopy) -> String {
        "“\(DisplayText(copy.path, limit: 1024))” has the content of a file that was received only for "
            + "\(DisplayText(copy.audience, limit: 500)), and has lost the mark of it. To send it to nobody else, send the file "
            + "that was received, or say so with --as TYPE@team=PATH or TYPE@group=PATH."
    }

    private func tell(_ kept: TransferID?, _ console: Console) {
        if let kept { console.remark("To go on with it: portolan resume \(kept)") }
    }

    /// What the register is to know of it. That the register cannot be read keeps nothing from being sent.
    private func running(
        _ items: [Item], in register: TransferRegister, goingOnWith taken: (TransferRecord, HeldLock)?
    ) -> RunningTransfer {
        let folder = FileManager.default.currentDirectoryPath
        let arguments = options.readsStandardInput ? nil : SendArguments.ofThisProcess
        if let taken { return RunningTransfer(taken.0, in: register, lock: taken.1) }
        if let arguments, let (record, lock) = try? register.take(arguments: arguments, folder: folder) {
            return RunningTransfer(record, in: register, lock: lock)
        }
        let sizes = items.compactMap { $0.representations.first?.size }
        let record = TransferRecord(
            id: .random(), created: .now, target: to, titles: items.map(\.title), arguments: arguments, folder: folder,
            total: sizes.count == items.count ? sizes.reduce(0) { $0.addingReportingOverflow($1).partialValue } : nil)
        return RunningTransfer(record, in: register, lock: nil)
    }

    private func send(
        _ items: [Item], from node: Node, _ options: Node.SendOptions, _ running: RunningTransfer, _ console: Console
    ) async throws -> ExitStatus {
        let peer = try await node.find(to)
        if let clones = peer.clones {
            console.diagnose(DisplayText(sentence: "\(clones) \(CloneAdvice.sentence)", limit: 1000).text)
        }
        let reporter = SendReporter(console, titles: items.map(\.title))
        let deliveries = try await node.send(items, to: peer, options: options) { event in
            running.report(event)
            reporter.report(event)
        }
        return deliveries.lazy.map(\.status).combined
    }

    private func send(
        _ items: [Item], to target: TeamTarget, from node: Node, _ options: Node.SendOptions,
        _ running: RunningTransfer, _ console: Console
    ) async throws -> ExitStatus {
        let reporter = TeamSendReporter(console, titles: items.map(\.title), target: target)
        let deliveries = try await node.send(
            items, toTeam: target.team.text, group: target.group, options: options
        ) { member, event in
            running.report(event, of: member.name)
            reporter.report(event, of: member)
        }
        return reporter.conclude(deliveries)
    }
}

extension ExitStatus {
    /// Whether a sending that ended so can be gone on with: it broke off, and nobody said no.
    fileprivate var canGoOn: Bool {
        switch self {
        case .interrupted, .inputOutput, .cannotCreate: true
        default: false
        }
    }
}

extension Event {
    static func result(_ status: ExitStatus) -> Event {
        Event(.result, ["code": .integer(Int64(status.rawValue)), "kind": .string(status.word)])
    }
}
