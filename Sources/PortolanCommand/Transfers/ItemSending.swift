import Portolan
import PortolanTrust

/// One sending of this process, from finding the receiver to the last outcome. It is in the register meanwhile.
struct ItemSending {
    let node: Node
    let target: ParcelTarget
    let items: [Item]
    /// The parcel that the items are the rest of; nil for a sending that begins.
    let rest: ParcelContents?
    /// Common to the transfers of a new sending; another process that resumes them keeps it.
    let batch: RandomID
    /// Titles of all items, those that are settled included.
    let titles: [String]
    let options: Node.SendOptions
    let allowsOmissions: Bool
    let running: RunningTransfer
    let console: Console

    /// - Throws: `CommandFailure`, or what the library throws.
    func run() async throws -> ExitStatus {
        await node.unmarkedCopies(in: items, folders: false) { console.diagnose(Self.sentence($0)) }
        // A folder is looked through while it is sent: that may take as long.
        async let search: Void = node.unmarkedCopies(in: items, folders: true) { console.diagnose(Self.sentence($0)) }
        let work = Task { try await send() }
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
            tell(await running.end(isToBeKept: status.canGoOn))
            return OmissionOptions.status(status, allowing: allowsOmissions)
        case .failure(let error):
            let failure = CommandFailure(error)
            tell(await running.end(isToBeKept: failure.status.canGoOn && !running.wasCancelled))
            guard running.wasCancelled else { throw error }
            throw CommandFailure(.interrupted, "It was stopped with 'portolan transfers cancel'.")
        }
    }

    private static func sentence(_ copy: UnmarkedCopy) -> String {
        "“\(DisplayText(copy.path, limit: 1024))” has the content of a file that was received only for "
            + "\(DisplayText(copy.audience, limit: 500)), and has lost the mark of it. To send it to nobody else, send the file "
            + "that was received, or say so with --as TYPE@team=PATH or TYPE@group=PATH."
    }

    private func tell(_ kept: RecordID?) {
        if let kept { console.remark("To go on with it: portolan resume \(kept)") }
    }

    private func send() async throws -> ExitStatus {
        guard TeamTarget.names(target.text) else { return try await sendToPeer() }
        return try await send(to: TeamTarget.parse(target.text))
    }

    private func sendToPeer() async throws -> ExitStatus {
        let peer = try await node.find(target)
        if let clones = peer.clones {
            console.diagnose(DisplayText(sentence: "\(clones) \(CloneAdvice.sentence)", limit: 1000).text)
        }
        let reporter = SendReporter(console, titles: titles)
        let report: @Sendable (SendEvent) -> Void = { [running] event in
            running.report(event)
            reporter.report(event)
        }
        guard let rest else {
            let deliveries = try await node.send(items, to: peer, options: options, batch: batch, events: report)
            return deliveries.lazy.map(\.status).combined
        }
        return rest.parcel.status(with: try await node.send(rest, to: peer, options: options, events: report))
    }

    private func send(to target: TeamTarget) async throws -> ExitStatus {
        let reporter = TeamSendReporter(console, titles: titles, target: target)
        let deliveries = try await node.send(
            items, toTeam: target.team.text, group: target.group, options: options
        ) { [running] member, event in
            running.report(event, of: member.name)
            reporter.report(event, of: member)
        }
        return reporter.conclude(deliveries)
    }
}

extension Parcel {
    /// The status of all its items, of which `deliveries` are those that were not settled.
    func status(with deliveries: [Delivery] = []) -> ExitStatus {
        var statuses = settled.mapValues { ExitStatus($0) }
        for delivery in deliveries { statuses[delivery.item] = delivery.status }
        return statuses.sorted { $0.key < $1.key }.map(\.value).combined
    }
}

extension ExitStatus {
    fileprivate init(_ settlement: ParcelSettlement) {
        self =
            switch settlement {
            case .stored: .done
            case .incomplete: .incomplete
            case .declined: .declined
            case .nothingInCommon: .nothingInCommon
            }
    }

    /// Whether a sending that ended so can be gone on with: it broke off, and nobody said no.
    fileprivate var canGoOn: Bool {
        switch self {
        case .interrupted, .inputOutput, .cannotCreate: true
        default: false
        }
    }
}
