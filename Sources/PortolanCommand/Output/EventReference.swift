import Portolan

/// The schema that `portolan help json-output` shows and programs rely on: `Protocol/events.schema.json` in words.
extension NodeEvent.Kind {
    struct Field: Sendable {
        let name: String
        let meaning: String

        init(_ name: String, _ meaning: String) {
            self.name = name
            self.meaning = meaning
        }
    }

    var meaning: String {
        switch self {
        case .awaiting: "pair, team invite: ready for whoever enters the code"
        case .code: "pair, team invite: the code to say to somebody; the first line"
        case .conforms: "types conforms: the answer"
        case .connected: "send: a session with the peer is open and its key is proved"
        case .contact: "contacts: a peer that this device was paired with"
        case .contactForgotten: "contacts forget: it is a contact no more"
        case .declined: "receive, get: an offer was declined here, or one item of it"
        case .disconnected: "receive: a session ended before its time"
        case .error: "the command failed; the last line, but for resume, which goes on with the next transfer"
        case .failed: "receive, get: an item was not received; nothing of it is visible"
        case .fellBack: "send: a representation could not be produced, the receiver may take another"
        case .fetched: "share: a peer has asked for an item, and this is what became of it"
        case .found: "pair, team join: the machine that shows the code is there"
        case .id: "id: this device"
        case .imported: "types import: the declarations are installed"
        case .joined: "team invite: a device is a member now"
        case .listening: "receive, share: ready for peers"
        case .member: "send to a team or to several targets: how it ended with one of them"
        case .note: "something the user should know"
        case .offer: "receive, get: a peer offers items, and what would be taken of each"
        case .paired: "pair: the other side is a contact now"
        case .peer: "peers: a peer is there, or something about it changed"
        case .peerGone: "peers --watch: a peer is there no more"
        case .problem: "types check, types import: something is wrong with a declaration"
        case .progress: "bytes of an item so far; at most five a second"
        case .quarantined: "receive: an item is stored in quarantine, durably; it does not count as received"
        case .refused: "receive, share, pair, team invite: a connection did not become a session"
        case .renamed: "receive, share: the name was taken on the network, so this one is advertised under another"
        case .representation: "offer: one form of an item, in order of preference"
        case .result:
            "send, resume, get, receive --once or --output, pair, team invite, team join, demo: how it ended; the last line, unless it is an error"
        case .resumed: "an item goes on where it stopped; only what is missing is on its way"
        case .retrying:
            "send: the connection broke, or a member of a team is not found yet, and it is tried again after a while for what is not settled"
        case .settled: "send: what became of one item"
        case .shared: "share: an item can be fetched"
        case .sharedItem: "ls: an item that the peer shares"
        case .started: "an item is on its way"
        case .step: "demo: what happens now"
        case .stored: "receive, get: an item is stored, durably"
        case .team: "team create, join, show, list, use: a team of this device"
        case .teamChanged: "team remove, group, promote, renew, reclaim: the change is signed"
        case .teamLeft: "team leave: this device is out"
        case .transfer: "transfers: one that runs or can go on; resume: the one that goes on now"
        case .transferCancelled: "transfers cancel: it was told to stop"
        case .transferForgotten: "transfers forget: it cannot go on any more"
        case .type: "types show, of, list: a type"
        case .waiting: "send: a person is asked on the other side"
        case .withdrawn:
            "share: something else has the place of an item's file or folder, so that it cannot be fetched any more"
        }
    }

