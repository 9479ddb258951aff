/// Messages of a member with some files to another one: its answers, questions, and acknowledgements
/// (SYNC.md 7). The answers are computed without the library.
func syncConductScenarios() -> [Scenario] {
    (refusals + contents + descriptions + hearing).map { name, files, steps, comment in
        Scenario(
            "sync-conduct-" + name, kind: "sync_conduct", comment,
            [
                "folder": hex(SyncBytes.folder), "unshared": hex(unshared), "files": files.map(\.json),
                "steps": steps.map(\.json),
            ])
    }
}

private typealias Conduct = (name: String, files: [ConductFile], steps: [ConductStep], comment: String)

private struct ConductFile: Sendable {
    let name: String
    let content: [UInt8]
    /// Seed of the content; nil for repetitions.
    var seed: UInt64?
    var repetition: (bytes: [UInt8], count: Int)?

    init(_ name: String, _ bytes: [UInt8], times count: Int = 1) {
        self.name = name
        content = Array(repeatElement(bytes, count: count).joined())
        repetition = (bytes, count)
    }

    init(_ name: String, _ content: KeyedContent, seed: UInt64) {
        (self.name, self.content, self.seed) = (name, content.bytes, seed)
    }

    var digest: [UInt8] { SyncBytes.sha256(content) }

    var json: [String: Any] {
        var json: [String: Any] = ["name": name]
        if let seed { json.merge(["size": "\(content.count)", "seed": "\(seed)"]) { old, _ in old } }
        if let repetition {
            json["content"] =
                repetition.count == 1
                ? hex(repetition.bytes) : [Repetition(of: repetition.bytes, repetition.count).json] as Any
        }
        return json
    }
}

private enum ConductStep: Sendable {
    case other([UInt8])
    case member([UInt8])

    var json: [String: Any] {
        switch self {
        case .other(let bytes): ["from": "other", "plaintext": hex(bytes)]
        case .member(let bytes): ["from": "member", "plaintext": Self.parts(of: bytes)]
        }
    }

    /// Bytes, with a long repetition of two bytes at the end in short form.
    private static func parts(of bytes: [UInt8]) -> Any {
        var start = bytes.count - 2
        while start >= 2, bytes[start - 2..<start] == bytes.suffix(2) { start -= 2 }
        let count = (bytes.count - start) / 2
        guard count > 100 else { return hex(bytes) }
        return [hex(bytes[..<start]), Repetition(of: Array(bytes.suffix(2)), count).json] as [Any]
    }
}

/// Folder with the same files that is shared with nobody.
private let unshared = Array(fixedBytes(0xE0).prefix(16))

private let note = ConductFile("note", Array("hello".utf8))
private let large = ConductFile("large", [0x61, 0x62], times: 50_000)
private let key = Array(UInt8(0)..<32)
private let keyed = KeyedContent(size: 2_500_000, seed: 2, key: key)
private let data = ConductFile("data", keyed, seed: 2)

// MARK: - Messages

private func since(_ question: UInt64, of folder: [UInt8] = SyncBytes.folder) -> ConductStep {
    .other(SyncBytes.since(question, of: folder))
}

private func want(
    _ question: UInt64, _ file: ConductFile, from offset: UInt64 = 0, _ length: UInt64 = 0,
    of folder: [UInt8] = SyncBytes.folder, by description: [UInt8] = []
) -> ConductStep {
    let part = SyncBytes.number(4, offset) + SyncBytes.number(5, length)
    return .other(SyncBytes.want(question, file.digest, of: folder, part + description))
}

private func content(_ question: UInt64, _ bytes: some Sequence<UInt8>) -> ConductStep {
    .member(SyncBytes.content(question, Array(bytes)))
}

private func refusal(_ question: UInt64) -> ConductStep { .member(SyncBytes.refusal(question)) }

/// A question about groups, chunks of groups (field 7) or sums (field 8).
private func asking(_ field: UInt64 = 0, _ numbers: [UInt64] = []) -> [UInt8] {
    Proto.field(6, key) + (numbers.isEmpty ? [] : Proto.field(field, numbers.flatMap { Proto.varint($0) }))
}

// MARK: - What is not there

