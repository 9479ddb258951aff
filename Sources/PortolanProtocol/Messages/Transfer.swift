import Foundation
import SwiftProtobuf

// Begin, Entry, EntryEnd and End: the frame around the payload of one item. `OutgoingTransfer` makes them in order.

extension Message {
    /// The chosen representation of an item follows.
    package struct Begin: Hashable, Sendable {
        /// 1 for the first of a session, one more for each that follows.
        package let transfer: UInt32
        package let offer: UInt64
        package let item: UInt32
        package let representation: UInt32
        package let channel: Channel
        /// What it is called at the sender's; may be empty. Hostile bytes until `FileName` has judged them.
        package let name: [UInt8]
        /// Payload bytes that will follow: exact for data, a hint for files.
        package let size: UInt64?
        /// Whether it comes on lanes; only on the file channel.
        package let isOnLanes: Bool
        /// Whether the receiver says of each entry what it needs of it; only on lanes.
        package let asks: Bool
        /// What must be kept, or the item cannot be stored; only on lanes.
        package let requirements: Set<Requirement>

        package init(
            transfer: UInt32, offer: UInt64, item: UInt32, representation: UInt32, channel: Channel, name: [UInt8],
            size: UInt64?, isOnLanes: Bool = false, asks: Bool = false, requirements: Set<Requirement> = []
        ) throws(InvalidValue) {
            try InvalidValue.checkName(name)
            try InvalidValue.checkSize(size, "A transfer")
            guard channel == .file || !isOnLanes else {
                throw InvalidValue("Data travels on the session, not on lanes.")
            }
            guard isOnLanes || !asks && requirements.isEmpty else {
                throw InvalidValue("What is not on lanes asks for nothing and requires nothing.")
            }
            self.transfer = transfer
            self.offer = offer
            self.item = item
            self.representation = representation
            self.channel = channel
            self.name = name
            self.size = size
            self.isOnLanes = isOnLanes
            self.asks = asks
            self.requirements = requirements
        }
    }

    /// One file, folder or symbolic link of a transfer; for a file its bytes follow.
    package struct Entry: Hashable, Sendable {
        package let transfer: UInt32
        /// 0 for the root, one more for each that follows.
        package let index: UInt32
        /// The folder it lies in; 0 for the root itself too.
        package let parent: UInt32
        /// One path component; empty for the root, whose name is in `Begin`. Hostile until `FileName` has judged it.
        package let name: [UInt8]
        package let kind: Kind
        /// The permission bits, at most `0o777`.
        package let permissions: UInt16?
        package let modified: Timestamp?

        package enum Kind: Hashable, Sendable {
            /// A file; `size` binds if it is said.
            case file(size: UInt64?)
            case folder
            /// A symbolic link with its target as it stands at the sender's.
            case symbolicLink(target: [UInt8])
        }

        package init(
            transfer: UInt32, index: UInt32, parent: UInt32, name: [UInt8], kind: Kind, permissions: UInt16? = nil,
            modified: Timestamp? = nil
        ) throws(InvalidValue) {
            try InvalidValue.checkName(name)
            guard name.isEmpty == (index == 0) else {
                throw InvalidValue(
                    index == 0 ? "The root of a transfer has a name of its own." : "An entry has no name.")
            }
            switch kind {
            case .file(let size): try InvalidValue.checkSize(size, "A file")
            case .folder: break
            case .symbolicLink(let target):
                guard !target.isEmpty else { throw InvalidValue("A symbolic link has no target.") }
                guard target.count <= Limits.path else { throw .limit("A link's target of \(target.count) bytes.") }
            }
            if let permissions, permissions > 0o777 {
                throw InvalidValue("An entry has permissions beyond reading, writing and executing.")
            }
            self.transfer = transfer
            self.index = index
            self.parent = parent
            self.name = name
            self.kind = kind
            self.permissions = permissions
            self.modified = modified
        }
    }

    /// The bytes of a file entry are complete, or stop here.
    package struct EntryEnd: Hashable, Sendable {
        package let transfer: UInt32
        package let index: UInt32
        /// Payload bytes that were sent for it.
        package let size: UInt64
        /// If set, what was sent is not the file, and must not be published.
        package let failure: SourceFailure?

        package init(transfer: UInt32, index: UInt32, size: UInt64, failure: SourceFailure?) throws(InvalidValue) {
            try InvalidValue.checkSize(size, "A file")
            self.transfer = transfer
            self.index = index
            self.size = size
            self.failure = failure
        }
    }

    /// The transfer is complete, or stops here.
    package struct End: Hashable, Sendable {
        package let transfer: UInt32
        /// How many entries it had.
        package let entries: UInt32
        /// How many payload bytes it had.
        package let bytes: UInt64
        /// If set, the item is not whole and must not be stored.
        package let failure: SourceFailure?
        /// What of the source could not be carried.
        package let omissions: Omissions
        /// How many lanes it used: those from 0 up to this number, each of which has its mark.
        package let lanes: UInt32

        package init(
            transfer: UInt32, entries: UInt32, bytes: UInt64, failure: SourceFailure? = nil,
            omissions: Omissions = Omissions(), lanes: UInt32 = 0
        ) throws(InvalidValue) {
            try InvalidValue.checkSize(bytes, "A transfer")
            guard lanes <= Limits.lanes else { throw .limit("A transfer on \(lanes) lanes.") }
            self.transfer = transfer
            self.entries = entries
            self.bytes = bytes
            self.failure = failure
            self.omissions = omissions
            self.lanes = lanes
        }
    }
}