    var fields: [Field] {
        switch self {
        case .awaiting:
            [Field("port", "number"), Field("discovery", "how others find this device: avahi, embedded or off")]
        case .code:
            [
                Field("code", "text; whoever has it can take the other's place"),
                Field("seconds", "how long it is good"),
                Field("team", "name, or null for pairing"), Field("groups", "names that a new member is put into"),
                Field("uses", "how many devices can use it"),
            ]
        case .contact, .contactForgotten, .paired:
            [
                Field("name", "what this device calls it"), Field("announcedName", "what it calls itself"),
                Field("fingerprint", "text"), Field("since", "when it was paired (RFC 3339)"),
                Field("lastSeen", "when it was last met, to the hour"),
            ]
        case .conforms:
            [Field("type", "identifier"), Field("to", "identifier"), Field("conforms", "true or false")]
        case .connected:
            [
                Field("name", "text"), Field("fingerprint", "text"), Field("address", "text"),
                Field("new", "never met before"), Self.memberName,
                Field("localName", "what this device calls it, or will once something is exchanged"),
            ]
        case .declined:
            [
                Field("transfer", "the item, as in offer; null for the whole offer"), Self.peerField,
                Field("title", "the item's; null for the whole offer"), Field("reason", "text"),
            ]
        case .disconnected: [Self.peerField, Field("reason", "text")]
        case .error:
            [
                Field("code", "the exit status"), Field("kind", "its word, see exit-codes"), Field("message", "text"),
                Field("candidates", "peers a name could mean, as in peer"),
            ]
        case .failed:
            [Self.transfer, Self.peerField, Field("title", "text"), Field("reason", "text"), Self.parcelOfSender]
        case .fellBack:
            [Self.transfer, Self.item, Self.representationNumber, Field("message", "text"), Self.memberName]
        case .fetched:
            [
                Self.peerField, Field("id", "the item's"), Field("title", "text"),
                Field("code", "the exit status that it would be for 'send'"), Field("kind", "its word, see exit-codes"),
            ]
        case .found: [Field("address", "text")]
        case .id:
            [
                Field("name", "text"), Field("fingerprint", "text"), Field("key", "Ed25519, hexadecimal"),
                Field("configuration", "path of the file"), Field("data", "path"), Field("state", "path"),
                Field("cache", "path"), Field("runtime", "path or null"),
            ]
        case .imported: [Field("path", "where they are now")]
        case .joined: [Self.teamName, Field("member", Self.memberFields)]
        case .listening:
            [
                Field("name", "text"), Field("fingerprint", "text"), Field("port", "number"),
                Field("discovery", "how others find this peer: avahi, embedded or off"),
                Field("inbox", "path; - for standard output; null where nothing is received"),
            ]
        case .member:
            [
                Field("member", "name in the team, or the target as it was given"),
                Field("fingerprint", "text; null for a target with which no session came about"),
                Field("outcome", "delivered, incomplete, declined, nothing-in-common, unreachable or failed"),
                Field("code", "the exit status it would be alone"),
                Field("message", "why no session came about, or null"),
            ]
        case .note: [Field("message", "text")]
        case .offer:
            [
                Self.peerField,
                Field("items", Self.offeredItem),
                Field("notImportable", "titles of which nothing can be taken"),
                Self.parcelOfSender,
            ]
        case .peer:
            [
                Field("name", "text, unproven"), Field("fingerprint", "text or null, unproven"),
                Field("known", "this fingerprint was met before, under whatever name"),
                Field("standing", "text for people"),
                Field("contact", "whether it was paired with"), Self.teams,
                Field("addresses", "likeliest first"),
                Field("foundBy", "avahi (also where this process stands in for a stopped daemon), embedded or address"),
                Field("localName", "what this device calls it, or null"),
            ]
        case .peerGone: [Field("name", "text"), Field("fingerprint", "text or null")]
        case .problem:
            [
                Field("severity", "error or warning"), Field("file", "path or null"), Field("line", "number or null"),
                Field("key", "key path in the property list, or null"), Field("type", "identifier or null"),
                Field("message", "text"),
            ]
        case .progress:
            [
                Self.transfer, Field("item", "number or null"), Field("title", "text"),
                Field("bytes", "how much of it is dealt with"),
                Field("transferred", "how much of that crossed the network, the rest was there before"),
                Self.total, Field("counting", "whether the total still grows, as that of a folder does at first"),
                Self.memberName,
            ]
        case .refused: [Field("address", "text"), Field("reason", "text")]
        case .renamed: [Field("name", "the new name")]
        case .representation:
            [
                Self.item, Field("title", "the item's"), Self.representationNumber, Field("type", "identifier"),
                Field("description", "text or null"), Field("visibility", "all, team, group or own-process"),
                Self.audience,
                Field("bytes", "number or null"), Field("name", "suggested, or null"), Field("folder", "true or false"),
                Field("shown", "whether the peer would see it"),
                Field("position", "what the peer would know it by, from 0, or null"), Field("why", "text"),
                Field("converter", "the program that makes it, or null"),
            ]
        case .result: [Field("code", "the exit status"), Field("kind", "its word, see exit-codes")]
        case .settled:
            [
                Self.transfer, Self.item, Field("title", "text"), Field("representation", "number or null"),
                Field("outcome", "stored, declined, failed, broken-off or hidden"),
                Field("name", "stored under, or null"),
                Field("bytes", "number or null"), Field("reason", "word or null"),
                Field("detail", "the receiver's text, or null"),
                Field("trouble", "what went wrong on this side, or null"), Self.omissions, Self.omitted,
                Field("keptEntries", "how many of its parts the receiver had already, or null"),
                Field("keptBytes", "how many of the bytes, or null"),
                Field("updated", "whether an item that was there was brought up to date, or null"),
                Field("surplus", "files there that were part of the folder before and are not now, or null"),
                Field("withheld", "what of a folder the receiver may not see: path, reason of each, as far as listed"),
                Field("withheldCount", "how much the receiver may not see, listed or not"),
                Self.memberName, Field("parcel", "what the receiver knows the sending by"),
            ]
        case .shared: [Field("id", "the item's"), Field("title", "text")]
        case .sharedItem:
            [
                Field("id", "32 hexadecimal digits"), Field("title", "text"), Field("message", "text or null"),
                Field("forms", "the best first; type, description, name, bytes, folder, visibility, audience of each"),
            ]
        case .started:
            [
                Self.transfer, Field("item", "number or null"), Field("title", "text"),
                Field("representation", "number or null"),
                Self.total, Self.memberName,
            ]
        case .resumed:
            [
                Self.transfer, Field("item", "number or null"), Field("title", "text"),
                Field("peer", "receive: as in offer; send: null"),
                Field("kept", "bytes that were there already"), Self.memberName,
            ]
        case .retrying:
            [
                Field("reason", "text"), Field("milliseconds", "until the next attempt; 0 while it is looked for"),
                Self.memberName,
            ]
        case .step: [Field("message", "text")]
        case .stored, .quarantined:
            [
                Self.transfer, Self.peerField, Field("title", "text"), Field("name", "as stored"),
                Field("path", "absolute; - for standard output"),
                Field("type", "identifier"), Field("bytes", "number"), Field("visibility", "for passing it on"),
                Self.audience,
                Field("keptEntries", "how many of its parts were there already"),
                Field("keptBytes", "how many of the bytes"),
                Field("updated", "whether an item that was there was brought up to date"),
                Field("surplus", "files here that were part of the folder before and are not now"),
                Self.omissions, Self.omitted, Self.parcelOfSender,
            ]
        case .team:
            [
                Self.teamName, Self.teamID, Self.epoch,
                Field("heads", "more than 1 until changes that were made at once are settled"),
                Field("issued", "RFC 3339"), Field("expires", "RFC 3339"),
                Field("validity", "valid, expired or not-yet"),
                Field("default", "true or false"), Field("admin", "whether this device is one"),
                Field("removed", "whether this device was"),
                Field("removalSigner", "the admin who signed the roster that tells of the removal, or null"),
                Field("removalSigned", "when that was signed, or null"),
                Field("groups", "this device's"),
                Field("members", "of each: " + Self.memberFields), Field("warnings", "texts"),
            ]
        case .teamChanged:
            [
                Self.teamName, Self.teamID, Self.epoch,
                Field("change", "remove, add-to-group, remove-from-group, promote, renew or reclaim"),
                Field("member", "name or null"), Field("group", "name or null"),
                Field("told", "names of the members that know"), Field("notReached", "names of those that do not yet"),
                Field("removedTold", "names of removed devices that know"),
                Field("removedNotReached", "names of those that do not yet"),
            ]
        case .teamLeft: [Self.teamName, Self.teamID]
        case .transfer, .transferCancelled, .transferForgotten:
            [
                Field("id", "text"), Field("direction", "send or receive"),
                Field("status", "running, waiting (for an answer or to try again) or resumable"),
                Field("target", "whom it was to be sent to, as that was given, or null"),
                Field("name", "the peer's, or null"), Field("fingerprint", "the peer's, or null"),
                Field("titles", "of the items"), Field("bytes", "how much went or came, as far as known"), Self.total,
                Field("created", "RFC 3339"), Field("folder", "where it was sent from, or is received into"),
            ]
        case .type:
            [
                Field("type", "identifier"), Field("description", "text or null"),
                Field("declared", "whether this machine knows a declaration"),
                Field("dynamic", "whether it was made up for a tag that no type claims"),
                Field("conformsTo", "everything it conforms to, nearest first"),
                Field("extensions", "preferred first"), Field("mimeTypes", "preferred first"),
                Field("declaredIn", "path of the property list, or null"), Field("version", "number or null"),
                Field("reference", "URL or null"), Field("path", "types of: the file, or null"),
            ]
        case .waiting: [Self.memberName]
        case .withdrawn: [Field("id", "the item's"), Field("title", "text"), Field("reason", "text")]
        }
    }

