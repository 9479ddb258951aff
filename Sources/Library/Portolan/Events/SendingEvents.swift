import PortolanProtocol

extension NodeEvent {
    /// A session with the peer is open and its key is proved.
    public struct Connected: EventFields {
        public let name: String
        public let fingerprint: Fingerprint
        public let address: String
        /// True if the peer was never met before.
        public let new: Bool
        /// Receiver, if there are several: its name in the team, or the target as the user gave it.
        public let member: OrNull<String>
        /// Name on this device, or the name under which it will be stored after an exchange.
        public let localName: String

        public static let fields: [Field] = [
            Field("name", .text, "text"), Field("fingerprint", .fingerprint, "text"), Field("address", .text, "text"),
            Field("new", .truth, "never met before"), .receiver,
            Field("localName", .text, "what this device calls it, or will once something is exchanged"),
        ]

        package init(_ peer: RemotePeer, member: String?) {
            name = String(peerText: peer.name)
            fingerprint = peer.fingerprint
            address = peer.address
            new = !peer.isKnown
            self.member = OrNull(member)
            localName = String(peerText: peer.localName)
        }
    }

    /// The receiver's user is being asked.
    public struct Waiting: EventFields {
        /// Receiver, if there are several: its name in the team, or the target as the user gave it.
        public let member: OrNull<String>

        public static let fields: [Field] = [.receiver]

        package init(member: String?) { self.member = OrNull(member) }
    }

    /// Transfer of an item has begun.
    public struct Started: EventFields {
        public let transfer: TransferID
        public let item: OrNull<Int>
        public let title: String
        public let representation: OrNull<Int>
        /// Expected total of bytes, as far as known.
        public let total: OrNull<UInt64>
        public let member: OrNull<String>

        public static let fields: [Field] = [
            .transfer, Field("item", .orNull(.count), "number or null"), Field("title", .text, "text"),
            Field("representation", .orNull(.count), "number or null"), .total, .receiver,
        ]

        package init(
            _ transfer: TransferID, item: Int?, title: String, representation: Int?, total: UInt64?,
            member: String? = nil
        ) {
            self.transfer = transfer
            self.item = OrNull(item)
            self.title = title
            self.representation = OrNull(representation)
            self.total = OrNull(total)
            self.member = OrNull(member)
        }
    }

    /// Bytes of an item so far.
    public struct Progress: EventFields {
        public let transfer: TransferID
        public let item: OrNull<Int>
        public let title: String
        /// Bytes that are dealt with.
        public let bytes: UInt64
        /// Part of ``bytes`` that crossed the network; the rest was present before.
        public let transferred: UInt64
        /// Expected total of bytes, as far as known.
        public let total: OrNull<UInt64>
        /// True while the total may still grow, as for a folder that is being read.
        public let counting: Bool
        public let member: OrNull<String>

        public static let fields: [Field] = [
            .transfer, Field("item", .orNull(.count), "number or null"), Field("title", .text, "text"),
            Field("bytes", .count, "how much of it is dealt with"),
            Field("transferred", .count, "how much of that crossed the network, the rest was there before"), .total,
            Field("counting", .truth, "whether the total still grows, as that of a folder does at first"), .receiver,
        ]

        package init(
            _ transfer: TransferID, item: Int?, title: String, bytes: UInt64, transferred: UInt64, total: UInt64?,
            isCounting: Bool, member: String? = nil
        ) {
            self.transfer = transfer
            self.item = OrNull(item)
            self.title = title
            self.bytes = bytes
            self.transferred = transferred
            self.total = OrNull(total)
            counting = isCounting
            self.member = OrNull(member)
        }
    }

    /// Transfer of an item was resumed; only missing bytes are sent.
    public struct Resumed: EventFields {
        public let transfer: TransferID
        public let item: OrNull<Int>
        public let title: String
        /// The sender; null on the sending side.
        public let peer: OrNull<ProvenPeer>
        /// Bytes that were there already.
        public let kept: UInt64
        public let member: OrNull<String>