/// A moment of a file's history.
package struct Timestamp: Hashable, Sendable {
    /// Since 1970-01-01T00:00:00Z, without leap seconds; negative before it.
    package let seconds: Int64
    /// 0 ..< 1,000,000,000, counted forwards also before 1970.
    package let nanoseconds: UInt32

    package init(seconds: Int64, nanoseconds: UInt32) throws(InvalidValue) {
        guard nanoseconds < 1_000_000_000 else { throw InvalidValue("A time has more than a second of nanoseconds.") }
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }
}

extension InvalidValue {
    static func checkName(_ name: [UInt8]) throws(InvalidValue) {
        guard name.count <= Limits.name else {
            throw .limit("A name has at most \(Limits.name) bytes; this one has \(name.count).")
        }
    }
}

// MARK: - Wire

extension Message.Begin {
    init(_ wire: WireBegin) throws(InvalidValue) {
        try self.init(
            transfer: wire.transfer, offer: wire.offerID, item: wire.item, representation: wire.representation,
            channel: Channel(wire.channel), name: Array(wire.name), size: wire.hasSize ? wire.size : nil,
            isOnLanes: wire.onLanes, asks: wire.ask, requirements: Set(wire.require.map(Requirement.init)))
    }

    var wire: WireBegin {
        .with {
            $0.transfer = transfer
            $0.offerID = offer
            $0.item = item
            $0.representation = representation
            $0.channel = channel.wire
            $0.name = Data(name)
            if let size { $0.size = size }
            $0.onLanes = isOnLanes
            $0.ask = asks
            $0.require = requirements.map(\.wire).sorted { $0.rawValue < $1.rawValue }
        }
    }
}

extension Message.Entry {
    init(_ wire: WireEntry) throws(InvalidValue) {
        guard !wire.hasPermissions || wire.permissions <= 0o777 else {
            throw InvalidValue("An entry has permissions beyond reading, writing and executing.")
        }
        try self.init(
            transfer: wire.transfer, index: wire.index, parent: wire.parent, name: Array(wire.name),
            kind: Kind(wire), permissions: wire.hasPermissions ? UInt16(wire.permissions) : nil,
            modified: wire.hasModified
                ? Timestamp(seconds: wire.modified.seconds, nanoseconds: wire.modified.nanoseconds) : nil)
    }

    var wire: WireEntry {
        .with {
            $0.transfer = transfer
            $0.index = index
            $0.parent = parent
            $0.name = Data(name)
            switch kind {
            case .file(let size):
                $0.kind = .file
                if let size { $0.size = size }
            case .folder: $0.kind = .folder
            case .symbolicLink(let target):
                $0.kind = .symlink
                $0.linkTarget = Data(target)
            }
            if let permissions { $0.permissions = UInt32(permissions) }
            if let modified {
                $0.modified.seconds = modified.seconds
                $0.modified.nanoseconds = modified.nanoseconds
            }
        }
    }
}

extension Message.Entry.Kind {
    init(_ wire: WireEntry) throws(InvalidValue) {
        guard wire.linkTarget.isEmpty || wire.kind == .symlink else {
            throw InvalidValue("An entry that is no symbolic link has a link's target.")
        }
        guard !wire.hasSize || wire.kind == .file else { throw InvalidValue("An entry that is no file has a size.") }
        switch wire.kind {
        case .file: self = .file(size: wire.hasSize ? wire.size : nil)
        case .folder: self = .folder
        case .symlink: self = .symbolicLink(target: Array(wire.linkTarget))
        case .unspecified, .UNRECOGNIZED: throw InvalidValue("An entry is of a kind that this version does not know.")
        }
    }
}

extension Message.EntryEnd {
    init(_ wire: WireEntryEnd) throws(InvalidValue) {
        try self.init(
            transfer: wire.transfer, index: wire.index, size: wire.size,
            failure: wire.hasFailure ? SourceFailure(wire.failure) : nil)
    }

    var wire: WireEntryEnd {
        .with {
            $0.transfer = transfer
            $0.index = index
            $0.size = size
            if let failure { $0.failure = failure.wire }
        }
    }
}

extension Message.End {
    init(_ wire: WireEnd) throws(InvalidValue) {
        try self.init(
            transfer: wire.transfer, entries: wire.entries, bytes: wire.bytes,
            failure: wire.hasFailure ? SourceFailure(wire.failure) : nil,
            omissions: Omissions(wire.omissions, further: wire.furtherOmissions), lanes: wire.lanes)
    }

    var wire: WireEnd {
        .with {
            $0.transfer = transfer
            $0.entries = entries
            $0.bytes = bytes
            if let failure { $0.failure = failure.wire }
            $0.omissions = omissions.wire
            $0.furtherOmissions = omissions.further
            $0.lanes = lanes
        }
    }
}
