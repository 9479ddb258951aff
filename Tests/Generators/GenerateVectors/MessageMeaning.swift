import Foundation
import PortolanCrypto
import PortolanProtocol
import PortolanValues

/// A message, an offer or an item in the words of the vectors' README.
enum Meaning {
    static func of(_ message: Message) -> [String: Any] {
        switch message {
        case .offer(let offer): ["offer": of(offer)]
        case .answer(let answer):
            ["answer": ["offer": "\(answer.offer)", "choices": answer.choices.map(of)] as [String: Any]]
        case .pending(let pending): ["pending": ["offer": "\(pending.offer)"]]
        case .exportFailed(let failed):
            [
                "export_failed": [
                    "offer": "\(failed.offer)", "item": Int(failed.item), "representation": Int(failed.representation),
                    "failure": snake(failed.failure.rawValue),
                ] as [String: Any]
            ]
        case .begin(let begin):
            [
                "begin": [
                    "transfer": Int(begin.transfer), "offer": "\(begin.offer)", "item": Int(begin.item),
                    "representation": Int(begin.representation), "channel": begin.channel.rawValue,
                    "name": hex(begin.name),
                ]
                .with("size", begin.size.map { "\($0)" }).with("ask", begin.asks ? true : nil)
                .with("differences", begin.takesDifferences ? true : nil)
                .with("whole", begin.isWhole ? true : nil)
                .with(
                    "require",
                    begin.requirements.isEmpty ? nil : names(of: begin.requirements).sorted())
            ]
        case .end(let end):
            [
                "end": [
                    "transfer": Int(end.transfer), "entries": Int(end.entries), "bytes": "\(end.bytes)",
                    "omissions": of(end.omissions),
                ]
                .with("counts", counts(counts(of: end.omissions)))
                .with("failure", end.failure.map { snake($0.rawValue) })
                .with("lanes", end.lanes.isEmpty ? nil : end.lanes.map { Int($0) })
            ]
        case .receipt(let receipt):
            [
                "receipt": ["offer": "\(receipt.offer)", "item": Int(receipt.item)]
                    .merging(of(receipt.outcome)) { old, _ in old }
            ]
        case .ping(let id): ["ping": ["id": "\(id)"]]
        case .pong(let id): ["pong": ["id": "\(id)"]]
        case .close(let close): ["close": ["code": snake(close.code.rawValue), "detail": close.detail]]
        case .hello(let hello):
            [
                "hello": [
                    "teams": hello.teams.map { ["team": hex($0.team.bytes), "digest": hex($0.digest)] }
                        as [[String: Any]]
                ].with("capabilities", hello.capabilities.isEmpty ? nil : of(hello.capabilities))
            ]
        case .teamUpdate(let update):
            [
                "team_update": [
                    "team": hex(update.team.bytes), "index": Int(update.index), "count": Int(update.count),
                    "roster": hex(update.head.roster), "signature": hex(update.head.signature),
                    "secret": update.head.secret.map { $0.withUnsafeBytes { hex($0) } } ?? "",
                ].with("leavings", update.head.leavings.isEmpty ? nil : update.head.leavings.map { hex($0) })
            ]
        case .joinRequest(let request): ["join_request": ["name": request.name.text]]
        case .joined: ["joined": [String: Any]()]
        case .wanted(let wanted):
            [
                "wanted": [
                    "transfer": Int(wanted.transfer), "first": Int(wanted.first),
                    "decisions": hex(wanted.decisions.map(\.rawValue)),
                ] as [String: Any]
            ]
        case .holding(let holding):
            [
                "holding": [
                    "transfer": Int(holding.transfer), "index": Int(holding.index), "digests": hex(holding.digests),
                ]
                .with("block", holding.files == nil ? "\(holding.block)" : nil)
                .with("done", holding.files == nil ? holding.isLast : nil)
                .with("files", holding.files.map { Int($0) })
            ]
        case .total(let total):
            [
                "total": ["transfer": Int(total.transfer)]
                    .with("counts", counts(["found_bytes": total.bytes, "found_all": total.isFinal ? 1 : 0]))
            ]
        case .base(let base):
            [
                "base": [
                    "transfer": Int(base.transfer), "index": Int(base.index), "data": hex(base.data),
                    "done": base.isLast,
                ]
                .with("key", base.beginning.map { hex($0.key) }).with("size", base.beginning.map { "\($0.size)" })
            ]
        case .compare(let compare):
            ["compare": of(compare)]
        case .list(let list):
            ["list": ["request": "\(list.id)", "after": hex(list.after), "most": list.most] as [String: Any]]
        case .listing(let listing):
            [
                "listing": [
                    "request": "\(listing.id)", "next": hex(listing.next),
                    "items": listing.items.map { ["id": hex($0.id.bytes), "item": of($0.item)] as [String: Any] },
                ] as [String: Any]
            ]
        case .request(let request): ["request": ["request": "\(request.id)", "id": hex(request.item.bytes)]]
        case .refusal(let refusal):
            ["refusal": ["request": "\(refusal.id)", "reason": snake(refusal.reason.rawValue)]]
        case .laneRequest(let number): ["lane_request": ["number": Int(number)]]
        case .syncFolders(let folders): ["sync_folders": of(folders: folders)]
        case .syncSince(let since): ["sync_since": of(since: since)]
        case .syncChanges(let changes): ["sync_changes": of(changes: changes)]
        case .syncHeard(let heard): ["sync_heard": of(heard: heard)]
        case .syncWant(let want): ["sync_want": of(want: want)]
        case .syncRefusal(let refusal): ["sync_refusal": ["question": "\(refusal.question)"]]
        case .syncStatement(let statement): ["sync_statement": of(statement: statement)]
        }
    }

