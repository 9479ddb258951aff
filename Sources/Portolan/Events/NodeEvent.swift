/// Event on a device, with fields that a program can read: a line of `--json` output.
///
/// ``Kinds`` has the kinds that there are, and `Protocol/events.schema.json`, which is made from them, says the same to
/// other programs. Fields and kinds may be added, never taken away or given another meaning. Text that came from a peer
/// has its control and invisible characters written out.
public struct NodeEvent: Sendable {
    /// The word by which its kind is told from others.
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