    private static let offeredItem =
        "transfer (as in the events that follow), title, type, description, name, representation, representations, bytes (the most that are accepted, or null), apparentBytes (with "
        + "holes, or null), mostBytes (of this form or another that comes in its place, or null), sizeKnown, folder, visibility, audience, message, image and icon (type, data in base64; or null) of each"
    private static let peerField = Field(
        "peer",
        "name, fingerprint, address, known (whether this key was met before, under whatever name), contact, teams (as in peer), localName (what this device calls it, or will once "
            + "something is exchanged), namesakeOf (fingerprint of another key that is known by its name, or null)")
    private static let audience = Field("audience", "team (its identifier) and groups (names), or null")
    private static let memberName = Field(
        "member",
        "the receiver where there are several, or null: its name in the team that is sent to, or the target as it was given"
    )
    private static let memberFields = "name, fingerprint, admin, groups, own (whether it is this device)"
    private static let teamName = Field("team", "name")
    private static let teamID = Field("id", "the team's, text")
    private static let epoch = Field("epoch", "how many changes there have been")
    private static let teams = Field("teams", "those of yours that it is in: team, id, groups, admin of each")
    private static let item = Field("item", "number, from 0")
    private static let transfer = Field(
        "transfer", "what tells this item from all others on their way, until it is done with")
    private static let parcelOfSender = Field(
        "parcel", "what the sender's transfers of it begin with, or null for what was asked for")
    private static let representationNumber = Field("representation", "number within the item, from 0")
    private static let total = Field("total", "bytes there will be, as far as known, or null")
    private static let omissions = Field(
        "omissions", "what could not be carried: path, reason of each, as far as listed")
    private static let omitted = Field("omitted", "how much could not be carried, listed or not")

    /// The schema that `portolan help json-output` shows.
    static var table: String {
        allCases.map { kind in
            let fields = kind.fields.map { "      \($0.name): \($0.meaning)" }
            return (["  \(kind.rawValue)  (\(kind.meaning))"] + fields).joined(separator: "\n")
        }.joined(separator: "\n")
    }
}