    private static func of(_ compare: Message.Compare) -> [String: Any] {
        let meaning: [String: Any] = ["transfer": Int(compare.transfer), "index": Int(compare.index)]
        return meaning.merging(numbers(of: compare.question)) { old, _ in old }
    }

    static func numbers(of question: Message.Compare.Question) -> [String: Any] {
        switch question {
        case .groups(let runs): ["groups": runs.flatMap { ["\($0.lowerBound)", "\($0.count)"] }]
        case .sums(let ranges):
            [
                "sums": ranges.flatMap {
                    ["\($0.base.lowerBound)", "\($0.base.count)", "\($0.block)", "\($0.strong)"]
                }
            ]
        }
    }

    static func of(_ offer: Offer) -> [String: Any] {
        ["id": "\(offer.id)", "items": offer.items.map(of)].with("request", offer.request.map { "\($0)" })
            .with("parcel", offer.parcel.map { withUnsafeBytes(of: $0.bigEndian) { hex($0) } })
    }

    private static func of(_ capabilities: Capabilities) -> [String] {
        [(Capabilities.takes, "takes"), (.serves, "serves"), (.stays, "stays"), (.syncs, "syncs")]
            .filter { capabilities.contains($0.0) }.map(\.1)
    }

    static func of(_ item: OfferedItem) -> [String: Any] {
        ["title": item.title, "representations": item.representations.map(of)]
            .with("preview", item.preview.map(of)).with("inline", item.inline.map(of))
            .with("parcel_item", item.parcelItem.map { "\($0)" })
    }

    private static func names(of requirements: Fidelity) -> [String] {
        Fidelity.names.filter { requirements.contains($0.value) }.map { snake($0.key) }
    }

    private static func of(_ inline: InlineContent) -> [String: Any] {
        [
            "representation": inline.representation, "name": hex(inline.name), "content": hex(inline.content),
            "require": names(of: inline.requirements),
        ]
    }

    private static func of(_ preview: ItemPreview) -> [String: Any] {
        ["message": preview.message].with("image", preview.image.map(of)).with("icon", preview.icon.map(of))
    }

