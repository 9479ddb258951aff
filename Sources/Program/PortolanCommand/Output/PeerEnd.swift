import Portolan

/// End of a sending to one of several peers.
struct PeerEnd: Sendable {
    /// The peer as the command line names it, as harmless text.
    let target: String
    /// Proved key; nil if no session was opened.
    var fingerprint: Fingerprint?
    let status: ExitStatus
    /// Reason of the failure as a whole.
    var message: String?
    /// Fault of the connection, if that is the cause.
    var fault: NodeError.Fault.Code?

    var event: NodeEvent {
        NodeEvent(
            \.member,
            .init(
                member: target, fingerprint: fingerprint, outcome: status.outcome, code: status.rawValue,
                message: message, fault: fault))
    }
}

extension [PeerEnd] {
    /// Worst status: the highest number.
    var status: ExitStatus { map(\.status).max { $0.rawValue < $1.rawValue } ?? .done }
}

extension TeamSendReporter {
    /// Reports the result for each of several peers, in the order of the command line.
    ///
    /// - Returns: the combined status.
    func conclude(_ ends: [PeerEnd]) -> ExitStatus {
        let speed = endProgress()
        for end in ends {
            if let message = end.message { console.diagnose("“\(end.target)”: \(message)") }
            console.emit(end.event)
        }
        let done = ends.count { [.done, .incomplete].contains($0.status) }
        console.remark("Delivered to \(done) of \(Human.count(ends.count, "peer"))\(speed.map { " (\($0))" } ?? "").")
        return ends.status
    }
}
