import Portolan
import PortolanOutbox
import Synchronization

/// Sending of the command, with its report.
struct ItemSender: Sendable {
    let node: Node
    let target: ParcelTarget
    let items: [Item]
    /// The parcel that the items are the rest of; nil for a sending that begins.
    var parcel: Parcel?
    /// Titles of all items, settled ones included.
    let titles: [String]
    let allowsOmissions: Bool
    /// Options for a peer that is not there yet; nil if it is not awaited.
    var awaiting: AwaitingOptions?
    let sending: RegisteredSender
    let console: Console

    /// - Throws: `CommandFailure`, or errors of the library.
    func run() async throws -> ExitStatus {
        try await Self.warning(of: items, node, console) { try await deliver() }
    }

    /// Runs `body`, which sends items, and warns of copies of restricted files among them.
    static func warning<Status: Sendable>(
        of items: [Item], _ node: Node, _ console: Console, _ body: () async throws -> Status
    ) async throws -> Status {
        await node.unmarkedCopies(in: items, folders: false) { console.diagnose(sentence($0)) }
        // A folder is looked through while it is sent: that may take as long.
        async let search: Void = node.unmarkedCopies(in: items, folders: true) { console.diagnose(sentence($0)) }
        // A transfer that failed does not wait for the search, which ends with this scope.
        let status = try await body()
        await search
        return status
    }

    private static func sentence(_ copy: UnmarkedCopy) -> String {
        "“\(DisplayText(copy.path, limit: 1024))” has the content of a file that was received only for "
            + "\(DisplayText(copy.audience, limit: 500)), and has lost the mark of it. To send it to no other device, send the file "
            + "that was received, or say so with --as TYPE@team=PATH or TYPE@group=PATH."
    }

    /// The target as harmless text.
    var label: String { DisplayText(target.text, limit: 300).text }

    /// Sends the items.
    ///
    /// - Parameters:
    ///   - peer: receiver that was found; nil to search it.
    ///   - joint: reporter for all receivers, if there are several.
    /// - Throws: errors of ``run()``.
    func deliver(at peer: Peer? = nil, telling joint: TeamSendReporter? = nil) async throws -> ExitStatus {
        let status =
            TeamTarget.names(target.text) ? try await deliverToTeam() : try await deliver(toPeerAt: peer, joint)
        return OmissionOptions.status(status, allowing: allowsOmissions)
    }

    private func deliver(toPeerAt peer: Peer?, _ joint: TeamSendReporter?) async throws -> ExitStatus {
        let reporter = SendReporter(console, titles: titles)
        defer { reporter.conclude() }
        let outcome = try await sending.run(at: peer) { event in
            switch event {
            case .absent(let error): tellOfWaiting(error)
            case .found(let peer):
                guard let clones = peer.clones else { return }
                console.diagnose(DisplayText(sentence: "\(clones) \(CloneAdvice.sentence)", limit: 1000).text)
            case .peer(let event):
                if let joint { joint.report(event, of: label, called: label) } else { reporter.report(event) }
            case .kept(let id): tell(id, joint == nil ? "it" : "the sending to “\(label)”")
            case .member: break
            }
        }
        guard case .peer(let deliveries) = outcome else { preconditionFailure("One peer was sent to") }
        return parcel.map { $0.status(with: deliveries) } ?? deliveries.lazy.map(\.status).combined
    }

    private func deliverToTeam() async throws -> ExitStatus {
        let reporter = TeamSendReporter(console, titles: titles, target: try TeamTarget.parse(target.text).description)
        let kept = Mutex<RecordID?>(nil)
        // Below the results.
        defer { if let id = kept.withLock(\.self) { tell(id, "it") } }
        let outcome = try await sending.run { event in
            switch event {
            case .member(let member, let event): reporter.report(event, of: member)
            case .kept(let id): kept.withLock { $0 = id }
            case .absent, .found, .peer: break
            }
        }
        guard case .team(let deliveries) = outcome else { preconditionFailure("A team was sent to") }
        return ([reporter.conclude(deliveries)] + (parcel?.statusesOfMembers ?? [])).combined
    }

    /// Tells the user that the peer is awaited, and the reason.
    func tellOfWaiting(_ error: NodeError) { awaiting?.tell(error, label, on: console) }

    private func tell(_ kept: RecordID, _ sending: String) {
        console.remark("To go on with \(sending): portolan resume \(kept)")
    }
}

extension Parcel {
    /// Status of each team member's settled items.
    fileprivate var statusesOfMembers: [ExitStatus] {
        settledByMember.sorted { $0.key.description < $1.key.description }
            .map { $0.value.sorted { $0.key < $1.key }.map { ExitStatus($0.value) }.combined }
    }

    /// Status of all items of the parcel; `deliveries` has the outcomes of those that were unsettled.
    func status(with deliveries: [Delivery] = []) -> ExitStatus {
        guard !TeamTarget.names(target.text) else { return statusesOfMembers.combined }
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
}
