import Portolan

/// Facts of an offer for the policy.
package struct PolicyOffer: Sendable, Hashable {
    package let peer: Peer
    package let items: [Item]
    /// Number of items of the whole offer, with those that cannot be imported here.
    package let count: Int
    /// Free bytes where items are stored; nil if unknown.
    package let freeSpace: UInt64?
    /// Local time; nil if unknown.
    package let time: PolicyTime?

    package init(peer: Peer, items: [Item], count: Int? = nil, freeSpace: UInt64? = nil, time: PolicyTime? = nil) {
        self.peer = peer
        self.items = items
        self.count = count ?? items.count
        self.freeSpace = freeSpace
        self.time = time
    }

    /// The sender.
    package struct Peer: Sendable, Hashable {
        /// Fingerprint; nil in a test of a policy.
        package let fingerprint: Fingerprint?
        /// Name on this device.
        package let name: String
        package let isContact: Bool
        /// Teams of this device whose membership it has proved.
        package let teams: [Team]
        /// True if its name belongs to another key here, and no team confirms it.
        package let hasDoubtfulName: Bool
        /// Comparison key of its name for rules; nil unless it is a contact.
        let contactKey: String?

        package init(
            fingerprint: Fingerprint? = nil, name: String, isContact: Bool = false, teams: [Team] = [],
            hasDoubtfulName: Bool = false
        ) {
            self.fingerprint = fingerprint
            self.name = name
            self.isContact = isContact
            self.teams = teams
            self.hasDoubtfulName = hasDoubtfulName
            contactKey = isContact && !hasDoubtfulName ? (try? DeviceName(name))?.comparisonKey : nil
        }

        package var isStranger: Bool { !isContact && teams.isEmpty }
    }

    /// A team of the sender, and its groups there.
    package struct Team: Sendable, Hashable {
        package let name: TeamName
        package let groups: [GroupName]

        package init(_ name: TeamName, groups: [GroupName] = []) {
            self.name = name
            self.groups = groups
        }
    }

    package struct Item: Sendable, Hashable {
        /// Name or title from the sender.
        package let name: String
        /// Possible types on arrival: that of the shown form, then those of its substitutes. nil stands for a type that
        /// cannot be read, or that does not fit the form.
        package let types: [UTType?]
        /// Size of the shown form, in bytes; nil if unknown.
        package let size: UInt64?
        /// Largest number of bytes that may arrive; nil if unknown.
        package let mostBytes: UInt64?

        package init(name: String, types: [UTType?], size: UInt64?, mostBytes: UInt64?) {
            self.name = name
            self.types = types
            self.size = size
            self.mostBytes = mostBytes
        }
    }
}

extension PolicyOffer {
    /// - Parameters:
    ///   - freeSpace: free bytes where items are stored.
    ///   - time: local time.
    package init(_ offer: IncomingOffer, freeSpace: UInt64?, time: PolicyTime) {
        self.init(
            peer: Peer(offer.peer), items: offer.items.map(Item.init),
            count: offer.items.count + offer.notImportable.count, freeSpace: freeSpace, time: time)
    }
}

extension PolicyOffer.Peer {
    package init(_ peer: RemotePeer) {
        self.init(
            fingerprint: peer.fingerprint, name: peer.localName, isContact: peer.standing.isContact,
            teams: peer.standing.memberships.map { PolicyOffer.Team($0.teamName, groups: $0.groups) },
            hasDoubtfulName: peer.doubtfulNamesakeOf != nil)
    }
}

extension PolicyOffer.Item {
    package init(_ item: IncomingOffer.Item) {
        // If the sender cannot produce a form, a later one may replace it.
        let forms = item.forms.dropFirst(item.representation)
        let name = item.suggestedName.flatMap { $0.isEmpty ? nil : $0 } ?? item.title
        self.init(
            name: name, types: forms.map { $0.fitsItsType ? Self.type($0.contentType) : nil }, size: item.apparentSize,
            mostBytes: item.mostBytes)
    }

    private static func type(_ identifier: String) -> UTType? { UTType(identifier: identifier, allowUndeclared: true) }
}
