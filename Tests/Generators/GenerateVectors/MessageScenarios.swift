import Foundation
import PortolanProtocol
import PortolanValues

func messageScenarios() throws -> [Scenario] {
    let omissions = Omissions([
        Omission(path: Array("run/control.sock".utf8), reason: .specialFile),
        Omission(path: [0xFF, 0xFE], reason: .name),
    ])
    let messages: [(String, String, Message)] = [
        (
            "offer", "Two items; the first a picture in two forms, the second a folder with everything said about it.",
            .offer(try sampleOffer())
        ),
        (
            "offer-smallest", "The least an offer can say: an empty title, a type without ancestors.",
            .offer(
                try Offer(
                    id: 0,
                    items: [
                        OfferedItem(
                            title: "",
                            representations: [
                                OfferedRepresentation(type: OfferedType(identifier: "public.data"), channel: .data)
                            ])
                    ]))
        ),
        (
            "offer-preview", "An item with all that a preview can say, and one whose preview is an icon alone.",
            .offer(
                try Offer(
                    id: 3,
                    items: [
                        previewed(
                            ItemPreview(
                                message: "from the harbour",
                                image: .init(type: "public.png", data: Data([0x89, 0x50])),
                                icon: .init(type: "public.jpeg", data: Data([0xFF, 0xD8])))),
                        previewed(ItemPreview(icon: .init(type: "public.png", data: Data([0x89])))),
                    ]))
        ),
        (
            "answer", "The first item in its second form; the second not at all.",
            .answer(
                try Message.Answer(
                    offer: 7,
                    choices: [
                        ItemChoice(item: 0, .take(representation: 1)),
                        ItemChoice(item: 1, .decline(Decline(.nothingInCommon, detail: "only pictures, please"))),
                    ]))
        ),
        (
            "answer-visibility", "Whom the item is for cannot be kept there.",
            .answer(
                try Message.Answer(
                    offer: 7, choices: [ItemChoice(item: 0, .decline(Decline(.visibility)))]))
        ),
        (
            "answer-again", "Index 0 of item 0: numbers that protobuf leaves away must still be understood as said.",
            .answer(try Message.Answer(offer: 7, choices: [ItemChoice(item: 0, .take(representation: 0))]))
        ),
        ("pending", "A person is asked.", .pending(Message.Pending(offer: 7))),
        (
            "export-failed", "The exporter of item 0's second form failed.",
            .exportFailed(Message.ExportFailed(offer: 7, item: 0, representation: 1, failure: .export))
        ),
        (
            "begin-data", "Data of a known size.",
            .begin(
                try Message.Begin(
                    transfer: 1, offer: 7, item: 0, representation: 1, channel: .data, name: Array("note.txt".utf8),
                    size: 12))
        ),
        (
            "begin-file", "A folder of unknown size.",
            .begin(
                try Message.Begin(
                    transfer: 2, offer: 7, item: 1, representation: 0, channel: .file, name: Array("Photos".utf8),
                    size: nil))
        ),
        (
            "end", "All came, but for two.",
            .end(try Message.End(transfer: 2, entries: 4, bytes: 5, omissions: omissions))
        ),
        (
            "end-cancelled", "The sender broke off.",
            .end(try Message.End(transfer: 2, entries: 2, bytes: 3, failure: .cancelled))
        ),
        (
            "end-failure-unspecified", "A failure whose cause is number 0 is still a failure.",
            .end(try Message.End(transfer: 2, entries: 2, bytes: 3, failure: .unspecified))
        ),
        (
            "receipt-stored", "Stored under another name, because that one was taken.",
            .receipt(
                Message.Receipt(
                    offer: 7, item: 1,
                    outcome: .stored(
                        try StoredItem(name: Array("Photos (2)".utf8), bytes: 5, entries: 4, omissions: omissions))))
        ),
        (
            "receipt-failed", "The disk is full.",
            .receipt(
                Message.Receipt(
                    offer: 7, item: 1, outcome: .failed(StoringFailure(.noSpace, detail: "3 GB are missing"))))
        ),
        (
            "offer-source", "A file that says which it is.",
            .offer(
                try Offer(
                    id: 4,
                    items: [
                        OfferedItem(
                            title: "disk.img",
                            representations: [
                                OfferedRepresentation(
                                    type: OfferedType(identifier: "public.disk-image"), channel: .file, size: 1 << 32,
                                    suggestedName: "disk.img", source: Array(fixedBytes(0x20).prefix(16)))
                            ])
                    ]))
        ),
        (
            "offer-parcel", "What is left of a parcel; the numbers of its items tell nothing of the others.",
            .offer(
                try Offer(
                    id: 4,
                    items: try [0x0102_0304_0506_0708, UInt64.max].map { number in
                        try OfferedItem(
                            title: "note",
                            representations: [
                                OfferedRepresentation(
                                    type: OfferedType(identifier: "public.utf8-plain-text"), channel: .data, size: 5)
                            ], preview: nil, inline: nil, parcelItem: number)
                    }, parcel: 0x2021_2223_2425_2627_2829_2a2b_2c2d_2e2f))
        ),
        (
            "answer-stored", "The first item was stored when it was sent before; the second is to come.",
            .answer(
                try Message.Answer(
                    offer: 4,
                    choices: [
                        ItemChoice(
                            item: 0,
                            .stored(
                                representation: 0,
                                try StoredItem(
                                    name: Array("note.txt".utf8), bytes: 5, entries: 1, keptEntries: 1, keptBytes: 5))),
                        ItemChoice(item: 1, .take(representation: 0)),
                    ]))
        ),
        (
            "offer-sparse", "A file of 4 GiB, of which 1 MiB is no hole.",
            .offer(
                try Offer(
                    id: 5,
                    items: [
                        OfferedItem(
                            title: "disk.img",
                            representations: [
                                OfferedRepresentation(
                                    type: OfferedType(identifier: "public.disk-image"), channel: .file, size: 1 << 20,
                                    apparentSize: 1 << 32, suggestedName: "disk.img")
                            ])
                    ]))
        ),
        (
            "offer-folder-estimated", "A folder of about 2 GiB.",
            .offer(
                try Offer(
                    id: 5,
                    items: [
                        OfferedItem(
                            title: "photos",
                            representations: [
                                OfferedRepresentation(
                                    type: OfferedType(identifier: "public.folder"), channel: .file,
                                    estimatedSize: 1 << 31, suggestedName: "photos", isFolder: true)
                            ])
                    ]))
        ),
        (
            "offer-inline", "A text and a file, both with their content; the file's mode must be kept.",
            .offer(try inlineOffer())
        ),
        (
            "answer-inline", "What came with the offer is taken, of the second item in the second form.",
            .answer(
                try Message.Answer(
                    offer: 7,
                    choices: [
                        ItemChoice(item: 0, .take(representation: 0), isInline: true),
                        ItemChoice(item: 1, .take(representation: 1), terms: LaneTerms(lanes: 4), isInline: true),
                    ]))
        ),
        (
            "answer-too-large", "One item is larger than anything that is taken.",
            .answer(
                try Message.Answer(
                    offer: 7, choices: [ItemChoice(item: 0, .decline(Decline(.tooLarge, detail: "1 GB at most")))]))
        ),
        (
            "receipt-too-large", "More came than was offered.",
            .receipt(Message.Receipt(offer: 7, item: 1, outcome: .failed(StoringFailure(.tooLarge))))
        ),
        (
            "answer-lanes", "Files on up to 4 lanes; of the second item something is there; the third on one.",
            .answer(
                try Message.Answer(
                    offer: 7,
                    choices: [
                        ItemChoice(item: 0, .take(representation: 0), terms: LaneTerms(lanes: 4)),
                        ItemChoice(item: 1, .take(representation: 0), terms: LaneTerms(asks: true, lanes: 4)),
                        ItemChoice(item: 2, .take(representation: 1), terms: LaneTerms(lanes: 1)),
                    ]))
        ),
        (
            "answer-whole", "A file that may come whole on the session, or on up to 4 lanes.",
            .answer(
                try Message.Answer(
                    offer: 7,
                    choices: [
                        ItemChoice(item: 0, .take(representation: 0), terms: LaneTerms(lanes: 4, takesWhole: true))
                    ]))
        ),
        (
            "begin-whole", "A file that comes whole on the session.",
            .begin(
                try Message.Begin(
                    transfer: 3, offer: 7, item: 0, representation: 0, channel: .file, name: Array("photo".utf8),
                    size: 300_000, isWhole: true))
        ),
        (
            "begin-asking", "A folder of which something is there, and of which everything must be kept.",
            .begin(
                try Message.Begin(
                    transfer: 3, offer: 7, item: 1, representation: 0, channel: .file, name: Array("Photos".utf8),
                    size: nil, asks: true,
                    requirements: [.mode, .modified, .symbolicLinks, .attributes, .sparse, .hardLinks]))
        ),
        (
            "wanted", "A folder and a file that is there; one that is not; one to compare.",
            .wanted(try Message.Wanted(transfer: 3, first: 8191, decisions: [.nothing, .nothing, .all, .compare]))
        ),
        (
            "wanted-first", "The root.", .wanted(try Message.Wanted(transfer: 3, first: 0, decisions: [.nothing]))
        ),
        (
            "holding", "Two blocks of a file, and more will be said.",
            .holding(
                try Message.Holding(
                    transfer: 3, index: 8194, block: 16, digests: fixedBytes(0x40), isLast: false))
        ),
        (
            "holding-last", "Nothing more is held.",
            .holding(try Message.Holding(transfer: 3, index: 8194, block: 0, digests: [], isLast: true))
        ),
        (
            "holding-files", "The only blocks of two files.",
            .holding(try Message.Holding(transfer: 3, first: 8194, digests: fixedBytes(0x40)))
        ),
        (
            "begin-differences", "A transfer that asks, and whose sender can send differences.",
            .begin(
                try Message.Begin(
                    transfer: 3, offer: 7, item: 1, representation: 0, channel: .file, name: Array("Photos".utf8),
                    size: nil, asks: true, takesDifferences: true))
        ),
        (
            "wanted-difference", "A file by its difference.",
            .wanted(try Message.Wanted(transfer: 3, first: 0, decisions: [.nothing, .difference]))
        ),
        (
            "base", "The first word on an earlier version, of one group.",
            .base(
                try Message.Base(
                    transfer: 3, index: 8194,
                    beginning: Message.Base.Beginning(key: fixedBytes(0x40), size: 600_000),
                    data: Array(fixedBytes(0x60).prefix(16)), isLast: true))
        ),
        (
            "base-nothing", "An earlier version of which nothing more can be said.",
            .base(try Message.Base(transfer: 3, index: 8194, data: [], isLast: true))
        ),
        (
            "compare-groups", "The chunks of three groups.",
            .compare(try Message.Compare(transfer: 3, index: 8194, .groups([0..<2, 5..<6])))
        ),
        (
            "compare-sums", "The sums of 100 KB.",
            .compare(
                try Message.Compare(
                    transfer: 3, index: 8194,
                    .sums([Message.Compare.Sums(base: 65_536..<165_888, block: 1024, strong: 4)])))
        ),
        (
            "total", "Half a folder was gone through.",
            .total(try Message.Total(transfer: 3, bytes: 5_000_000_000, isFinal: false))
        ),
        (
            "total-done", "All of an empty one.", .total(try Message.Total(transfer: 3, bytes: 0, isFinal: true))
        ),
        (
            "end-lanes", "All came, on four lanes.",
            .end(try Message.End(transfer: 3, entries: 20_001, bytes: 1 << 33, lanes: [0, 2, 3, 300]))
        ),
        (
            "receipt-updated", "Most of it was there, and two of its files were changed at both ends.",
            .receipt(
                Message.Receipt(
                    offer: 7, item: 1,
                    outcome: .stored(
                        try StoredItem(
                            name: Array("Photos".utf8), bytes: 1 << 33, entries: 20_001,
                            omissions: Omissions([
                                Omission(path: Array("a/b.png".utf8), reason: .conflict),
                                Omission(path: Array("a".utf8), reason: .hardLink),
                                Omission(path: Array("b/log".utf8), reason: .grown),
                            ]), keptEntries: 19_999, keptBytes: 1 << 32, isUpdated: true))))
        ),
        (
            "receipt-reasons", "An omission of each reason, in the order of their numbers.",
            .receipt(
                Message.Receipt(
                    offer: 7, item: 1,
                    outcome: .stored(
                        try StoredItem(
                            name: Array("Photos".utf8), bytes: 5, entries: 30,
                            omissions: Omissions(
                                Omission.Reason.allCases.map {
                                    Omission(path: Array(Meaning.snake($0.rawValue).utf8), reason: $0)
                                })))))
        ),
        (
            "receipt-fidelity", "Something that was required cannot be kept.",
            .receipt(
                Message.Receipt(
                    offer: 7, item: 1, outcome: .failed(StoringFailure(.fidelity, detail: "no extended attributes"))))
        ),
        ("ping", "Is anyone there?", .ping(id: 42)),
        ("pong", "Yes.", .pong(id: 42)),
        ("close", "The other side asked for something that was not offered.", .close(Message.Close(.badIndex))),
        ("close-cancelled", "A person pressed Ctrl-C.", .close(Message.Close(.cancelled, detail: "stopped by hand"))),
    ]
    return messages.map { name, comment, message in
        Scenario(
            "message-" + name, kind: "message", comment,
            ["bytes": hex(message.encode()), "meaning": Meaning.of(message)])
    }
}