    private static func of(_ picture: ItemPreview.Picture) -> [String: Any] {
        ["type": picture.type, "data": hex(picture.data)]
    }

    private static func of(_ representation: OfferedRepresentation) -> [String: Any] {
        [
            "type": of(representation.type), "visibility": snake(representation.restriction.visibility.description),
            "channel": representation.channel.rawValue, "folder": representation.isFolder,
        ]
        .with(
            "audience",
            representation.restriction.audience.map {
                ["team": hex($0.team.bytes), "groups": $0.groups.map(\.text)] as [String: Any]
            }
        )
        .with("size", representation.size.map { "\($0)" })
        .with(
            "apparent_size", representation.apparentSize.flatMap { $0 == representation.size ? nil : "\($0)" }
        )
        .with("estimated_size", representation.estimatedSize.map { "\($0)" })
        .with("suggested_name", representation.suggestedName)
        .with("source", representation.source.isEmpty ? nil : hex(representation.source))
    }

    private static func of(_ type: OfferedType) -> [String: Any] {
        [
            "identifier": type.identifier, "ancestors": type.ancestors, "extensions": type.extensions,
            "mime_types": type.mimeTypes,
        ].with("description", type.description)
    }

    private static func of(_ choice: ItemChoice) -> [String: Any] {
        switch choice.decision {
        case .take(let representation): of(choice, taking: representation)
        case .stored(let representation, let stored):
            of(choice, taking: representation).merging(of(Message.Receipt.Outcome.stored(stored))) { old, _ in old }
        case .decline(let decline):
            [
                "item": Int(choice.item),
                "decline": ["reason": snake(decline.reason.rawValue), "detail": decline.detail],
            ]
        }
    }

    private static func of(_ choice: ItemChoice, taking representation: Int) -> [String: Any] {
        ["item": Int(choice.item), "take": representation]
            .with("ask", choice.terms.asks ? true : nil)
            .with("lanes", choice.terms.lanes == 0 ? nil : choice.terms.lanes)
            .with("inline", choice.isInline ? true : nil)
            .with("whole", choice.terms.takesWhole ? true : nil)
    }

    private static func of(_ outcome: Message.Receipt.Outcome) -> [String: Any] {
        switch outcome {
        case .stored(let stored):
            [
                "stored": [
                    "name": hex(stored.name), "bytes": "\(stored.bytes)", "entries": Int(stored.entries),
                    "omissions": of(stored.omissions),
                ]
                .with("counts", counts(counts(of: stored)))
                .with("signed", stored.receipt.map { hex($0.encoded) })
            ]
        case .failed(let failure): ["failed": ["failure": snake(failure.cause.rawValue), "detail": failure.detail]]
        }
    }

    private static func counts(of stored: StoredItem) -> [String: UInt64] {
        counts(of: stored.omissions).merging(
            [
                "kept_entries": UInt64(stored.keptEntries), "kept_bytes": stored.keptBytes,
                "updated": stored.isUpdated ? 1 : 0, "surplus_entries": UInt64(stored.surplusEntries),
            ]) { old, _ in old }
    }

    private static func counts(of omissions: Omissions) -> [String: UInt64] {
        ["omissions": omissions.further, "missing": omissions.furtherMissing]
    }

    /// The counts that are there: those that are not 0.
    private static func counts(_ numbers: [String: UInt64]) -> [String: String]? {
        let present = numbers.filter { $0.value > 0 }
        return present.isEmpty ? nil : present.mapValues { "\($0)" }
    }

    private static func of(_ omissions: Omissions) -> [[String: Any]] {
        omissions.listed.map { ["path": hex($0.path), "reason": snake($0.reason.rawValue)] }
    }

    /// Converts a name from camel case to the schema's snake case.
    static func snake(_ name: String) -> String {
        name.reduce(into: "") { text, character in
            text += character.isUppercase ? "_" + character.lowercased() : character == "-" ? "_" : String(character)
        }
    }
}
