import Foundation
import PortolanCrypto
import PortolanProtocol
import PortolanValues
import TestSupport

// Construction of a message from its meaning in a vector: the inverse of the generator.

extension Message {
    init(meaning: VectorObject) throws {
        if let offer = try meaning.optional("offer") {
            self = .offer(try Offer(meaning: offer))
        } else if let answer = try meaning.optional("answer") {
            let choices = try answer.objects("choices").map { try ItemChoice(meaning: $0) }
            self = .answer(try Answer(offer: answer.long("offer"), choices: choices))
        } else if let pending = try meaning.optional("pending") {
            self = .pending(Pending(offer: try pending.long("offer")))
        } else if let failed = try meaning.optional("export_failed") {
            self = .exportFailed(
                ExportFailed(
                    offer: try failed.long("offer"), item: UInt32(try failed.number("item")),
                    representation: UInt32(try failed.number("representation")),
                    failure: try failed.name("failure", SourceFailure.self)))
        } else if let begin = try meaning.optional("begin") {
            self = .begin(
                try Begin(
                    transfer: UInt32(begin.number("transfer")), offer: begin.long("offer"),
                    item: UInt32(begin.number("item")), representation: UInt32(begin.number("representation")),
                    channel: begin.name("channel", Channel.self), name: begin.bytes("name"),
                    size: begin.optionalLong("size"), asks: begin.optionalFlag("ask"),
                    requirements: begin.requirements(), takesDifferences: begin.optionalFlag("differences"),
                    isWhole: begin.optionalFlag("whole")))
        } else if let end = try meaning.optional("end") {
            self = .end(
                try End(
                    transfer: UInt32(end.number("transfer")), entries: UInt32(end.number("entries")),
                    bytes: end.long("bytes"), failure: end.failure(),
                    omissions: Omissions(meaning: end, end.optional("counts")),
                    lanes: end.has("lanes") ? end.numbers("lanes").map { UInt32($0) } : []))
        } else if let receipt = try meaning.optional("receipt") {
            self = .receipt(try Receipt(meaning: receipt))
        } else if let ping = try meaning.optional("ping") {
            self = .ping(id: try ping.long("id"))
        } else if let pong = try meaning.optional("pong") {
            self = .pong(id: try pong.long("id"))
        } else if let close = try meaning.optional("close") {
            self = .close(Close(try close.name("code", CloseCode.self), detail: try close.text("detail")))
        } else if let hello = try meaning.optional("hello") {
            self = .hello(
                try Hello(
                    teams: hello.objects("teams").map {
                        try TeamDigest(team: TeamID(meaning: $0), digest: $0.bytes("digest"))
                    }, capabilities: Capabilities(meaning: hello)))
        } else if let update = try meaning.optional("team_update") {
            let secret = try update.bytes("secret")
            let head = try RosterHead(
                roster: update.bytes("roster"), signature: update.bytes("signature"),
                secret: secret.isEmpty ? nil : SecretBytes(copying: secret),
                leavings: update.has("leavings") ? update.texts("leavings").map { try [UInt8](hex: $0) } : [])
            self = .teamUpdate(
                try TeamUpdate(
                    team: TeamID(meaning: update), index: UInt32(update.number("index")),
                    count: UInt32(update.number("count")), head: head))
        } else if let request = try meaning.optional("join_request") {
            self = .joinRequest(JoinRequest(name: try DeviceName(request.text("name"))))
        } else if let wanted = try meaning.optional("wanted") {
            let decisions = try wanted.bytes("decisions").map { byte in
                guard let decision = EntryDecision(rawValue: byte) else { throw VectorError("\(wanted.path): \(byte)") }
                return decision
            }
            self = .wanted(
                try Wanted(
                    transfer: UInt32(wanted.number("transfer")), first: UInt32(wanted.number("first")),
                    decisions: decisions))
        } else if let holding = try meaning.optional("holding") {
            let (transfer, index) = try (UInt32(holding.number("transfer")), UInt32(holding.number("index")))
            let digests = try holding.bytes("digests")
            self = .holding(
                try holding.optionalNumber("files") > 0
                    ? try Holding(transfer: transfer, first: index, digests: digests)
                    : try Holding(
                        transfer: transfer, index: index, block: holding.long("block"),
                        digests: digests, isLast: holding.flag("done")))
        } else if let base = try meaning.optional("base") {
            let size = try base.optionalLong("size")
            self = .base(
                try Base(
                    transfer: UInt32(base.number("transfer")), index: UInt32(base.number("index")),
                    beginning: size.map { size in try Base.Beginning(key: base.bytes("key"), size: size) },
                    data: base.bytes("data"), isLast: base.flag("done")))
        } else if let compare = try meaning.optional("compare") {
            self = .compare(try Compare(meaning: compare))
        } else if let total = try meaning.optional("total") {
            let counts = try total.optional("counts")
            self = .total(
                try Total(
                    transfer: UInt32(total.number("transfer")), bytes: counts.count("found_bytes"),
                    isFinal: counts.count("found_all") > 0))
        } else if let question = try Message(question: meaning) {
            self = question
        } else if let sync = try Message(sync: meaning) {
            self = sync
        } else {
            _ = try meaning.object("joined")
            self = .joined
        }
    }

