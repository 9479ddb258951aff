import Foundation
import SwiftProtobuf

/// Part of a source that could not be carried, or could not be kept.
public struct Omission: Hashable, Sendable {
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// No reason was given, or one of a later version.
        case unspecified
        /// A device, socket or pipe.
        case specialFile
        /// A symbolic link that points out of the folder.
        case linkLeavesFolder
        case unreadable
        /// Its name is none that can be carried or stored safely.
        case name
        /// More folders inside one another than are carried.
        case tooDeep
        /// The entry changed or vanished while it was being sent.
        case changed
        /// The entry was stored without one of its properties, such as its time.
        case attribute
        /// Its permissions are not those it had.
        case mode
        /// Its modification time is not the one it had.
        case modified
        /// Extended attributes of it are missing.
        case attributes
        /// Holes of the file take up space.
        case sparse
        /// The entry is a file of its own, and was another name of one.
        case hardLink
        /// The entry was changed at the receiver's, where it stays as it is; the new version lies beside it.
        case conflict
        /// The receiver cannot store its restriction: the entry is missing there, or keeps the restriction it had
        /// before.
        case visibility
        /// The file became longer while it was being sent; its earlier part was stored.
        case grown
        /// An entry of another kind, or a link with another target, has its name at the receiver's and stays as it is;
        /// the new one lies beside it.
        case taken
        /// The destination does not allow the receiver to store it in its place, or to change the stored one.
        case notPermitted
        /// The destination has no room for it, or takes no file of its size.
        case noSpace

        /// True if the entry or its content is missing, and not only a property of it.
        public var lacksContent: Bool {
            switch self {
            case .unspecified, .specialFile, .linkLeavesFolder, .unreadable, .name, .tooDeep, .changed, .visibility,
                .grown, .notPermitted, .noSpace:
                true
            case .attribute, .mode, .modified, .attributes, .sparse, .hardLink, .conflict, .taken: false
            }
        }
    }

    /// The path below the item's root, its components joined by `/`. Hostile bytes: shown through `DisplayText` only.
    public let path: [UInt8]
    public let reason: Reason

    /// A path that is too long is cut at its front, its least informative part.
    public init(path: [UInt8], reason: Reason) {
        self.path = Array(path.suffix(Limits.path))
        self.reason = reason
    }
}

/// Omissions of one item: the first of them by name, the others by number, so that none is dropped in silence and a
/// folder full of sockets fits into one message.
public struct Omissions: Hashable, Sendable {
    public private(set) var listed: [Omission] = []
    /// Number of those that are not listed.
    public private(set) var further: UInt64 = 0
    /// Number of those among them that lack content.
    public private(set) var furtherMissing: UInt64 = 0
    private var listedBytes = 0
    /// True if an omission had no room in the list: the list has the first ones, and no later ones instead.
    private var isFull = false

    public init() {}

    public init(_ omissions: some Sequence<Omission>) {
        for omission in omissions { append(omission) }
    }

    public var isEmpty: Bool { listed.isEmpty && further == 0 }

    /// All of them, those that are only counted included; no more than a number on the wire.
    public var count: UInt64 { Self.sum(UInt64(listed.count), further) }

    /// Number of entries that are missing, or whose content is.
    public var missing: UInt64 { Self.sum(UInt64(listed.count { $0.reason.lacksContent }), furtherMissing) }

    /// Omissions of the same number, none of them listed.
    public var counted: Omissions {
        var counted = Omissions()
        counted.further = count
        counted.furtherMissing = missing
        return counted
    }

    /// Lists it while there is room, and counts it in any case.
    public mutating func append(_ omission: Omission) {
        guard !isFull, listed.count < Limits.omissions, listedBytes + omission.path.count <= Limits.omissionBytes
        else {
            isFull = true
            count(further: 1, missing: omission.reason.lacksContent ? 1 : 0)
            return
        }
        listed.append(omission)
        listedBytes += omission.path.count
    }

    /// Lists those of another side as far as there is room, and counts them in any case.
    package mutating func append(contentsOf others: Omissions) {
        for omission in others.listed { append(omission) }
        count(further: others.further, missing: others.furtherMissing)
    }

    /// Counts omissions that are listed nowhere any more; no further than a number on the wire goes.
    ///
    /// - Parameter missing: number of those that lack content.
    package mutating func count(further number: UInt64, missing: UInt64) {
        further = Self.sum(further, number)
        furtherMissing = min(Self.sum(furtherMissing, missing), further)
    }

    /// Returns the sum, limited to the largest number on the wire.
    private static func sum(_ one: UInt64, _ other: UInt64) -> UInt64 {
        let (sum, overflow) = one.addingReportingOverflow(other)
        return overflow ? Limits.size : min(sum, Limits.size)
    }

    // Two are alike when they say the same, however they came to it.
    public static func == (one: Omissions, other: Omissions) -> Bool {
        one.listed == other.listed && one.further == other.further && one.furtherMissing == other.furtherMissing
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(listed)
        hasher.combine(further)
        hasher.combine(furtherMissing)
    }
}

// MARK: - Wire

extension Omissions {
    /// - Parameter counts: how many there are beyond the listed ones.
    init(_ wire: [WireOmission], _ counts: Counts) throws(InvalidValue) {
        try InvalidValue.checkCount(wire.count, "listed omissions", maximum: Limits.omissions)
        for omission in wire {
            try InvalidValue.check(
                omission.path.count <= Limits.path, limit: "The path of an omission has \(omission.path.count) bytes.")
            listed.append(Omission(path: Array(omission.path), reason: Omission.Reason(omission.reason)))
            listedBytes += omission.path.count
        }
        guard listedBytes <= Limits.omissionBytes else { throw .limit("The listed omissions are too long.") }
        further = counts[.omissions]
        // No more than all of these, whatever a peer says.
        furtherMissing = min(counts[.missing], further)
    }

    /// Counts of the omissions that are not listed.
    var counts: Counts {
        var counts = Counts()
        counts[.omissions] = further
        counts[.missing] = furtherMissing
        return counts
    }

    var wire: [WireOmission] {
        listed.map { omission in
            .with {
                $0.path = Data(omission.path)
                $0.reason = omission.reason.wire
            }
        }
    }
}

extension Omission.Reason: OpenWireValue {
    typealias Wire = WireOmissionReason
}
