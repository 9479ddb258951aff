import SwiftProtobuf

/// Numbers of End, Stored and Total that are for showing, each under its kind, which the schema explains. None of them
/// decides anything.
struct Counts: Hashable, Sendable {
    /// Numbers of at least 1. A kind that is not there counts 0.
    private var numbers: [WireCountKind: UInt64] = [:]

    init() {}

    /// The number of a kind; 0 where there is none.
    subscript(kind: WireCountKind) -> UInt64 {
        get { numbers[kind] ?? 0 }
        set { numbers[kind] = newValue == 0 ? nil : newValue }
    }
}

// MARK: - Wire

extension Counts {
    /// Unknown kinds are held to the rules and passed over.
    init(_ wire: [WireCount]) throws(InvalidValue) {
        try InvalidValue.checkCount(wire.count, "counts", maximum: Limits.counts)
        try InvalidValue.check(
            zip(wire, wire.dropFirst()).allSatisfy({ $0.kind.rawValue < $1.kind.rawValue }),
            "The kinds of counts do not rise.")
        for count in wire {
            guard count.number > 0 else { throw InvalidValue("A count of 0 is not left out.") }
            guard count.number <= Limits.size else { throw .limit("A count is greater than any number can be.") }
            switch count.kind {
            case .unspecified, .UNRECOGNIZED: continue
            default: numbers[count.kind] = count.number
            }
        }
    }

    /// The counts, their kinds rising.
    var wire: [WireCount] {
        numbers.sorted { $0.key.rawValue < $1.key.rawValue }.map { kind, number in
            .with {
                $0.kind = kind
                $0.number = number
            }
        }
    }
}