    private init?(question meaning: VectorObject) throws {
        if let list = try meaning.optional("list") {
            self = .list(
                List(id: try list.long("request"), after: try list.bytes("after"), most: try list.number("most")))
        } else if let listing = try meaning.optional("listing") {
            let items = try listing.objects("items").map {
                Listing.Entry(id: try ItemID(meaning: $0), item: try OfferedItem(meaning: $0.object("item")))
            }
            self = .listing(try Listing(id: listing.long("request"), items: items, next: listing.bytes("next")))
        } else if let request = try meaning.optional("request") {
            self = .request(Request(id: try request.long("request"), item: try ItemID(meaning: request)))
        } else if let refusal = try meaning.optional("refusal") {
            self = .refusal(
                Refusal(id: try refusal.long("request"), reason: try refusal.name("reason", RefusalReason.self)))
        } else if let lane = try meaning.optional("lane_request") {
            self = .laneRequest(UInt32(try lane.number("number")))
        } else {
            return nil
        }
    }
}

extension ItemID {
    init(meaning: VectorObject) throws {
        guard let id = ItemID(try meaning.bytes("id")) else { throw VectorError("\(meaning.path): no item's id") }
        self = id
    }
}

extension Capabilities {
    /// Parses the capabilities under the key `capabilities`; none if it is missing.
    init(meaning: VectorObject) throws {
        self = []
        for name in meaning.has("capabilities") ? try meaning.texts("capabilities") : [] {
            switch name {
            case "takes": insert(.takes)
            case "serves": insert(.serves)
            case "stays": insert(.stays)
            case "syncs": insert(.syncs)
            default: throw VectorError("\(meaning.path): \(name) is no capability")
            }
        }
    }
}

extension VectorObject {
    fileprivate func failure() throws -> SourceFailure? {
        has("failure") ? try name("failure", SourceFailure.self) : nil
    }

    fileprivate func optionalFlag(_ key: String) throws -> Bool { has(key) ? try flag(key) : false }

    fileprivate func optionalNumber(_ key: String) throws -> Int { has(key) ? try number(key) : 0 }

    fileprivate func requirements() throws -> Fidelity {
        guard has("require") else { return [] }
        return try texts("require").reduce(into: []) { requirements, name in
            guard let requirement = Fidelity.names.first(where: { snake($0.key) == name }) else {
                throw VectorError("\(path): no requirement is called \(name)")
            }
            requirements.insert(requirement.value)
        }
    }
}

extension Offer {
    init(meaning: VectorObject) throws {
        try self.init(
            id: meaning.long("id"), items: meaning.objects("items").map { try OfferedItem(meaning: $0) },
            request: meaning.optionalLong("request"),
            parcel: meaning.has("parcel") ? meaning.bytes("parcel").reduce(0) { $0 << 8 | UInt128($1) } : nil)
    }
}

extension OfferedItem {
    init(meaning: VectorObject) throws {
        try self.init(
            title: meaning.text("title"),
            representations: meaning.objects("representations").map { try OfferedRepresentation(meaning: $0) },
            preview: meaning.optional("preview").map { try ItemPreview(meaning: $0) },
            inline: meaning.optional("inline").map { try InlineContent(meaning: $0) },
            parcelItem: meaning.optionalLong("parcel_item"))
    }
}

extension InlineContent {
    init(meaning: VectorObject) throws {
        try self.init(
            representation: meaning.number("representation"), name: meaning.bytes("name"),
            requirements: meaning.requirements(), content: Data(meaning.bytes("content")))
    }
}

extension ItemPreview {
    init(meaning: VectorObject) throws {
        try self.init(
            message: meaning.text("message"), image: meaning.optional("image").map { try Picture(meaning: $0) },
            icon: meaning.optional("icon").map { try Picture(meaning: $0) })
    }
}

extension ItemPreview.Picture {
    init(meaning: VectorObject) throws {
        try self.init(type: meaning.text("type"), data: Data(meaning.bytes("data")))
    }
}

extension OfferedRepresentation {
    init(meaning: VectorObject) throws {
        let level = try meaning.text("visibility")
        guard let visibility = Visibility.allCases.first(where: { snake($0.description) == level }) else {
            throw VectorError("\(meaning.path): no visibility is called \(level)")
        }
        try self.init(
            type: OfferedType(meaning: meaning.object("type")),
            restriction: Restriction(visibility, for: meaning.optional("audience").map { try Audience(meaning: $0) }),
            channel: meaning.name("channel", Channel.self), size: meaning.optionalLong("size"),
            apparentSize: meaning.optionalLong("apparent_size"),
            estimatedSize: meaning.optionalLong("estimated_size"),
            suggestedName: meaning.optionalText("suggested_name"), isFolder: meaning.flag("folder"),
            source: meaning.has("source") ? meaning.bytes("source") : [])
    }
}

