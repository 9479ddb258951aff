import Portolan
import PortolanProtocol
import Synchronization

/// Reports events of sending items to several receivers at once: members of a team, or peers.
final class TeamSendReporter: Sendable {
    /// Bytes that went out, to whomever.
    struct Tally {
        /// Bytes of each transfer that were sent since it was started last.
        var current: [TransferID: UInt64] = [:]
        /// Bytes that were sent before that.
        var before: UInt64 = 0

        var sent: UInt64 { current.values.reduce(before, ItemTally.sum) }

        /// - Returns: true if the event changed it, or began a transfer.
        mutating func count(_ event: SendEvent) -> Bool {
            switch event {
            case .started(let transfer, _, _, _):
                before = ItemTally.sum(before, current[transfer] ?? 0)
                current[transfer] = 0
            case .progress(let transfer, _, let transferred): current[transfer] = transferred
            case .settled(let delivery):
                // A small item has no progress report, and the last one of a large item may be some time ago.
                guard case .stored(let stored, _) = delivery.outcome else { return false }
                let transferred = stored.bytes - min(stored.bytes, stored.keptBytes)
                current[delivery.transfer] = max(current[delivery.transfer] ?? 0, transferred)
            case .connected, .waitingForAnswer, .found, .broke, .resumed, .retrying, .looking: return false
            }
            return true
        }
    }

    private struct State {
        var reporters: [String: SendReporter] = [:]
        /// Keys that receivers have proved.
        var fingerprints: [String: Fingerprint] = [:]
        var tally = Tally()
        var hasBar = false
    }

    let console: Console
    private let titles: [String]
    /// All receivers together.
    private let target: String
    private let state = Mutex(State())

    init(_ console: Console, titles: [String], target: String) {
        self.console = console
        self.titles = titles
        self.target = target
    }

    func report(_ event: SendEvent, of member: Member) {
        report(event, of: member.key.fingerprint.description, called: member.name.text)
    }

    /// Reports an event. Called in order for each receiver, from any thread.
    ///
    /// - Parameters:
    ///   - id: identifier of the receiver.
    ///   - name: safe text.
    func report(_ event: SendEvent, of id: String, called name: String) {
        progress(event)
        let reporter = state.withLock { state in
            if case .connected(let peer) = event { state.fingerprints[id] = peer.fingerprint }
            if let reporter = state.reporters[id] { return reporter }
            let reporter = SendReporter(console, titles: titles, member: name)
            state.reporters[id] = reporter
            return reporter
        }
        reporter.report(event)
    }

    /// Draws one progress line for all receivers together.
    private func progress(_ event: SendEvent) {
        let (begins, sent) = state.withLock { state in
            guard state.tally.count(event) else { return (false, nil as UInt64?) }
            defer { state.hasBar = true }
            return (!state.hasBar, state.tally.sent)
        }
        if begins { console.beginProgress(title: "To \(target)", ending: SendReporter.ending, total: .unknown) }
        if let sent { console.progress(bytes: sent, transferred: sent) }
    }

    /// Fingerprint of the key that a receiver has proved; nil if there was no session.
    func fingerprint(of id: String) -> Fingerprint? { state.withLock { $0.fingerprints[id] } }

    /// Removes the progress line, and reports the counted items of each receiver in one line.
    ///
    /// - Returns: duration and rate, if there was a progress line.
    func endProgress() -> String? {
        let (sent, reporters) = state.withLock { ($0.tally.sent, $0.reporters) }
        let speed = console.endProgress(transferred: sent)
        for (_, reporter) in reporters.sorted(by: { $0.key < $1.key }) { reporter.conclude() }
        return speed
    }

    /// Reports the result for each member, in the order of the roster.
    ///
    /// - Returns: the combined status.
    func conclude(_ deliveries: [MemberDelivery]) -> ExitStatus {
        let speed = endProgress()
        for delivery in deliveries {
            if case .failure(let error) = delivery.result {
                let name = "“\(delivery.member.name)”"
                let sentence = DisplayText(sentence: error.shortSentence, limit: 500).text
                console.diagnose(sentence.hasPrefix(name) ? sentence : "\(name): \(sentence)")
            }
            console.emit(delivery.event)
        }
        let done = deliveries.count { [.done, .incomplete].contains($0.status) }
        let members = Human.count(deliveries.count, "member")
        console.remark("\(target): delivered to \(done) of \(members)\(speed.map { " (\($0))" } ?? "").")
        return deliveries.status
    }
}

extension MemberDelivery {
    /// First failure; if there is none, `incomplete` or `done`.
    var status: ExitStatus {
        switch result {
        case .success(let deliveries): deliveries.lazy.map(\.status).combined
        case .failure(let error): ExitStatus(error.kind)
        }
    }

    var event: NodeEvent {
        var message: String?
        var fault: NodeError.Fault.Code?
        if case .failure(let error) = result {
            message = String(peerText: error.shortSentence)
            fault = error.fault?.code
        }
        return NodeEvent(
            \.member,
            .init(
                member: member.name.text, fingerprint: member.key.fingerprint, outcome: status.outcome,
                code: status.rawValue, message: message, fault: fault))
    }
}

extension ExitStatus {
    /// Outcome for one of several receivers.
    var outcome: NodeEvent.MemberEnd.Outcome {
        switch self {
        case .done: .delivered
        case .incomplete: .incomplete
        case .unreachable: .unreachable
        case .declined: .declined
        case .nothingInCommon: .nothingInCommon
        default: .failed
        }
    }
}

extension [MemberDelivery] {
    /// `done` if at least one member was reached and all reached members have everything; else the status of the first
    /// reached member, in the order of the roster, that has not.
    var status: ExitStatus {
        let reached = filter(\.isReached)
        return reached.isEmpty ? .unreachable : reached.lazy.map(\.status).combined
    }
}
