import PortolanValues

/// Entry of an item that a peer does not learn of, except perhaps that an entry is missing.
package struct WithheldEntry: Hashable, Sendable {
    package enum Cause: Hashable, Sendable {
        /// The entry is restricted to an audience without the peer.
        case restricted(Restriction)
        /// The entry was restricted while the item was being sent.
        case restrictedMeanwhile
        /// The restriction could not be read, so the entry is hidden from everyone. The peer learns that one entry is
        /// missing.
        case unknown(Loss.Reason)
        /// The entry is one of the program's own files.
        case own
    }

    /// Path below the item's root, as in ``Loss/path``.
    package let path: DisplayText
    package let cause: Cause

    package init(path: DisplayText, cause: Cause) {
        self.path = path
        self.cause = cause
    }
}

/// Entries of an item that were withheld from a peer. For the sender's own user only: its paths are not sent.
package struct WithholdingReport: Hashable, Sendable {
    /// Entries that are listed one by one; the rest is only counted.
    package static let listedEntries = 256

    /// The first entries, in the order they were met.
    package private(set) var entries: [WithheldEntry] = []
    /// Number of all withheld entries, listed or not. Entries in a withheld folder count as part of the folder.
    package private(set) var count: UInt64 = 0
    /// Number of entries whose restriction could not be read; they also count as omissions.
    package private(set) var unknown: UInt64 = 0

    package init() {}

    /// - Parameter path: used only if the entry is listed.
    package mutating func add(_ cause: WithheldEntry.Cause, at path: @autoclosure () -> DisplayText) {
        count += 1
        if case .unknown = cause { unknown += 1 }
        if entries.count < Self.listedEntries { entries.append(WithheldEntry(path: path(), cause: cause)) }
    }
}
