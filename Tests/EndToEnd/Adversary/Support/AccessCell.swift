/// A way by which a device could get something that another one has.
struct AccessCell: Hashable, Sendable {
    enum Who: CaseIterable, Sendable {
        /// A contact of the holder, in no team.
        case contact
        /// A member of the team and of its group.
        case grouped
        /// A member of the team alone.
        case member
        /// A member of the group that was removed, and has the roster of before.
        case removed
        case stranger
    }

    enum Way: CaseIterable, Sendable {
        case send
        /// Listed and fetched.
        case share
        /// A parcel that was written down, and is sent when it is read again.
        case outbox
        /// A parcel in the queue of the agent.
        case queue
        /// The second session of a parcel, after the first one broke off.
        case resume
        case sync
        /// The next version of a file that was sent.
        case difference
        /// The answer to a file that the device sends the holder.
        case receipts
        /// Sent to a device that was met by a code.
        case code
    }

    enum What: CaseIterable, Sendable {
        case plain
        /// Marked for the team.
        case team
        /// Marked for the group.
        case group
        /// Excluded by the rules of a folder.
        case excluded
        /// A private file, to which a link leads that takes the place of a file.
        case link
        /// A private file that takes the place of a file.
        case inode
        /// The key of the device, under another name.
        case own
    }

    let who: Who
    let way: Way
    let what: What

    static let all: [AccessCell] = Way.allCases.flatMap { way in
        What.allCases.flatMap { what in Who.allCases.map { AccessCell(who: $0, way: way, what: what) } }
    }

    /// Cells without a meaning: ways and contents, with the reason.
    static let meaningless: [(ways: [Way], what: What, reason: String)] = [
        (Way.allCases.filter { $0 != .sync }, .excluded, "rules belong to folders that are kept alike"),
        ([.sync], .inode, "a file that replaces another one in a folder is its next version"),
        ([.receipts], .link, "a receipt opens no file of the receiver"),
        ([.receipts], .inode, "a receipt opens no file of the receiver"),
        ([.resume], .own, "an own file is left out before anything of it could break off"),
        ([.difference], .own, "an own file has no earlier version at another device"),
    ]

    var isMeaningless: Bool { Self.meaningless.contains { $0.what == what && $0.ways.contains(way) } }

    static func run(by way: Way) -> [AccessCell] { all.filter { $0.way == way && !$0.isMeaningless } }

    /// Kinds of files that a way is tried with, in order.
    static func contents(of way: Way) -> [What] {
        What.allCases.filter { what in run(by: way).contains { $0.what == what } }
    }
}

/// A folder that is kept alike: for whom it is.
enum AccessFolder: CaseIterable, Sendable {
    /// For the contact and the team.
    case wide
    case team
    case group
}

/// The rules, written down once more: nothing here asks the program.
extension AccessCell {
    /// True if content arrives that somebody sends, shares or queues for a device.
    static func mayHave(_ who: Who, _ what: What) -> Bool {
        switch what {
        case .plain: true
        case .team: who == .member || who == .grouped
        case .group: who == .grouped
        case .excluded, .link, .inode, .own: false
        }
    }

    /// True if content arrives that lies in a folder. A marked file waits unless it is for all who have the folder.
    static func mayHave(_ who: Who, _ what: What, in folder: AccessFolder) -> Bool {
        switch (folder, what) {
        case (.wide, .plain): [.contact, .member, .grouped].contains(who)
        case (.team, .plain), (.team, .team): [.member, .grouped].contains(who)
        case (.group, .plain), (.group, .team), (.group, .group): who == .grouped
        default: false
        }
    }
}