private let refusals: [Conduct] = [
    (
        "unknown-folder", [note],
        [
            since(1, of: SyncBytes.unknown), refusal(1), want(2, note, of: SyncBytes.unknown), refusal(2),
            want(3, note, of: SyncBytes.unknown, by: asking()), refusal(3),
        ], "Questions about a folder that there is not."
    ),
    (
        "unshared-folder", [note],
        [
            since(1, of: unshared), refusal(1), want(2, note, of: unshared), refusal(2),
            want(3, note, of: unshared, by: asking()), refusal(3),
        ], "Questions about a folder that is not shared with the other side have the same answers."
    ),
    (
        "unknown-content", [note],
        [
            want(1, large), refusal(1), want(2, large, by: asking()), refusal(2),
            want(3, large, by: asking(7, [0, 1])),
            refusal(3), want(4, large, by: asking(8, [0, 1024, 1024, 8])), refusal(4), want(5, note),
            content(5, note.content),
        ], "Questions about a content that there is not, and then about one that there is."
    ),
    (
        "no-folder-told", [note],
        [.other(SyncBytes.folders([])), .other(SyncBytes.heard(9, of: SyncBytes.unknown)), want(1, large), refusal(1)],
        "A SyncFolders without folders and a SyncHeard of an unknown one are answered by nothing."
    ),
]

// MARK: - Contents

private let contents: [Conduct] = [
    (
        "content", [note],
        [
            want(1, note, from: 0, 2), content(1, "he".utf8), want(2, note, from: 3, 2), content(2, "lo".utf8),
            want(3, note, from: 4, 2), content(3, "o".utf8), want(4, note, from: 5), content(4, []),
            want(5, note, from: 99), content(5, []), want(6, note), content(6, "hello".utf8),
        ], "Parts of a content, also at its end and behind it."
    ),
    (
        "large-content", [large],
        [
            want(1, large), content(1, large.content.prefix(65_536)), want(2, large, from: 65_536),
            content(2, large.content.dropFirst(65_536)), want(3, large, from: 34_463, 65_536),
            content(3, large.content[34_463..<99_999]),
        ], "At most 65,536 bytes in an answer, less only at the end."
    ),
    (
        "several-questions", [note, large],
        [
            want(7, note, from: 0, 1), content(7, "h".utf8), want(9, large, from: 99_999), content(9, "b".utf8),
            since(20, of: SyncBytes.unknown), refusal(20), want(1 << 40, note, from: 4), content(1 << 40, "o".utf8),
        ], "Numbers of questions may leave others out."
    ),
]

// MARK: - Descriptions

