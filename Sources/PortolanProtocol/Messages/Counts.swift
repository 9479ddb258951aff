import SwiftProtobuf

/// Numbers of End, Stored and Total that are for showing, each under its kind. None of them decides anything.
struct Counts: Hashable, Sendable {
    /// Numbers of at least 1. A kind that is not there counts 0.
    private var numbers: [WireCountKind: UInt64] = [:]

    init() {}

    /// The number of a kind; 0 where there is none.
    subscript(kind: WireCountKind) -> UInt64 {
        get { numbers[kind] ?? 0 }
        set { numbers[kind] = newValue == 0 ? nil : newValue }
    }

    /// Omissions beyond those listed.
    var furtherOmissions: UInt64 {
        get { self[.omissions] }
        set { self[.omissions] = newValue }
    }

    /// Omissions of content beyond those listed; no more than all of these, whatever a peer says.
    var furtherMissing: UInt64 {
        get { min(self[.missing], furtherOmissions) }
        set { self[.missing] = newValue }
    }

    /// Number of entries that the receiver had before.
    var keptEntries: UInt32 {
        get { UInt32(clamping: self[.keptEntries]) }
        set { self[.keptEntries] = UInt64(newValue) }
    }

    /// Number of bytes that did not come.
    var keptBytes: UInt64 {
        get { self[.keptBytes] }
        set { self[.keptBytes] = newValue }
    }

    /// True if a stored item was brought up to date.
    var isUpdated: Bool {
        get { self[.updated] > 0 }
        set { self[.updated] = newValue ? 1 : 0 }
    }

    /// Number of files of an updated folder that did not come this time.
    var surplusEntries: UInt32 {
        get { UInt32(clamping: self[.surplusEntries]) }
        set { self[.surplusEntries] = UInt64(newValue) }
    }

    /// Bytes of content that were found so far.
    var foundBytes: UInt64 {
        get { self[.foundBytes] }
        set { self[.foundBytes] = newValue }
    }

    /// True if everything was found.
    var isAllFound: Bool {
        get { self[.foundAll] > 0 }
        set { self[.foundAll] = newValue ? 1 : 0 }
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
