import Portolan
import PortolanCrypto
import PortolanTrust
import Synchronization

/// Tells what happens while items are sent to several members of a team at once.
final class TeamSendReporter: Sendable {
    private struct State {
        var reporters: [Member: SendReporter] = [:]
        /// Bytes of each transfer that were sent since it was started last.
        var current: [TransferID: UInt64] = [:]
        /// Bytes that were sent before that.
        var before: UInt64 = 0
        var hasBar = false

        var sent: UInt64 { current.values.reduce(before, Self.sum) }

        /// The sum, or the greatest number where it is larger.
        static func sum(_ one: UInt64, _ other: UInt64) -> UInt64 {
            let (sum, overflow) = one.addingReportingOverflow(other)
            return overflow ? .max : sum
        }
    }

    private let console: Console
    private let titles: [String]
    private let target: TeamTarget
    private let state = Mutex(State())

    init(_ console: Console, titles: [String], target: TeamTarget) {
        self.console = console
        self.titles = titles
        self.target = target
    }

    /// In order for each member, from any thread.
    func report(_ event: SendEvent, of member: Member) {
        progress(event)
        let reporter = state.withLock { state in
            if let reporter = state.reporters[member] { return reporter }
            let reporter = SendReporter(console, titles: titles, member: member.name)
            state.reporters[member] = reporter
            return reporter
        }
        reporter.report(event)
    }

    /// One line for all: how much has gone out, whoever to.
    private func progress(_ event: SendEvent) {
        let (begins, sent) = state.withLock { state in
            switch event {
            case .started(let transfer, _, _, _):
                state.before = State.sum(state.before, state.current[transfer] ?? 0)
                state.current[transfer] = 0
            case .progress(let transfer, _, let transferred): state.current[transfer] = transferred
            case .connected, .waitingForAnswer, .found, .broke, .settled, .resumed, .retrying:
                return (false, nil as UInt64?)
            }
            defer { state.hasBar = true }
            return (!state.hasBar, state.sent)
        }
        if begins { console.beginProgress(title: "To \(target)", ending: SendReporter.ending, total: .unknown) }
        if let sent { console.progress(bytes: sent, transferred: sent) }
    }

    /// Tells how it ended with each, in the order of the roster.
    ///
    /// - Returns: the status of it all.
    func conclude(_ deliveries: [MemberDelivery]) -> ExitStatus {
        let speed = console.endProgress(transferred: state.withLock(\.sent))
        for delivery in deliveries {
            if case .failure(let error) = delivery.result {
                let name = "“\(delivery.member.name)”"
                let sentence = DisplayText(sentence: error.fullSentence, limit: 500).text
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
    /// The first failure; if there is none, `incomplete` or `done`.
    var status: ExitStatus {
        switch result {
        case .success(let deliveries): deliveries.lazy.map(\.status).combined
        case .failure(let error): ExitStatus(error.kind)
        }
    }

    var event: NodeEvent {
        var message: String?
        if case .failure(let error) = result { message = String(peerText: error.fullSentence) }
        return .member(.init(member, outcome: outcome, code: status.rawValue, message: message))
    }

    private var outcome: NodeEvent.MemberEnd.Outcome {
        switch status {
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
    /// Done when at least one member was reached and all that were have everything; else what became of the first, in the
    /// order of the roster, that was reached and has not.
    var status: ExitStatus {
        let reached = filter(\.isReached)
        return reached.isEmpty ? .unreachable : reached.lazy.map(\.status).combined
    }
}
