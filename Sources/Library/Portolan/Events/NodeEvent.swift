/// Event on a device, with fields that a program can read: a line of `--json` output.
///
/// ``Kinds`` lists all kinds; `Protocol/events.schema.json` is generated from them for other programs. Fields and kinds
/// may be added; none is removed or changes its meaning. Control and invisible characters in a peer's text are escaped.
public struct NodeEvent: Sendable {
    /// Name of the event's kind.
    public let kind: String
    let fields: any EventFields

    package init<Fields>(_ kind: KeyPath<Kinds, Kind<Fields>>, _ fields: Fields) {
        self.init(Kinds()[keyPath: kind], fields)
    }

    init<Fields>(_ kind: Kind<Fields>, _ fields: Fields) {
        self.kind = kind.word
        self.fields = fields
    }

    /// The fields of an event of one kind; nil if it is of another.
    public subscript<Fields>(kind: KeyPath<Kinds, Kind<Fields>>) -> Fields? {
        Kinds()[keyPath: kind].word == self.kind ? fields as? Fields : nil
    }
}

extension NodeEvent: Hashable {
    public static func == (one: NodeEvent, other: NodeEvent) -> Bool {
        one.kind == other.kind && AnyHashable(one.fields) == AnyHashable(other.fields)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(AnyHashable(fields))
    }
}