private let descriptions: [Conduct] = {
    let groups = Array(keyed.groups.joined())
    func sums(_ ranges: [(start: Int, length: Int, block: Int, strong: Int)]) -> (asked: [UInt8], answer: [UInt8]) {
        let numbers = ranges.flatMap { [UInt64($0.start), UInt64($0.length), UInt64($0.block), UInt64($0.strong)] }
        let answer = ranges.flatMap {
            keyed.signature(of: $0.start..<$0.start + $0.length, block: $0.block, strong: $0.strong)
        }
        return (asking(8, numbers), answer)
    }
    let plain = sums([(1_024_000, 2048, 1024, 8)])
    let rests = sums([(0, 1040, 1024, 8), (2048, 1039, 1024, 4), (4096, 15, 4096, 5), (8192, 16, 2048, 6)])
    let end = sums([(2_494_464, 5536, 3072, 7)])
    let several = sums([(0, 4096, 4096, 4), (4096, 3072, 1024, 8), (1_228_800, 8192, 4096, 6)])
    let most = sums([(0, 2_500_000, 1024, 8)])
    return [
        (
            "groups", [data],
            [
                want(1, data, by: asking()), content(1, groups), want(2, data, from: 16, by: asking()),
                content(2, groups.dropFirst(16)), want(3, data, from: 8, 16, by: asking()), content(3, groups[8..<24]),
                want(4, data, from: UInt64(groups.count), by: asking()), content(4, []),
            ], "The groups of a content, in parts."
        ),
        (
            "groups-of-one-chunk", [note],
            [
                want(1, note, by: asking()), content(1, KeyedContent(Array("hello".utf8), key: key).groups.joined()),
                want(2, note, by: asking(7, [0, 1])),
                content(2, KeyedContent(Array("hello".utf8), key: key).chunkList),
            ], "A content of one chunk."
        ),
        (
            "chunks", [data],
            [
                want(1, data, by: asking(7, [1, 1])), content(1, keyed.chunkList(ofGroups: [1])),
                want(2, data, by: asking(7, [0, 1, 2, 1])), content(2, keyed.chunkList(ofGroups: [0, 2])),
                want(3, data, by: asking(7, [0, 3])), content(3, keyed.chunkList),
                want(4, data, from: 10, 30, by: asking(7, [0, 3])), content(4, keyed.chunkList[10..<40]),
            ], "The chunk lists of groups, and a part of one."
        ),
        (
            "chunks-of-unknown-groups", [data],
            [
                want(1, data, by: asking(7, [1, 99])), content(1, keyed.chunkList(ofGroups: [1, 2])),
                want(2, data, by: asking(7, [0, 1, 3, 1])), content(2, keyed.chunkList(ofGroups: [0])),
                want(3, data, by: asking(7, [3, 1])), content(3, [0]),
            ], "Groups that there are not are left out."
        ),
        (
            "sums", [data], [want(1, data, by: plain.asked), content(1, plain.answer)],
            "The sums of two blocks: 4 bytes and 8 bytes each."
        ),
        (
            "sums-of-rests", [data], [want(1, data, by: rests.asked), content(1, rests.answer)],
            "A rest of at least 16 bytes has sums, a shorter one has none."
        ),
        (
            "sums-at-the-end", [data], [want(1, data, by: end.asked), content(1, end.answer)],
            "A range up to the end of the content."
        ),
        (
            "sums-of-ranges", [data],
            [
                want(1, data, by: several.asked), content(1, several.answer),
                want(2, data, from: 8, 12, by: several.asked),
                content(2, several.answer[8..<20]),
            ], "The signatures of several ranges, joined, and a part of them."
        ),
        (
            "sums-of-all", [data],
            [want(1, data, by: most.asked), content(1, most.answer)],
            "The sums of a whole content, whose end is no block."
        ),
        (
            "sums-beyond", [data],
            [
                want(1, data, by: asking(8, [2_499_584, 417, 1024, 8])), refusal(1),
                want(2, data, by: asking(8, [0, 1024, 1024, 8, 2_500_608, 1024, 1024, 8])), refusal(2),
                want(3, data, by: asking()), content(3, groups),
            ], "Ranges beyond the end of the content are refused."
        ),
    ]
}()

// MARK: - Hearing

private let seals = (0..<3).map { [UInt8](repeating: 0x50 + $0, count: 56) }
private let folderX = SyncBytes.record(1, Array("X".utf8), permissions: 0o755)
private let folderY = SyncBytes.record(2, Array("Y".utf8), in: 1, permissions: 0o755)
private let folderZ = SyncBytes.record(3, Array("Z".utf8), permissions: 0o755)

/// The other side has changes up to one.
private func told(_ sequence: UInt64) -> ConductStep { .other(SyncBytes.folders([(SyncBytes.folder, sequence)])) }

/// The member asks for the changes after one; 0 for all.
private func asks(after sequence: UInt64 = 0, seal: [UInt8]? = nil) -> ConductStep {
    .member(SyncBytes.since(0, position: sequence == 0 ? nil : (sequence, 7), seal: seal))
}

private func part(_ records: [[UInt8]]) -> ConductStep { .other(SyncBytes.changes(0, records)) }

private func last(_ sequence: UInt64, _ records: [[UInt8]] = [], seals: [UInt8] = []) -> ConductStep {
    .other(SyncBytes.changes(0, records, last: sequence, seals: seals))
}

private func heard(_ sequence: UInt64, seal: [UInt8]? = nil) -> ConductStep {
    .member(SyncBytes.heard(sequence, seal: seal))
}

/// The member has done all changes up to one.
private func taken(_ sequence: UInt64, seal: [UInt8]? = nil) -> ConductStep {
    .member(SyncBytes.folders([(SyncBytes.folder, 0)], taken: SyncBytes.position(sequence, (5, 6, 7), seal: seal)))
}

