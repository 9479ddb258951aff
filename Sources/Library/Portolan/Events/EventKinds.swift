extension NodeEvent {
    /// A kind of event.
    public struct Kind<Fields: EventFields>: Sendable {
        /// Name of the kind: the value of the field `event`.
        public let word: String
        /// The commands that print it, and the occasion.
        public let meaning: String

        fileprivate init(_ word: String, _ meaning: String) {
            self.word = word
            self.meaning = meaning
        }
    }

    /// The kinds of events. Each is one property of this type: the schema, its help page, and the coding of events are
    /// derived from these properties.
    public struct Kinds: Sendable {
        public let awaiting = Kind<Awaiting>("awaiting", "pair, team invite: ready for whoever enters the code")
        public let code = Kind<Code>("code", "pair, team invite: the code to say to somebody; the first line")
        public let configurationFile = Kind<ConfigurationFileState>(
            "configuration-file", "config path: a file that is read, or would be")
        public let conforms = Kind<Conformance>("conforms", "types conforms: the answer")
        public let connected = Kind<Connected>(
            "connected", "send: a session with the peer is open and its key is proved")
        public let contact = Kind<ContactState>("contact", "contacts: a peer that this device was paired with")
        public let contactForgotten = Kind<ContactState>(
            "contact-forgotten", "contacts forget: it is a contact no more")
        public let declined = Kind<Declined>("declined", "receive, get: an offer was declined here, or one item of it")
        public let disconnected = Kind<Disconnected>("disconnected", "receive: a session ended before its time")
        public let error = Kind<Failure>(
            "error", "the command failed; the last line, but for resume, which goes on with the next transfer")
        public let failed = Kind<Failed>("failed", "receive, get: an item was not received; nothing of it is visible")
        public let fellBack = Kind<FellBack>(
            "fell-back", "send: a representation could not be produced, the receiver may take another")
        public let fetched = Kind<Fetched>(
            "fetched", "share: a peer has asked for an item, and this is what became of it")
        public let finding = Kind<Finding>("finding", "doctor: one thing that was looked at")
        public let found = Kind<Found>("found", "pair, team join: the machine that shows the code is there")
        public let id = Kind<Identity>("id", "id: this device")
        public let imported = Kind<Imported>("imported", "types import: the declarations are installed")
        public let joined = Kind<Joined>("joined", "team invite: a device is a member now")
        public let listening = Kind<Listening>("listening", "receive, share: ready for peers")
        public let member = Kind<MemberEnd>(
            "member", "send to a team or to several targets: how it ended with one of them")
        public let note = Kind<Note>("note", "something the user should know")
        public let offer = Kind<Offer>("offer", "receive, get: a peer offers items, and what would be taken of each")
        public let paired = Kind<ContactState>("paired", "pair: the other side is a contact now")
        public let peer = Kind<PeerState>("peer", "peers: a peer is there, or something about it changed")
        public let peerGone = Kind<PeerGone>("peer-gone", "peers --watch: a peer is there no more")
        public let problem = Kind<Problem>(
            "problem", "types check, types import, config check: something is wrong with a declaration or a setting")
        public let progress = Kind<Progress>("progress", "bytes of an item so far; at most five a second")
        public let quarantined = Kind<Stored>(
            "quarantined", "receive: an item is stored in quarantine, durably; it does not count as received")
        public let refused = Kind<Refused>(
            "refused", "receive, share, pair, team invite: a connection did not become a session")
        public let renamed = Kind<Renamed>(
            "renamed", "receive, share: the name was taken on the network, so this one is advertised under another")
        public let representation = Kind<Representation>(
            "representation", "offer: one form of an item, in order of preference")
        public let result = Kind<End>(
            "result",
            "send, resume, get, receive --once or --output, pair, team invite, team join, demo: how it ended; the last line, unless it is an error"
        )
        public let resumed = Kind<Resumed>(
            "resumed", "an item goes on where it stopped; only what is missing is on its way")
        public let retrying = Kind<Retrying>(
            "retrying",
            "send, get: the connection broke, or the peer is not there yet, and it is tried again after a while for what is not settled"
        )
        public let setting = Kind<Setting>("setting", "config show: a setting in force, and where it comes from")
        public let settled = Kind<Settled>("settled", "send: what became of one item")
        public let shared = Kind<Shared>("shared", "share: an item can be fetched")
        public let sharedItem = Kind<SharedItemState>("shared-item", "ls: an item that the peer shares")
        public let started = Kind<Started>("started", "an item is on its way")
        public let step = Kind<Note>("step", "demo: what happens now")
        public let stored = Kind<Stored>("stored", "receive, get: an item is stored, durably")
        public let team = Kind<TeamState>("team", "team create, join, show, list, use: a team of this device")
        public let teamChanged = Kind<TeamChanged>(
            "team-changed", "team remove, group, promote, renew, reclaim: the change is signed")
        public let teamLeft = Kind<TeamLeft>("team-left", "team leave: this device is out")
        public let transfer = Kind<TransferState>(
            "transfer", "transfers, outbox: one that runs or can go on; resume: the one that goes on now")
        public let transferCancelled = Kind<TransferState>(
            "transfer-cancelled", "transfers cancel: it was told to stop")
        public let transferForgotten = Kind<TransferState>(
            "transfer-forgotten", "transfers forget: it cannot go on any more")
        public let type = Kind<TypeState>("type", "types show, of, list: a type")
        public let waiting = Kind<Waiting>("waiting", "send: a person is asked on the other side")
        public let withdrawn = Kind<Withdrawn>(
            "withdrawn",
            "share: something else has the place of an item's file or folder, so that it cannot be fetched any more")
    }

    /// Each kind, by its word.
    package static let kinds = [String: any EventKind](
        uniqueKeysWithValues: Mirror(reflecting: Kinds()).children.compactMap { $0.value as? any EventKind }
            .map { ($0.word, $0) })
}

/// A kind of event, with any fields.
package protocol EventKind: Sendable {
    associatedtype Fields: EventFields

    var word: String { get }
    var meaning: String { get }

    func event(_ fields: Fields) -> NodeEvent
}

extension EventKind {
    package var fields: [NodeEvent.Field] { Fields.fields }

    /// Reads the fields of an event of this kind.
    func read(from decoder: any Decoder) throws -> NodeEvent { event(try Fields(from: decoder)) }
}

extension NodeEvent.Kind: EventKind {
    package func event(_ fields: Fields) -> NodeEvent { NodeEvent(self, fields) }
}
