/// One thing that happened on a device, with fields that a program can read: a line of `--json` output.
///
/// `Protocol/events.schema.json` says what each kind has. Fields and kinds may be added, never taken away or given another meaning. Text that
/// came from a peer has its control and invisible characters written out.
public enum NodeEvent: Hashable, Sendable {
    case awaiting(Awaiting)
    case code(Code)
    case conforms(Conformance)
    case connected(Connected)
    case contact(ContactState)
    case contactForgotten(ContactState)
    case declined(Declined)
    case disconnected(Disconnected)
    case error(Failure)
    case failed(Failed)
    case fellBack(FellBack)
    case fetched(Fetched)
    case found(Found)
    case id(Identity)
    case imported(Imported)
    case joined(Joined)
    case listening(Listening)
    case member(MemberEnd)
    case note(Note)
    case offer(Offer)
    case paired(ContactState)
    case peer(PeerState)
    case peerGone(PeerGone)
    case problem(Problem)
    case progress(Progress)
    case quarantined(Stored)
    case refused(Refused)
    case renamed(Renamed)
    case representation(Representation)
    case result(End)
    case resumed(Resumed)
    case retrying(Retrying)
    case settled(Settled)
    case shared(Shared)
    case sharedItem(SharedItemState)
    case started(Started)
    case step(Note)
    case stored(Stored)
    case team(TeamState)
    case teamChanged(TeamChanged)
    case teamLeft(TeamLeft)
    case transfer(TransferState)
    case transferCancelled(TransferState)
    case transferForgotten(TransferState)
    case type(TypeState)
    case waiting(Waiting)
    case withdrawn(Withdrawn)

    /// The word by which a kind is told from others.
    public enum Kind: String, CaseIterable, Codable, Sendable {
        case awaiting
        case code
        case conforms
        case connected
        case contact
        case contactForgotten = "contact-forgotten"
        case declined
        case disconnected
        case error
        case failed
        case fellBack = "fell-back"
        case fetched
        case found
        case id
        case imported
        case joined
        case listening
        case member
        case note
        case offer
        case paired
        case peer
        case peerGone = "peer-gone"
        case problem
        case progress
        case quarantined
        case refused
        case renamed
        case representation
        case result
        case resumed
        case retrying
        case settled
        case shared
        case sharedItem = "shared-item"
        case started
        case step
        case stored
        case team
        case teamChanged = "team-changed"
        case teamLeft = "team-left"
        case transfer
        case transferCancelled = "transfer-cancelled"
        case transferForgotten = "transfer-forgotten"
        case type
        case waiting
        case withdrawn
    }
}
