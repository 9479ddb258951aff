import ArgumentParser
import Portolan
import PortolanConcurrency
import PortolanOutbox
import PortolanSettings

/// `portolan resume`: resumes interrupted transfers.
struct ResumeCommand: Subcommand {
    static let configuration = CommandConfiguration(
        "resume", "Go on with sendings that were interrupted.",
        examples: """
            portolan resume
            portolan resume k3xq7m2a
            portolan resume --json
            """,
        manual: """
            Sends the rest of each sending that 'portolan transfers' shows as resumable, one after the other, each \
            with the options that it was sent with, and only to the device that was met then. Items that the receiver \
            has stored or declined are not offered again; its partials of the others are compared, and not sent again. \
            Of a team, only those members are sent to that have not got everything. Without an ID, all of them. An \
            interrupted receiving goes on when its sender does this. The agent \
            goes on by itself with each parcel of 'portolan outbox'.

            The exit status is that of the first that failed, and 23 if none failed and something was left out. With \
            --json, a line 'transfer' stands before the lines of each.
            """)

    @Argument(
        help: .value("id", "Its identifier in 'portolan transfers'; all that can go on if left out."),
        completion: Completions.transfers, transform: RecordID.parse)
    var ids: [RecordID] = []

    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        let settings = try Settings(shared)
        let register = TransferRegister(settings.home)
        var statuses: [ExitStatus] = []
        for id in try await wanted(register, settings, console) {
            statuses.append(try await resume(id, register, settings, console))
        }
        let status = statuses.combined
        try console.end(status)
    }

    private func wanted(
        _ register: TransferRegister, _ settings: Settings, _ console: Console
    ) async throws -> [RecordID] {
        guard ids.isEmpty else { return ids }
        let resumable = try await register.contents(settings, console).transfers.filter { $0.status == .resumable }
        if resumable.isEmpty { console.remark("Nothing was interrupted.") }
        return resumable.map(\.id)
    }

    /// Resumes one transfer. An error does not prevent others from being resumed.
    private func resume(
        _ id: RecordID, _ register: TransferRegister, _ settings: Settings, _ console: Console
    ) async throws -> ExitStatus {
        do {
            let (record, lock) = try await withLookupThread { try register.take(id) }
            defer { withExtendedLifetime(lock) {} }
            guard let parcel = record.parcel else {
                throw CommandFailure(.badData, "\(id) cannot be sent again; send it anew.")
            }
            console.remark(TransferState(record).line)
            console.emit(\.transfer, TransferState(record))
            let node = try await Node(settings.node(for: parcel.options))
            let rest: ParcelContents
            do {
                rest = try await node.open(parcel)
            } catch let error as NodeError where error.isOfReplacedSource {
                try await withLookupThread { try register.remove(id) }
                throw CommandFailure(.noInput, "\(error.description) \(id) cannot go on, and is taken off the list.")
            }
            guard !rest.items.isEmpty else {
                // Its process ended before it could remove the entry.
                try await withLookupThread { try register.remove(id) }
                return OmissionOptions.status(parcel.status(), allowing: parcel.options.allowsOmissions)
            }
            let sending = ItemSender(
                node: node, target: parcel.target, items: rest.items, parcel: parcel, titles: parcel.titles,
                allowsOmissions: parcel.options.allowsOmissions,
                sending: RegisteredSender(
                    .rest(rest), to: parcel.target, from: node,
                    options: parcel.options.sendOptions(over: settings.sendOptions),
                    as: RunningTransfer(record, in: register, lock: lock)),
                console: console)
            return try await sending.run()
        } catch {
            try Task.checkCancellation()
            let failure = CommandFailure(error)
            console.endProgress(transferred: 0)
            console.report(failure)
            return failure.status
        }
    }
}