extension TeamID {
    init(meaning: VectorObject) throws {
        guard let team = TeamID(bytes: try meaning.bytes("team")) else { throw VectorError("\(meaning.path): no team") }
        self = team
    }
}

extension Audience {
    init(meaning: VectorObject) throws {
        try self.init(team: TeamID(meaning: meaning), groups: meaning.texts("groups").map { try GroupName($0) })
    }
}

extension OfferedType {
    init(meaning: VectorObject) throws {
        try self.init(
            identifier: meaning.text("identifier"), ancestors: meaning.texts("ancestors"),
            extensions: meaning.texts("extensions"), mimeTypes: meaning.texts("mime_types"),
            description: meaning.optionalText("description"))
    }
}

extension ItemChoice {
    init(meaning: VectorObject) throws {
        let item = UInt32(try meaning.number("item"))
        if let decline = try meaning.optional("decline") {
            self.init(
                item: item,
                .decline(Decline(try decline.name("reason", Decline.Reason.self), detail: try decline.text("detail"))))
        } else {
            let terms = LaneTerms(
                asks: try meaning.optionalFlag("ask"), lanes: try meaning.optionalNumber("lanes"),
                takesWhole: try meaning.optionalFlag("whole"))
            let representation = try meaning.number("take")
            let stored = try meaning.optional("stored").map { try StoredItem(meaning: $0) }
            self.init(
                item: item,
                stored.map { .stored(representation: representation, $0) } ?? .take(representation: representation),
                terms: terms, isInline: try meaning.optionalFlag("inline"))
        }
    }
}

extension Message.Receipt {
    init(meaning: VectorObject) throws {
        let outcome: Outcome
        if let stored = try meaning.optional("stored") {
            outcome = .stored(try StoredItem(meaning: stored))
        } else {
            let failed = try meaning.object("failed")
            outcome = .failed(
                StoringFailure(
                    try failed.name("failure", StoringFailure.Cause.self), detail: try failed.text("detail")))
        }
        self.init(offer: try meaning.long("offer"), item: UInt32(try meaning.number("item")), outcome: outcome)
    }
}

extension StoredItem {
    fileprivate init(meaning: VectorObject) throws {
        let counts = try meaning.optional("counts")
        try self.init(
            name: meaning.bytes("name"), bytes: meaning.long("bytes"), entries: UInt32(meaning.number("entries")),
            omissions: Omissions(meaning: meaning, counts), keptEntries: UInt32(counts.count("kept_entries")),
            keptBytes: counts.count("kept_bytes"), isUpdated: counts.count("updated") > 0,
            surplusEntries: UInt32(counts.count("surplus_entries")),
            receipt: meaning.has("signed") ? DeliveryReceipt(decoding: meaning.bytes("signed")) : nil)
    }
}

extension VectorObject? {
    /// Reads a count from the object under the key `counts`; 0 if it is missing.
    fileprivate func count(_ kind: String) throws -> UInt64 { try self?.optionalLong(kind) ?? 0 }
}

extension Omissions {
    fileprivate init(meaning: VectorObject, _ counts: VectorObject?) throws {
        self.init(
            try meaning.objects("omissions").map {
                Omission(path: try $0.bytes("path"), reason: try $0.name("reason", Omission.Reason.self))
            })
        guard further == 0 else { throw VectorError("\(meaning.path): too many") }
        count(further: try counts.count("omissions"), missing: try counts.count("missing"))
    }
}

extension Message.Compare {
    fileprivate init(meaning: VectorObject) throws {
        let question = try Question(meaning: meaning)
        try self.init(
            transfer: UInt32(meaning.number("transfer")), index: UInt32(meaning.number("index")), question)
    }
}

extension Message.Compare.Question {
    init(meaning: VectorObject) throws {
        func numbers(_ key: String) throws -> [UInt64] {
            try meaning.list(key).map { number in
                guard let text = number as? String, let number = UInt64(text) else {
                    throw VectorError("\(meaning.path): \(number)")
                }
                return number
            }
        }
        if meaning.has("groups") {
            let runs = try numbers("groups")
            self = .groups(stride(from: 0, to: runs.count, by: 2).map { runs[$0]..<runs[$0] + runs[$0 + 1] })
        } else {
            let sums = try numbers("sums")
            self = .sums(
                stride(from: 0, to: sums.count, by: 4).map {
                    Message.Compare.Sums(
                        base: sums[$0]..<sums[$0] + sums[$0 + 1], block: Int(sums[$0 + 2]), strong: Int(sums[$0 + 3]))
                })
        }
    }
}
