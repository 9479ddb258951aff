/// Fields of a kind of event.
public protocol EventFields: Codable, Hashable, Sendable {
    /// Name, form and meaning of each field, in the order of the page `json-output`.
    static var fields: [NodeEvent.Field] { get }
}

extension NodeEvent {
    /// Field of an event, as the schema and the help page `json-output` describe it.
    public struct Field: Sendable {
        public let name: String
        public let meaning: String
        package let form: Form

        init(_ name: String, _ form: Form, _ meaning: String) {
            self.name = name
            self.form = form
            self.meaning = meaning
        }
    }
}

extension NodeEvent.Field {
    static let receiver = NodeEvent.Field(
        "member", .orNull(.text),
        "the receiver where there are several, or null: its name in the team that is sent to, or the target as it was given"
    )
    static let peer = NodeEvent.Field(
        "peer", .provenPeer,
        "name, fingerprint, address, known (whether this key was met before, under whatever name), contact, teams (as in peer), localName (what this device calls it, or will once something is exchanged), namesakeOf (fingerprint of another key that is known by its name, or null)"
    )
    static let transfer = NodeEvent.Field(
        "transfer", .transferID, "what tells this item from all others on their way, until it is done with")
    static let parcelOfSender = NodeEvent.Field(
        "parcel", .orNull(.parcelID), "what the sender's transfers of it begin with, or null for what was asked for")
    static let item = NodeEvent.Field("item", .count, "number, from 0")
    static let representation = NodeEvent.Field("representation", .count, "number within the item, from 0")
    static let teamName = NodeEvent.Field("team", .text, "name")
    static let total = NodeEvent.Field("total", .orNull(.count), "bytes there will be, as far as known, or null")
    static let audience = NodeEvent.Field(
        "audience", .orNull(.audience), "team (its identifier) and groups (names), or null")
    static let omissions = NodeEvent.Field(
        "omissions", .list(.part), "what could not be carried: path, reason of each, as far as listed")
    static let omitted = NodeEvent.Field("omitted", .count, "how much could not be carried, listed or not")
    static let fault = NodeEvent.Field(
        "fault", .orNull(.fault),
        "what kept this device from the other one: "
            + NodeError.Fault.Code.allCases.map(\.rawValue).joined(separator: ", ") + "; or null")
    static let teamID = NodeEvent.Field("id", .text, "the team's, text")
    static let epoch = NodeEvent.Field("epoch", .count, "how many changes there have been")
}
