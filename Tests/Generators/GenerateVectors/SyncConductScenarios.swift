/// Messages of a member with some files to another one: its answers, questions, and acknowledgements
/// (SYNC.md 7). The answers are computed without the library.
func syncConductScenarios() -> [Scenario] {
    (refusals + contents + hearing).map { name, files, steps, comment in
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
    private let repetition: (bytes: [UInt8], count: Int)

    init(_ name: String, _ bytes: [UInt8], times count: Int = 1) {
        self.name = name
        content = Array(repeatElement(bytes, count: count).joined())
        repetition = (bytes, count)
    }

    var digest: [UInt8] { SyncBytes.sha256(content) }

    var json: [String: Any] {
        let (bytes, count) = repetition
        let content = count == 1 ? hex(bytes) : [Repetition(of: bytes, count).json] as Any
        return ["name": name, "content": content]
    }
}

private enum ConductStep: Sendable {
    case other([UInt8])
    case member([UInt8])

    var json: [String: Any] {
        switch self {
        case .other(let bytes): ["from": "other", "plaintext": hex(bytes)]
        case .member(let bytes): ["from": "member", "plaintext": hex(bytes)]
        }
    }
}

/// Folder with the same files that is shared with nobody.
private let unshared = Array(fixedBytes(0xE0).prefix(16))

private let note = ConductFile("note", Array("hello".utf8))
private let large = ConductFile("large", [0x61, 0x62], times: 50_000)

// MARK: - Messages

private func since(_ question: UInt64, of folder: [UInt8] = SyncBytes.folder) -> ConductStep {
    .other(SyncBytes.since(question, of: folder))
}

/// The other side asks for contents; one that the member does not have is `large`.
private func want(_ request: UInt64, _ files: ConductFile..., of folder: [UInt8] = SyncBytes.folder) -> ConductStep {
    let contents = files.flatMap { file in
        Proto.field(3, Proto.field(1, file.digest) + Proto.field(2, UInt64(file.content.count)))
    }
    return .other(Proto.field(68, SyncBytes.number(1, request) + Proto.field(2, folder) + contents))
}

/// The member offers contents of this size.
private func offers(_ request: UInt64, id: UInt64, _ files: ConductFile...) -> ConductStep {
    let size = files.reduce(0) { $0 + UInt64($1.content.count) }
    return .member(SyncBytes.contents(for: request, id: id, size: size))
}

private func gone(_ request: UInt64) -> ConductStep {
    .member(Proto.field(23, SyncBytes.number(1, request) + Proto.field(2, 1)))
}

/// The other side declines an offer.
private func declines(_ offer: UInt64) -> ConductStep {
    .other(Say.answer([Proto.field(3, Proto.field(1, 1))], offer: offer))
}

private func refusal(_ question: UInt64) -> ConductStep { .member(SyncBytes.refusal(question)) }

// MARK: - What is not there

private let refusals: [Conduct] = [
    (
        "unknown-folder", [note],
        [since(1, of: SyncBytes.unknown), refusal(1), want(1, note, of: SyncBytes.unknown), gone(1)],
        "Questions about a folder that there is not."
    ),
    (
        "unshared-folder", [note], [since(1, of: unshared), refusal(1), want(1, note, of: unshared), gone(1)],
        "Questions about a folder that is not shared with the other side have the same answers."
    ),
    (
        "unknown-content", [note], [want(1, large), gone(1), want(2, note), offers(2, id: 1, note)],
        "A SyncWant of a content that there is not, and then of one that there is."
    ),
    (
        "no-folder-told", [note],
        [.other(SyncBytes.folders([])), .other(SyncBytes.heard(9, of: SyncBytes.unknown)), want(1, large), gone(1)],
        "A SyncFolders without folders and a SyncHeard of an unknown one are answered by nothing."
    ),
]

// MARK: - Contents

private let contents: [Conduct] = [
    ("content", [note], [want(1, note), offers(1, id: 1, note)], "One content."),
    (
        "several-contents", [note, large], [want(1, large, note), offers(1, id: 1, large, note)],
        "Two contents come in one Offer, which has the size of both."
    ),
    (
        "content-and-none", [note], [want(1, large, note), offers(1, id: 1, note)],
        "Of two contents one is there: the Offer has that alone."
    ),
    (
        "wants-one-after-the-other", [note, large],
        [
            want(7, note), offers(7, id: 1, note), want(9, large), since(20, of: SyncBytes.unknown), refusal(20),
            declines(1), offers(9, id: 2, large), declines(2), want(1 << 40, note), offers(1 << 40, id: 3, note),
        ],
        "Numbers of SyncWants may leave others out; an Offer comes when the one before is settled."
    ),
]

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
        [told(3), asks()] + barrier(1) + [want(1, note), offers(1, id: 1, note)]
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