        public static let fields: [Field] = [
            .transfer, Field("item", .orNull(.count), "number or null"), Field("title", .text, "text"),
            Field("peer", .orNull(.provenPeer), "receive: as in offer; send: null"),
            Field("kept", .count, "bytes that were there already"), .receiver,
        ]

        package init(
            _ transfer: TransferID, item: Int?, title: String, peer: RemotePeer? = nil, kept: UInt64,
            member: String? = nil
        ) {
            self.transfer = transfer
            self.item = OrNull(item)
            self.title = title
            self.peer = OrNull(peer.map { ProvenPeer($0) })
            self.kept = kept
            self.member = OrNull(member)
        }
    }

    /// A representation could not be produced; the receiver may take another.
    public struct FellBack: EventFields {
        public let transfer: TransferID
        public let item: Int
        public let representation: Int
        public let message: String
        public let member: OrNull<String>

        public static let fields: [Field] = [
            .transfer, .item, .representation, Field("message", .text, "text"), .receiver,
        ]

        package init(_ transfer: TransferID, representation: Int, message: String, member: String?) {
            self.transfer = transfer
            item = transfer.item
            self.representation = representation
            self.message = message
            self.member = OrNull(member)
        }
    }

    /// The connection was lost; the sender tries again later for the unsettled items.
    public struct Retrying: EventFields {
        public let reason: String
        /// Until the next attempt.
        public let milliseconds: Int64
        public let member: OrNull<String>

        public static let fields: [Field] = [
            Field("reason", .text, "text"),
            Field("milliseconds", .count, "until the next attempt; 0 while it is looked for"), .receiver,
        ]

        package init(reason: String, milliseconds: Int64, member: String?) {
            self.reason = reason
            self.milliseconds = milliseconds
            self.member = OrNull(member)
        }
    }

    /// Outcome of one item.
    public struct Settled: EventFields {
        public enum Outcome: String, Codable, Sendable, CaseIterable {
            case stored
            case declined
            case failed
            case brokenOff = "broken-off"
            case hidden
        }

        public let transfer: TransferID
        public let item: Int
        public let title: String
        public let representation: OrNull<Int>
        public let outcome: Outcome
        /// The name it is stored under.
        public let name: OrNull<String>
        public let bytes: OrNull<UInt64>
        /// Word for the reason.
        public let reason: OrNull<String>
        /// The receiver's text.
        public let detail: OrNull<String>
        /// Trouble on this side.
        public let trouble: OrNull<String>
        public let omissions: [OmittedPart]
        /// Number of parts that could not be carried, listed or not.
        public let omitted: UInt64
        /// Number of its parts that the receiver had already.
        public let keptEntries: OrNull<UInt32>
        /// Number of bytes that were there already.
        public let keptBytes: OrNull<UInt64>
        /// True if an existing item was updated.
        public let updated: OrNull<Bool>
        /// Files there that were part of the folder before and are not now.
        public let surplus: OrNull<UInt32>
        /// Parts of a folder that the receiver may not see, up to the limit of the list.
        public let withheld: [WithheldPart]
        /// Number of all parts that the receiver may not see.
        public let withheldCount: UInt64
        public let member: OrNull<String>
        /// Identifier of the parcel, which the receiver knows, too.
        public let parcel: RandomID

        public static let fields: [Field] = [
            .transfer, .item, Field("title", .text, "text"), Field("representation", .orNull(.count), "number or null"),
            Field("outcome", .words(Outcome.self), "stored, declined, failed, broken-off or hidden"),
            Field("name", .orNull(.text), "stored under, or null"), Field("bytes", .orNull(.count), "number or null"),
            Field("reason", .orNull(.text), "word or null"),
            Field("detail", .orNull(.text), "the receiver's text, or null"),
            Field("trouble", .orNull(.text), "what went wrong on this side, or null"), .omissions, .omitted,
            Field("keptEntries", .orNull(.count), "how many of its parts the receiver had already, or null"),
            Field("keptBytes", .orNull(.count), "how many of the bytes, or null"),
            Field("updated", .orNull(.truth), "whether an item that was there was brought up to date, or null"),
            Field(
                "surplus", .orNull(.count), "files there that were part of the folder before and are not now, or null"),
            Field(
                "withheld", .list(.part),
                "what of a folder the receiver may not see: path, reason of each, as far as listed"),
            Field("withheldCount", .count, "how much the receiver may not see, listed or not"), .receiver,
            Field("parcel", .parcelID, "what the receiver knows the sending by"),
        ]
    }

