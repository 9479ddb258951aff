extension NodeEvent {
    /// A team of this device.
    public struct TeamState: EventFields {
        public enum Validity: String, Codable, Sendable, CaseIterable {
            case valid
            case expired
            case notYet = "not-yet"
        }

        public let team: String
        public let id: String
        /// Number of changes so far.
        public let epoch: UInt64
        /// More than 1 until changes that were made at once are settled.
        public let heads: Int
        public let issued: EventTime
        public let expires: EventTime
        public let validity: Validity
        public let `default`: Bool
        /// True if this device is an admin.
        public let admin: Bool
        /// True if this device was removed.
        public let removed: Bool
        /// Admin who signed the roster without this device.
        public let removalSigner: OrNull<String>
        public let removalSigned: OrNull<EventTime>
        /// Groups of this device.
        public let groups: [String]
        public let members: [MemberState]
        /// Texts for people.
        public let warnings: [String]

        public static let fields: [Field] = [
            .teamName, .teamID, .epoch,
            Field("heads", .count, "more than 1 until changes that were made at once are settled"),
            Field("issued", .moment, "RFC 3339"), Field("expires", .moment, "RFC 3339"),
            Field("validity", .words(Validity.self), "valid, expired or not-yet"),
            Field("default", .truth, "true or false"), Field("admin", .truth, "whether this device is one"),
            Field("removed", .truth, "whether this device was"),
            Field(
                "removalSigner", .orNull(.text), "the admin who signed the roster that tells of the removal, or null"),
            Field("removalSigned", .orNull(.moment), "when that was signed, or null"),
            Field("groups", .list(.text), "this device's"),
            Field(
                "members", .list(.member), "of each: name, fingerprint, admin, groups, own (whether it is this device)"),
            Field("warnings", .list(.text), "texts"),
        ]
    }

    public struct MemberState: Codable, Hashable, Sendable {
        public let name: String
        public let fingerprint: Fingerprint
        public let admin: Bool
        public let groups: [String]
        /// True if the member is this device.
        public let own: Bool
    }

    /// A device is a member of a team now.
    public struct Joined: EventFields {
        public let team: String
        public let member: MemberState

        public static let fields: [Field] = [
            .teamName, Field("member", .member, "name, fingerprint, admin, groups, own (whether it is this device)"),
        ]

        package init(_ member: Member, of team: Team) {
            self.team = team.name.text
            self.member = MemberState(member, own: nil)
        }
    }

    /// A change of a team is signed.
    public struct TeamChanged: EventFields {
        public enum Change: String, Codable, Sendable, CaseIterable {
            case remove
            case addToGroup = "add-to-group"
            case removeFromGroup = "remove-from-group"
            case promote
            case demote
            case renew
            case reclaim
        }

        public let team: String
        public let id: String
        public let epoch: UInt64
        public let change: Change
        public let member: OrNull<String>
        public let group: OrNull<String>
        /// Members that have the new roster.
        public let told: [String]
        /// Members that do not have the new roster yet.
        public let notReached: [String]
        /// Removed devices that have the new roster.
        public let removedTold: [String]
        /// Removed devices that do not have the new roster yet.
        public let removedNotReached: [String]

        public static let fields: [Field] = [
            .teamName, .teamID, .epoch,
            Field(
                "change", .words(Change.self),
                "remove, add-to-group, remove-from-group, promote, demote, renew or reclaim"),
            Field("member", .orNull(.text), "name or null"), Field("group", .orNull(.text), "name or null"),
            Field("told", .list(.text), "names of the members that know"),
            Field("notReached", .list(.text), "names of those that do not yet"),
            Field("removedTold", .list(.text), "names of removed devices that know"),
            Field("removedNotReached", .list(.text), "names of those that do not yet"),
        ]
    }

    /// This device is out of a team.
    public struct TeamLeft: EventFields {
        public let team: String
        public let id: String
        /// Members that know.
        public let told: [String]
        /// Members that do not know yet.
        public let notReached: [String]

        public static let fields: [Field] = [
            .teamName, .teamID, Field("told", .list(.text), "names of the members that know"),
            Field("notReached", .list(.text), "names of those that do not yet"),
        ]

        package init(_ team: Team, told: [DeviceName] = [], notReached: [DeviceName] = []) {
            self.team = team.name.text
            id = team.id.description
            self.told = told.map(\.text)
            self.notReached = notReached.map(\.text)
        }
    }
}

extension NodeEvent.TeamState {
    /// - Parameter own: fingerprint of this device.
    package init(_ view: TeamView, own: Fingerprint, now: Date = .now) {
        let team = view.team
        self.init(
            team: team.name.text, id: team.id.description, epoch: team.epoch, heads: team.headCount,
            issued: EventTime(team.issued), expires: EventTime(team.expires),
            validity: Validity(team.validity(now: now)), default: view.isDefault, admin: view.isAdmin,
            removed: view.isRemoved, removalSigner: OrNull(view.removal?.signer?.text),
            removalSigned: OrNull(view.removal.map { EventTime($0.signed) }), groups: view.ownGroups.map(\.text),
            members: team.members.map { NodeEvent.MemberState($0, own: own) },
            warnings: view.warnings.map { String(peerText: $0) })
    }
}

extension NodeEvent.TeamState.Validity {
    fileprivate init(_ validity: Team.Validity) {
        self =
            switch validity {
            case .valid: .valid
            case .expired: .expired
            case .notYet: .notYet
            }
    }
}

extension NodeEvent.MemberState {
    /// - Parameter own: fingerprint of this device, if it may be the member.
    fileprivate init(_ member: Member, own: Fingerprint?) {
        self.init(
            name: member.name.text, fingerprint: member.key.fingerprint, admin: member.isAdmin,
            groups: member.groups.map(\.text), own: member.key.fingerprint == own)
    }
}

extension NodeEvent.TeamChanged {
    package init(_ change: TeamChange, _ report: TeamChangeReport) {
        switch change {
        case .remove(let name): self.init(word: .remove, member: name, report)
        case .addToGroup(let group, let name): self.init(word: .addToGroup, member: name, group: group, report)
        case .removeFromGroup(let group, let name):
            self.init(word: .removeFromGroup, member: name, group: group, report)
        case .promote(let name): self.init(word: .promote, member: name, report)
        case .demote(let name): self.init(word: .demote, member: name, report)
        case .renew: self.init(word: .renew, report)
        }
    }

    /// Change by which the founder becomes an admin again.
    package init(reclaimed report: TeamChangeReport) { self.init(word: .reclaim, report) }

    private init(word change: Change, member: DeviceName? = nil, group: GroupName? = nil, _ report: TeamChangeReport) {
        let team = report.view.team
        self.init(
            team: team.name.text, id: team.id.description, epoch: team.epoch, change: change,
            member: OrNull(member?.text), group: OrNull(group?.text), told: report.told.map(\.text),
            notReached: report.notReached.map(\.text), removedTold: report.removedTold.map(\.text),
            removedNotReached: report.removedNotReached.map(\.text))
    }
}
