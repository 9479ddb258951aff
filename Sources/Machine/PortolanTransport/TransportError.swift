import PortolanProtocol
import PortolanValues

/// Reason why a connection could not be made, or ended before its work was done.
package enum TransportError: Error, Sendable {
    /// None of the peer's addresses answered; the fault has the observations, if there are any.
    case unreachable(String, fault: ConnectionFault? = nil)
    /// Connecting, handshake and offer together took longer than their deadline.
    case deadlinePassed(String)
    /// The peer was silent for this many seconds.
    case silent(seconds: Int)
    /// The connection ended without the peer's end mark: running transfers are incomplete.
    case truncated
    /// The sender went away before its offer was decided.
    case senderLeft
    /// The peer does not support this side's version of lanes, but these.
    case laneVersionRefused(ClosedRange<UInt8>)
    /// A peer opened a lane of a version that this side does not support.
    case laneVersionUnknown(UInt8)
    /// The peer closed the session, with its reason.
    case closedByPeer(Message.Close)
    /// This side is overloaded: strangers' places are taken, or no descriptor is left.
    case busy
    /// The peer's key has no right to do this, or has lost it; with a sentence for the peer, which may be empty.
    case notEntitled(String, told: String = "")
    /// The peer may no longer see the offered item.
    case withdrawn
    /// The other side did not answer the offer in time.
    case answerIsOverdue
    /// The peer is connected, but made no progress for this many seconds.
    case stalled(seconds: Int)
    /// The peer ended the session before it looked at the offer or question.
    case endedUnanswered
    /// This side ended the session to withdraw an operation that it had begun in it.
    case abandoned
    /// The peer takes no offers.
    case takesNothing
    /// The peer shares nothing.
    case sharesNothing
    /// The peer does not give the requested item.
    case refused(RefusalReason)
    /// The port to listen on is taken, or not for this user.
    case portUnavailable(String)
    /// The operating system refused.
    case system(String)
}

extension TransportError {
    /// The other side was too slow before the offer.
    static let offerIsOverdue = deadlinePassed("Connecting and agreeing on an offer")

    package static func unreachable(_ fault: ConnectionFault) -> TransportError {
        unreachable(fault.description, fault: fault)
    }
}

extension TransportError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreachable(let detail, _): detail
        case .deadlinePassed(let what):
            "\(what) took too long; the other side may be overloaded or not a Portolan peer."
        case .silent(let seconds): "Nothing was heard from the other side for \(seconds) s; the connection is gone."
        case .truncated: "The connection broke before the other side had finished."
        case .senderLeft: "The sender went away before its offer was answered."
        case .laneVersionRefused(let versions):
            "The other side takes files by lanes of version \(versions.words), and this one speaks version "
                + "\(LanePreface.version); bring both up to date."
        case .laneVersionUnknown(let version):
            "The other side opened a lane of version \(version), and this one speaks version \(LanePreface.version); "
                + "bring both up to date."
        case .closedByPeer(let close): close.sentence
        case .busy: "Others who are not known here have offered more than can be looked at at a time."
        case .notEntitled(let detail, _): detail
        case .withdrawn:
            "The other side is not entitled to what was offered any more: its standing has changed, or a file was restricted. "
                + "Nothing more was sent."
        case .answerIsOverdue: "The other side did not answer in time; send it again when somebody is there."
        case .stalled(let seconds): "The other side is there, but nothing has got any further for \(seconds) s."
        case .endedUnanswered: "The other side ended the session before it had answered; try again."
        case .abandoned: "The session ended because something else in it was cancelled."
        case .takesNothing: "The other side receives nothing at the moment; it only shares or fetches."
        case .sharesNothing: "The other side shares nothing."
        case .refused(.gone): "The other side shares no such item, or not with this device."
        case .refused(.busy): "The other side has too much to do; try again in a moment."
        case .refused(.unspecified): "The other side could not give it."
        case .portUnavailable(let detail), .system(let detail): detail
        }
    }
}

extension ClosedRange<UInt8> {
    fileprivate var words: String { count == 1 ? "\(lowerBound)" : "\(lowerBound) to \(upperBound)" }
}

extension Message.Close {
    fileprivate var sentence: String {
        let reason =
            switch code {
            case .unspecified, .internal: "The other side ended the session because something failed there"
            case .protocolViolation, .badIndex, .limit:
                "The other side ended the session: it says we broke the protocol"
            case .busy: "The other side is busy; try again in a moment"
            case .notTrusted:
                "The other side refused this device. Either it receives from members of a team only, and this device is none of "
                    + "them now, or it invited to a team whose admin it is no more"
            case .cancelled: "The other side stopped"
            case .notInTime: "The other side ended the session because it took too long"
            case .goingAway: "The other side is shutting down"
            }
        return detail.isEmpty ? reason + "." : "\(reason). It says: “\(DisplayText(said: detail))”"
    }
}
