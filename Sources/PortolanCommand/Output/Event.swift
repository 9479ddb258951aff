/// One line of `--json` output.
struct Event: Sendable, Hashable {
    let kind: EventKind
    let members: [String: JSONValue]

    /// - Parameter members: exactly the fields of the kind; a missing or surplus one is a mistake of ours.
    init(_ kind: EventKind, _ members: [String: JSONValue] = [:]) {
        precondition(
            Set(members.keys) == Set(kind.fields.map(\.name)),
            "The fields of “\(kind.rawValue)” are not those documented.")
        self.kind = kind
        self.members = members
    }

    /// The line: `event` first, then the fields in alphabetical order.
    var text: String {
        let rest = members.isEmpty ? "" : "," + JSONValue.members(members)
        return "{\"event\":" + JSONValue.string(kind.rawValue).text + rest + "}"
    }
}
