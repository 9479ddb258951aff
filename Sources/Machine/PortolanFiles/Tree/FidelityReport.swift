import PortolanValues

/// Part of an item that was not sent or stored, and the reason, for this side's own user. A peer gets an `Omission`,
/// which has fewer reasons.
package struct Loss: Hashable, Sendable, CustomStringConvertible {
    /// Raw values are used in program output and in the protocol.
    package enum Reason: String, Hashable, Sendable, CaseIterable {
        case pipe
        case socket
        case device
        /// A symbolic link that points out of the item.
        case linkLeavesItem = "link-leaves-item"
        /// A name that one of the two sides cannot store, or another name of a file with such a name.
        case name
        /// Part of an item that is just being received.
        case partial
        case tooDeep = "too-deep"
        case unreadable
        /// The entry existed when its folder was read, but not a moment later.
        case vanished
        /// The file changed while it was being read.
        case changed
        /// The file became longer while it was being sent; its earlier part was carried.
        case grown
        /// The receiver's file system cannot store its restriction.
        case visibility
        /// The receiver's file system has no symbolic links.
        case linksUnsupported = "links-unsupported"
        /// The entry was stored, its modification time could not be.
        case modificationTime = "modification-time"
        /// Some of the permission bits were not kept.
        case mode
        /// Extended attributes that are too large, cannot be read or cannot be kept.
        case attributes
        /// The file was stored in full although the source had holes.
        case sparse
        /// Another name of a file, stored as a separate file.
        case hardLink = "hard-link"
        /// The file was changed at the receiver, so the new version is stored beside it.
        case conflict
        /// Another kind of entry, or a link with another target, has its name at the receiver, so the new one is stored
        /// beside it.
        case taken
        /// The destination does not allow the entry to be stored in its place, or the stored one to be changed.
        case notPermitted = "not-permitted"
        /// The destination has no room for it, or does not accept its size.
        case noSpace = "no-space"

        /// True if the entry or its content is missing, rather than only a property.
        package var lacksContent: Bool {
            switch self {
            case .pipe, .socket, .device, .linkLeavesItem, .name, .partial, .tooDeep, .unreadable, .vanished, .changed,
                .grown, .visibility, .linksUnsupported, .notPermitted, .noSpace:
                true
            case .modificationTime, .mode, .attributes, .sparse, .hardLink, .conflict, .taken: false
            }
        }

        package var sentence: String {
            switch self {
            case .pipe: "a named pipe, which has no content of its own"
            case .socket: "a socket"
            case .device: "a device"
            case .linkLeavesItem: "a symbolic link that leads out of the item"
            case .name: "a name that cannot be stored, or another name of a file with such a name"
            case .partial: "part of an item that is still being received"
            case .tooDeep: "more than \(TreeEntry.maximumFolders) folders deep"
            case .unreadable: "not readable"
            case .vanished: "gone before it could be read"
            case .changed: "changed while it was being read"
            case .grown: "longer by now than when it was offered; what was added is missing"
            case .visibility: "restricted, and the receiver's file system cannot remember who may see it"
            case .linksUnsupported: "a symbolic link, and the receiver's file system has none"
            case .modificationTime: "stored without its modification time"
            case .mode: "stored without some of its permissions"
            case .attributes: "not all of its extended attributes could be carried"
            case .sparse: "stored without its holes"
            case .hardLink: "another name of a file, stored as a file of its own"
            case .conflict: "changed by the receiver, so what was sent lies beside it"
            case .taken: "something of another kind or a link elsewhere has its name, so what was sent lies beside it"
            case .notPermitted: "the destination does not let it be stored, or what is there be changed"
            case .noSpace: "the destination has no room for it, or takes no file of that size"
            }
        }
    }

    /// Bytes of the path in the item, below its root, components joined by `/`; empty for the item itself.
    package let path: [UInt8]
    package let reason: Reason

    package init(path: [UInt8], reason: Reason) {
        self.path = path
        self.reason = reason
    }

    package init(path: String, reason: Reason) {
        self.init(path: Array(path.utf8), reason: reason)
    }

    /// The path for a person.
    package var shownPath: DisplayText { DisplayText(bytes: path, limit: 1024) }

    package var description: String { "\(path.isEmpty ? "(the item itself)" : shownPath.text): \(reason.sentence)" }
}

/// Omissions of an item: never dropped in silence, and bounded in memory.
package struct FidelityReport: Hashable, Sendable {
    /// Most omissions in the list; further ones are only counted.
    package static let listedOmissions = 256

    /// The first omissions in their order. Those whose names the peer must not learn are only counted.
    package private(set) var omissions: [Loss] = []
    /// Number of all omissions.
    package private(set) var omitted: UInt64 = 0
    /// Number of omissions that lack content.
    package private(set) var missing: UInt64 = 0

    package init() {}

    package var isComplete: Bool { omitted == 0 }

    /// First omission of each reason, listed or not. For this side's own user.
    package private(set) var firsts: [Loss.Reason: Loss] = [:]

    /// - Parameters:
    ///   - path: as in ``Loss/path``; evaluated only for the list.
    ///   - isNamed: true if the peer may know the path.
    mutating func add(_ reason: Loss.Reason, at path: @autoclosure () -> [UInt8], isNamed: Bool = true) {
        omitted += 1
        if reason.lacksContent { missing += 1 }
        let isFirst = firsts[reason] == nil
        let isListed = isNamed && omissions.count < Self.listedOmissions
        guard isFirst || isListed else { return }
        let omission = Loss(path: path(), reason: reason)
        if isFirst { firsts[reason] = omission }
        if isListed { omissions.append(omission) }
    }

    /// Returns true if this loss is listed already.
    func lists(_ reason: Loss.Reason, at path: [UInt8]) -> Bool {
        omissions.contains { $0.reason == reason && $0.path == path }
    }
}
