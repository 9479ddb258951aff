extension NodeEvent {
    /// Values that a field can have.
    package indirect enum Form: Sendable {
        case text
        /// Text of some bytes, in base64.
        case bytes
        /// A moment, as RFC 3339 writes it.
        case moment
        /// A word of the list.
        case oneOf([String])
        /// Text that a regular expression matches.
        case pattern(String)
        case truth
        /// A whole number that is not negative.
        case count
        /// A whole number.
        case number
        case list(Form)
        case orNull(Form)
        case object(KeyValuePairs<String, Form>)
        /// Form that several fields share: its name, and a sentence about it.
        case defined(String, String, Form)

        static func words<Word: CaseIterable & RawRepresentable<String>>(_ type: Word.Type) -> Form {
            .oneOf(type.allCases.map(\.rawValue))
        }
    }
}

extension NodeEvent.Form {
    static let visibility = NodeEvent.Form.oneOf(["all", "team", "group", "own-process"])

    static let fingerprint = NodeEvent.Form.defined(
        "fingerprint", "The first 20 bytes of the SHA-256 of a device key, in base32",
        .pattern("^[a-z2-7]{4}(-[a-z2-7]{4}){7}$"))
    static let transferID = NodeEvent.Form.defined(
        "transferID", "What tells one item from all others on their way", .pattern("^[0-9a-f]{32}-(0|[1-9][0-9]*)$"))
    static let parcelID = NodeEvent.Form.defined("parcelID", "What is sent together", .pattern("^[0-9a-f]{32}$"))
    static let itemID = NodeEvent.Form.defined("itemID", "A shared item", .pattern("^[0-9a-f]{32}$"))
    static let membership = NodeEvent.Form.defined(
        "membership", "A team that a peer is in",
        .object(["team": .text, "id": .text, "groups": .list(.text), "admin": .truth]))
    static let audience = NodeEvent.Form.defined(
        "audience", "A team and, of a restriction to groups, their names",
        .object(["team": .text, "groups": .list(.text)]))
    static let provenPeer = NodeEvent.Form.defined(
        "provenPeer", "The peer of a session, which has proved its key",
        .object([
            "name": .text, "fingerprint": .fingerprint, "address": .text, "known": .truth, "contact": .truth,
            "teams": .list(.membership), "localName": .text, "namesakeOf": .orNull(.fingerprint),
        ]))
    static let foundPeer = NodeEvent.Form.defined(
        "foundPeer", "A peer that was found, and has proved nothing",
        .object([
            "name": .text, "fingerprint": .orNull(.fingerprint), "known": .truth, "standing": .text, "contact": .truth,
            "teams": .list(.membership), "addresses": .list(.text), "foundBy": .text, "localName": .orNull(.text),
        ]))
    static let member = NodeEvent.Form.defined(
        "member", "A member of a team",
        .object(["name": .text, "fingerprint": .fingerprint, "admin": .truth, "groups": .list(.text), "own": .truth]))
    static let picture = NodeEvent.Form.defined("picture", "A small picture", .object(["type": .text, "data": .bytes]))
    static let part = NodeEvent.Form.defined(
        "part", "A part of an item, and why it is not there", .object(["path": .text, "reason": .text]))
    static let offeredItem = NodeEvent.Form.defined(
        "offeredItem", "An item as a peer offers it",
        .object([
            "transfer": .transferID, "title": .text, "type": .text, "description": .orNull(.text),
            "name": .orNull(.text), "representation": .count, "representations": .count, "bytes": .orNull(.count),
            "apparentBytes": .orNull(.count), "mostBytes": .orNull(.count), "estimatedBytes": .orNull(.count),
            "sizeKnown": .truth, "folder": .truth, "visibility": .visibility, "audience": .orNull(.audience),
            "message": .text, "image": .orNull(.picture),
            "icon": .orNull(.picture),
        ]))
    static let fault = NodeEvent.Form.defined(
        "fault", "What kept this device from another one", .words(NodeError.Fault.Code.self))
    static let sharedForm = NodeEvent.Form.defined(
        "sharedForm", "A form of a shared item",
        .object([
            "type": .text, "description": .orNull(.text), "name": .orNull(.text), "bytes": .orNull(.count),
            "folder": .truth, "visibility": .visibility, "audience": .orNull(.audience),
        ]))
}
