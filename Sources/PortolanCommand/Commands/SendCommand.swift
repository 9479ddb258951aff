import ArgumentParser
import Foundation
import Portolan
import PortolanConcurrency
import PortolanTrust

/// `portolan send`.
struct SendCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
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
        try options.checkTitle()
        guard TeamTarget.names(to) else { return }
        do throws(ValueError) {
            _ = try TeamTarget.parse(to)
        } catch {
            throw ValidationError(error.description)
        }
    }

    func perform(_ console: Console) async throws {
        let settings = try Settings(shared)
        let parcelOptions = parcelOptions
        let node = try await Node(settings.node(for: parcelOptions, team: options.team))
        let target = TeamTarget.names(to) ? try TeamTarget.parse(to) : nil
        let items = try await options.items(of: node, to: target)
        // Items that make no parcel, such as a pipe, are sent, and cannot be resumed.
        let parcel = try? await node.parcel(items, to: to, options: parcelOptions)
        let sending = ItemSending(
            node: node, target: ParcelTarget(to), items: items, rest: nil, batch: parcel?.id ?? .random(),
            titles: items.map(\.title), options: parcelOptions.sendOptions(over: settings.sendOptions),
            allowsOmissions: parcelOptions.allowsOmissions,
            running: await withLookupThread { running(items, parcel, in: TransferRegister(settings.home)) },
            console: console)
        let status = try await sending.run()
        console.emit(.end(status))
        if status != .done { throw ExitCode(status.rawValue) }
    }

    /// Options for sending, as the command line gives them.
    private var parcelOptions: ParcelOptions {
        var parcelOptions = transfer.parcelOptions
        parcelOptions.converters = options.usesConverters
        parcelOptions.interfaces = network.chosenInterfaces
        parcelOptions.discovery = network.discovery
        return parcelOptions
    }

    /// What the register is to know of it. That the register cannot be read keeps nothing from being sent.
    private func running(_ items: [Item], _ parcel: Parcel?, in register: TransferRegister) -> RunningTransfer {
        let sizes = items.compactMap { $0.representations.first?.size }
        let sum = sizes.reduce(UInt64(0)) { $0.addingReportingOverflow($1).partialValue }
        let total = sizes.count == items.count ? sum : nil
        if let parcel, let (record, lock) = try? register.take(likeParcel: parcel) {
            return RunningTransfer(record.begunAnew(with: parcel, total: total), in: register, lock: lock)
        }
        let record = TransferRecord(
            id: .random(), created: .now, target: to, titles: items.map(\.title), parcel: parcel,
            folder: FileManager.default.currentDirectoryPath, total: total)
        return RunningTransfer(record, in: register, lock: nil)
    }
}
