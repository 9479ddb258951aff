import PortolanProtocol

/// Items to send, as data that another process can resume.
///
/// It holds the target, the paths of the content, the restriction of each form, the options, and the outcomes of
/// settled items. Paths are absolute and lead through no links, audiences are named, so it means the same in any folder
/// and with any later default team. Content that can be read only once, or that a program makes when a peer takes it,
/// cannot be part of one.
///
/// ```swift
/// var parcel = try await node.parcel(items, to: "workstation")
/// let file = try parcel.document()
///
/// let contents = try await node.open(Parcel(document: file))       // in another process
/// for delivery in try await node.send(contents, to: node.find(parcel.target)) { parcel.settle(delivery) }
/// ```
public struct Parcel: Hashable, Sendable, Identifiable {
    public let id: RandomID
    /// Creation time, to the second.
    public let created: Date
    public private(set) var target: ParcelTarget
    public let items: [ParcelItem]
    /// Previews of the items, each once.
    public let previews: [ParcelPreview]
    public let options: ParcelOptions
    /// Outcomes of items that are not offered again, by the item's number; empty for a team.
    public private(set) var settled: [Int: ParcelSettlement]
    /// Settlements of a team's parcel, by the fingerprint of each member's key.
    public private(set) var settledByMember: [Fingerprint: [Int: ParcelSettlement]]

    /// - Throws: ``ParcelError`` for parts that contradict each other, or that no sending can have.
    init(
        id: RandomID, created: Date, target: ParcelTarget, items: [ParcelItem], previews: [ParcelPreview],
        options: ParcelOptions, settled: [Int: ParcelSettlement] = [:],
        settledByMember: [Fingerprint: [Int: ParcelSettlement]] = [:]
    ) throws(ParcelError) {
        self.id = id
        self.created = created
        self.target = target
        self.items = items
        self.previews = previews
        self.options = options
        self.settled = settled
        self.settledByMember = settledByMember
        try check()
    }

    /// Titles of all items, settled ones included, for this device's own user.
    public var titles: [String] { items.map(\.shownTitle) }

    /// Binds the rest of the items to the first key that a peer proved.
    public mutating func meet(_ fingerprint: Fingerprint) {
        target.fingerprint = target.fingerprint ?? fingerprint
    }

    /// Records the outcome of an item. An item that may be stored on another attempt, as after a lack of space, stays
    /// unsettled.
    ///
    /// - Parameter member: fingerprint of the key of the member of a team that it is the outcome for; nil for the only
    ///   receiver.
    public mutating func settle(_ delivery: Delivery, of member: Fingerprint? = nil) {
        guard let settlement = ParcelSettlement(delivery) else { return }
        settle(delivery.item, as: settlement, of: member)
    }

    package mutating func settle(_ item: Int, as settlement: ParcelSettlement, of member: Fingerprint?) {
        guard items.indices.contains(item) else { return }
        if let member {
            settledByMember[member, default: [:]][item] = settlement
        } else {
            settled[item] = settlement
        }
    }

    /// Makes items that are not stored unsettled, so that another attempt offers them again.
    package mutating func forgetRefusals() {
        settled = settled.filter(\.value.isStored)
        settledByMember = settledByMember.mapValues { $0.filter(\.value.isStored) }
    }

    /// Returns the parcel with its content at other places, where only this program may write.
    ///
    /// - Parameter places: the new path of each old one.
    /// - Throws: ``ParcelError``
    package func reading(from places: [String: String]) throws(ParcelError) -> Parcel {
        let moved = items.map { item in
            let forms = item.forms.map { form in
                guard case .path(let path) = form.content, let place = places[path] else { return form }
                return ParcelForm(
                    type: form.type, name: form.name, isFolder: form.isFolder, restriction: form.restriction,
                    content: .path(place))
            }
            return ParcelItem(title: item.title, forms: forms, preview: item.preview)
        }
        return try Parcel(
            id: id, created: created, target: target, items: moved, previews: previews, options: options,
            settled: settled, settledByMember: settledByMember)
    }

    /// True if an item is settled with any receiver.
    public var isBegun: Bool { !settled.isEmpty || !settledByMember.isEmpty }

    /// True if another parcel has the same items and target; the later one has the options that count.
    public func asksForTheSame(as other: Parcel) -> Bool {
        target.text == other.target.text && items.map(\.unheld) == other.items.map(\.unheld)
            && previews == other.previews
    }
}

/// Receiver of a parcel.
public struct ParcelTarget: Codable, Hashable, Sendable {
    /// A name, the beginning of a fingerprint, `host:port`, `@team` or `@team/group`, as the user gave it.
    public let text: String
    /// True if the target is a team or a group of one.
    package var isTeam: Bool { TeamTarget.names(text) }
    /// Fingerprint of the key that was met there; nil before that, and for a team.
    public internal(set) var fingerprint: Fingerprint?

    /// Target at which no peer has been met yet.
    public init(_ text: String) { self.text = text }
}

/// Outcome of an item that is not offered again.
public enum ParcelSettlement: String, Codable, Hashable, Sendable {
    case stored
    /// Stored, but with parts left out.
    case incomplete
    /// The receiver did not want it.
    case declined
    /// The receiver can import none of its forms.
    case nothingInCommon = "nothing-in-common"

    var isStored: Bool { self == .stored || self == .incomplete }

    /// Nil for an item that may be stored on another attempt.
    package init?(_ delivery: Delivery) {
        switch delivery.outcome {
        case .stored(let stored, _):
            self = stored.omissions.missing + delivery.withheld.count > 0 ? .incomplete : .stored
        case .declined(let decline, _):
            switch decline.reason {
            case .notWanted, .unspecified: self = .declined
            case .nothingInCommon: self = .nothingInCommon
            case .noSpace, .visibility, .tooLarge, .notInTime: return nil
            }
        case .failed(let failure, _):
            guard failure.cause == .refused else { return nil }
            self = .declined
        case .brokenOff, .hidden: return nil
        }
    }
}