func sampleOffer() throws -> Offer {
    let png = try OfferedType(
        identifier: "public.png", ancestors: ["public.image", "public.content", "public.data", "public.item"],
        extensions: ["png"], mimeTypes: ["image/png"], description: "PNG image")
    let note = try OfferedType(
        identifier: "public.utf8-plain-text", ancestors: ["public.plain-text", "public.text"], extensions: ["txt"],
        mimeTypes: ["text/plain;charset=utf-8"])
    let folder = try OfferedType(identifier: "public.folder", ancestors: ["public.directory", "public.item"])
    return try Offer(
        id: 7,
        items: [
            OfferedItem(
                title: "Holiday – day 1",
                representations: [
                    OfferedRepresentation(type: png, channel: .file, size: 123_456, suggestedName: "day 1.png"),
                    OfferedRepresentation(
                        type: note, restriction: Restriction(.team, for: Audience(team: sampleTeam(1))), channel: .data,
                        size: 12
                    ),
                ]),
            OfferedItem(
                title: "Photos",
                representations: [
                    OfferedRepresentation(
                        type: folder,
                        restriction: Restriction(
                            .group,
                            for: Audience(team: sampleTeam(2), groups: [GroupName("design"), GroupName("Büro")])),
                        channel: .file, suggestedName: "Photos", isFolder: true)
                ]),
        ])
}

private func inlineOffer() throws -> Offer {
    func form(_ type: String, _ channel: PortolanProtocol.Channel) throws -> OfferedRepresentation {
        try OfferedRepresentation(type: OfferedType(identifier: type), channel: channel, size: 5, suggestedName: "n")
    }
    let entry = TreeBytes.record([TreeBytes.whole(0, name: "", "hello")], transfer: 0)
    return try Offer(
        id: 7,
        items: [
            OfferedItem(
                title: "t", representations: [form("public.utf8-plain-text", .data)], preview: nil,
                inline: InlineContent(representation: 0, name: [], content: Data("hello".utf8))),
            OfferedItem(
                title: "f", representations: [form("public.data", .data), form("public.data", .file)], preview: nil,
                inline: InlineContent(
                    representation: 1, name: Array("f".utf8), requirements: [.mode], content: Data(entry))),
        ])
}

private func previewed(_ preview: ItemPreview) throws -> OfferedItem {
    try OfferedItem(
        title: "photo",
        representations: [OfferedRepresentation(type: OfferedType(identifier: "public.png"), channel: .data)],
        preview: preview)
}