    /// Part of a folder that the receiver may not see.
    public struct WithheldPart: Codable, Hashable, Sendable {
        public let path: String
        public let reason: String
    }

    /// Outcome for one member of a team, or for one of several targets.
    public struct MemberEnd: EventFields {
        public enum Outcome: String, Codable, Sendable, CaseIterable {
            case delivered
            case incomplete
            case declined
            case nothingInCommon = "nothing-in-common"
            case unreachable
            case failed
        }

        /// Name in the team, or the target as the user gave it.
        public let member: String
        /// Nil for a target to which no session was opened.
        public let fingerprint: OrNull<Fingerprint>
        public let outcome: Outcome
        /// The exit status it would be alone.
        public let code: Int32
        /// Reason why no session was opened.
        public let message: OrNull<String>
        /// Fault of the connection to the receiver, if that is the cause.
        public let fault: OrNull<NodeError.Fault.Code>

        public static let fields: [Field] = [
            Field("member", .text, "name in the team, or the target as it was given"),
            Field("fingerprint", .orNull(.fingerprint), "text; null for a target with which no session came about"),
            Field(
                "outcome", .words(Outcome.self),
                "delivered, incomplete, declined, nothing-in-common, unreachable or failed"),
            Field("code", .count, "the exit status it would be alone"),
            Field("message", .orNull(.text), "why no session came about, or null"), .fault,
        ]

        package init(
            member: String, fingerprint: Fingerprint?, outcome: Outcome, code: Int32, message: String?,
            fault: NodeError.Fault.Code? = nil
        ) {
            self.member = member
            self.fingerprint = OrNull(fingerprint)
            self.outcome = outcome
            self.code = code
            self.message = OrNull(message)
            self.fault = OrNull(fault)
        }
    }
}

extension NodeEvent.Settled {
    package init(_ delivery: Delivery, member: String?) {
        var stored: StoredItem?
        var taken: Int?
        var reason: String?
        var detail: String?
        var trouble: String?
        let outcome: Outcome
        switch delivery.outcome {
        case .stored(let item, let representation):
            outcome = .stored
            (stored, taken) = (item, representation)
        case .hidden:
            outcome = .hidden
        case .brokenOff(let sentence):
            outcome = .brokenOff
            trouble = sentence
        case .declined(let decline, let sentence):
            outcome = .declined
            (reason, detail, trouble) = (decline.reason.rawValue, decline.detail, sentence)
        case .failed(let failure, let sentence):
            outcome = .failed
            (reason, detail, trouble) = (failure.cause.rawValue, failure.detail, sentence)
        }
        self.init(
            transfer: delivery.transfer, item: delivery.item, title: delivery.title, representation: OrNull(taken),
            outcome: outcome, name: OrNull(stored.map { DisplayText(bytes: $0.name, limit: 1024).text }),
            bytes: OrNull(stored?.bytes),
            reason: OrNull(reason), detail: OrNull(detail.map { String(peerText: $0) }),
            trouble: OrNull(trouble.map { String(peerText: $0) }), omissions: stored?.omissions.partsOfEvent ?? [],
            omitted: stored?.omissions.count ?? 0, keptEntries: OrNull(stored?.keptEntries),
            keptBytes: OrNull(stored?.keptBytes), updated: OrNull(stored?.isUpdated),
            surplus: OrNull(stored?.surplusEntries),
            withheld: delivery.withheld.listed.map { NodeEvent.WithheldPart(path: $0.path.text, reason: $0.reason) },
            withheldCount: delivery.withheld.count, member: OrNull(member), parcel: delivery.transfer.batch)
    }
}