/// A question of the other side that is refused, after which all that was due before has been said.
private func barrier(_ question: UInt64) -> [ConductStep] {
    [since(question, of: SyncBytes.unknown), refusal(question)]
}

/// The member tells all changes of others.
private func tells(_ question: UInt64, _ records: [[UInt8]], seals: [UInt8] = []) -> [ConductStep] {
    [since(question), .member(SyncBytes.changes(question, records, last: 1, seals: seals))]
}

/// Seal of the device that made the changes.
private func madeBy(_ seal: [UInt8]) -> [UInt8] {
    Proto.field(9, Proto.field(1, fixedBytes(0x30)) + Proto.field(2, seal))
}

private let hearing: [Conduct] = [
    (
        "hears", [note],
        [told(2), asks(), last(2, [folderX, folderY]), heard(2), taken(2)] + tells(1, [folderX, folderY]),
        "Changes are asked for, merged, acknowledged, done and told."
    ),
    (
        "hears-in-parts", [note],
        [told(3), asks(), part([folderY])] + barrier(1) + [part([folderX])] + barrier(2)
            + [last(3, [folderZ]), heard(3), taken(3)] + tells(3, [folderX, folderY, folderZ]),
        "Nothing is acknowledged before the last part; a folder comes behind what is in it."
    ),
    (
        "tells-nothing-of-a-part", [note],
        [told(3), asks(), part([folderX])] + tells(1, []) + [last(3), heard(3)] + tells(2, [folderX]),
        "Nothing of an answer is merged before its last part."
    ),
    (
        "asks-on", [note],
        [
            told(5), asks(), last(3, [folderX]), heard(3), asks(after: 3), last(5, [folderY]), heard(5), taken(5),
        ] + tells(1, [folderX, folderY]),
        "The place after an answer is acknowledged, not the one that was told; the member asks on from there."
    ),
    (
        "asks-again", [note],
        [told(3), asks(), last(3, [folderX]), heard(3), taken(3)] + barrier(1)
            + [told(3)] + barrier(2) + [told(4), asks(after: 3), last(4, [folderY]), heard(4), taken(4)],
        "A later change is asked for after the last place, and nothing where that is the same."
    ),
    (
        "asks-after-a-refusal", [note],
        [told(3), asks(), .other(SyncBytes.refusal(0))] + barrier(1)
            + [told(4), asks(), last(4, [folderX]), heard(4), taken(4)],
        "A refusal acknowledges nothing."
    ),
    (
        "answers-while-it-waits", [note],
        [told(3), asks()] + barrier(1) + [want(2, note), content(2, note.content)]
            + [last(3, [folderX]), heard(3), taken(3)], "Questions are answered while an own one waits."
    ),
    (
        "gives-seals-back", [note],
        [
            told(5), asks(), last(3, [folderX], seals: Proto.field(8, seals[0])), heard(3, seal: seals[0]),
            asks(after: 3, seal: seals[0]), last(5, [folderY], seals: Proto.field(8, seals[1])),
            heard(5, seal: seals[1]), taken(5, seal: seals[1]),
        ], "Each place is given back with the seal that came with it."
    ),
    (
        "passes-seals-on", [note],
        [
            told(5), asks(), last(3, [folderX], seals: madeBy(seals[1])), heard(3), asks(after: 3),
            last(5, [folderY], seals: madeBy(seals[0])), heard(5),
        ] + tells(1, [folderX, folderY], seals: madeBy(seals[1])) + [
            told(6), asks(after: 5), last(6, [], seals: madeBy(seals[2])), heard(6),
        ] + tells(2, [folderX, folderY], seals: madeBy(seals[2])),
        "The newest seal of the device that made the changes is passed on, an earlier one is not."
    ),
    (
        "tells-all-of-another-epoch", [note],
        [told(3), asks(), last(3, [folderX, folderY]), heard(3)] + [
            .other(SyncBytes.since(1, position: (5, 99))),
            .member(SyncBytes.changes(1, [folderX, folderY], last: 1)),
        ], "All changes are told after a position of another epoch."
    ),
]
