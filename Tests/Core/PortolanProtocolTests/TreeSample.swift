import PortolanProtocol
import PortolanValues
import TestSupport

/// Element of a tree with bytes of its own, to be written, compared, and made from a vector's meaning.
enum TreeSample: Hashable {
    struct Entry: Hashable {
        enum Kind: Hashable {
            case file(size: UInt64?, isLinkTarget: Bool = false, content: [UInt8]? = nil)
            case folder
            case symbolicLink(target: [UInt8])
            case hardLink(to: UInt32)
        }

        struct Attribute: Hashable {
            var name: [UInt8]
            var value: [UInt8]
        }

        var index: UInt32
        var parent: UInt32 = 0
        var name: [UInt8] = [0x6E]
        var kind: Kind
        var permissions: UInt16 = 0o644
        var seconds: Int64 = 1_700_000_000
        var nanoseconds: UInt32 = 1
        var attributes: [Attribute] = []
        var restriction: Restriction?
    }

    case entry(Entry)
    case content(entry: UInt32, [UInt8])
    case hole(entry: UInt32, offset: UInt64, length: UInt64)
    case copy(CopyElement)
    case fileEnd(FileEndElement)
    case mark

    static func folder(_ index: UInt32, in parent: UInt32 = 0) -> TreeSample {
        .entry(Entry(index: index, parent: parent, name: index == 0 ? [] : [0x6E], kind: .folder, permissions: 0o755))
    }

    static func file(
        _ index: UInt32, in parent: UInt32 = 0, size: UInt64? = nil, content: [UInt8]? = nil, isLinkTarget: Bool = false
    ) -> TreeSample {
        let size = content.map { UInt64($0.count) } ?? size
        return .entry(
            Entry(
                index: index, parent: parent, name: index == 0 ? [] : [0x6E],
                kind: .file(size: size, isLinkTarget: isLinkTarget, content: content)))
    }

    static func end(
        _ entry: UInt32, size: UInt64, sent: UInt64? = nil, failure: SourceFailure? = nil
    ) -> TreeSample {
        .fileEnd(FileEndElement(entry: entry, size: size, sent: sent ?? size, failure: failure))
    }

    /// Writes it; `false` if there is no room.
    func append(to writer: inout TreeWriter) throws -> Bool {
        switch self {
        case .entry(let entry): return try entry.withElement { writer.append(.entry($0)) }
        case .content(let entry, let bytes): return bytes.withUnsafeBytes { writer.append(.content(entry: entry, $0)) }
        case .hole(let entry, let offset, let length):
            return writer.append(.hole(entry: entry, offset: offset, length: length))
        case .copy(let copy): return writer.append(.copy(copy))
        case .fileEnd(let end): return writer.append(.fileEnd(end))
        case .mark: return writer.append(.mark)
        }
    }

    init(_ element: TreeElement) {
        switch element {
        case .entry(let entry): self = .entry(Entry(entry))
        case .content(let entry, let bytes): self = .content(entry: entry, Array(bytes))
        case .hole(let entry, let offset, let length): self = .hole(entry: entry, offset: offset, length: length)
        case .copy(let copy): self = .copy(copy)
        case .fileEnd(let end): self = .fileEnd(end)
        case .mark: self = .mark
        }
    }

    /// More than it takes in a record.
    private var largestSize: Int {
        switch self {
        case .entry(let entry):
            let attributes = entry.attributes.reduce(0) { $0 + 3 + $1.name.count + $1.value.count }
            let content =
                switch entry.kind {
                case .file(_, _, let content): content?.count ?? 0
                case .symbolicLink(let target): target.count
                case .folder, .hardLink: 0
                }
            let audience = (entry.restriction?.audience?.groups ?? []).reduce(18) { $0 + 1 + $1.text.utf8.count }
            return 64 + entry.name.count + attributes + content + audience
        case .content(_, let bytes): return 64 + bytes.count
        case .hole, .copy, .fileEnd, .mark: return 64
        }
    }

    /// The plaintext of one record.
    static func record(_ samples: [TreeSample], transfer: UInt32 = 1) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 5 + samples.reduce(0) { $0 + $1.largestSize })
        let count = try bytes.withUnsafeMutableBytes { buffer in
            var writer = TreeWriter(buffer, transfer: transfer)
            for sample in samples {
                guard try sample.append(to: &writer) else { throw VectorError("A record is full") }
            }
            return writer.count
        }
        return Array(bytes.prefix(count))
    }

    /// Reads the elements of a record.
    static func read(_ record: [UInt8]) throws -> (transfer: UInt32, samples: [TreeSample]) {
        try record.withUnsafeBytes { bytes in
            var reader = try TreeReader(bytes)
            var samples: [TreeSample] = []
            while let element = try reader.next() { samples.append(TreeSample(element)) }
            return (reader.transfer, samples)
        }
    }
}

extension TreeSample.Entry {
    init(_ entry: TreeEntryElement) {
        let kind: Kind
        switch entry.kind {
        case .file(let file):
            kind = .file(size: file.size, isLinkTarget: file.isLinkTarget, content: file.content.map { Array($0) })
        case .folder: kind = .folder
        case .symbolicLink(let target): kind = .symbolicLink(target: Array(target))
        case .hardLink(let target): kind = .hardLink(to: target)
        }
        self.init(
            index: entry.index, parent: entry.parent, name: Array(entry.name), kind: kind,
            permissions: entry.permissions, seconds: entry.modified.seconds, nanoseconds: entry.modified.nanoseconds,
            attributes: entry.attributes.map { $0.map { Attribute(name: Array($0.name), value: Array($0.value)) } }
                ?? [],
            restriction: entry.restriction)
    }

    func withElement<Result>(_ body: (TreeEntryElement) throws -> Result) throws -> Result {
        let encoded =
            attributes.isEmpty ? [] : try TreeAttributes.encode(attributes.map { (name: $0.name, value: $0.value) })
        var extra: [UInt8] = []
        if case .file(_, _, let content?) = kind { extra = content }
        if case .symbolicLink(let target) = kind { extra = target }
        return try name.withUnsafeBytes { name in
            try extra.withUnsafeBytes { extra in
                try encoded.withUnsafeBytes { encoded in
                    let element: TreeEntryElement.Kind =
                        switch kind {
                        case .file(let size, let isLinkTarget, let content):
                            .file(
                                TreeEntryElement.File(
                                    size: size, isLinkTarget: isLinkTarget, content: content == nil ? nil : extra))
                        case .folder: .folder
                        case .symbolicLink: .symbolicLink(target: extra)
                        case .hardLink(let target): .hardLink(to: target)
                        }
                    return try body(
                        TreeEntryElement(
                            index: index, parent: parent, name: name, kind: element, permissions: permissions,
                            modified: Timestamp(seconds: seconds, nanoseconds: nanoseconds),
                            attributes: attributes.isEmpty ? nil : TreeAttributes(checked: encoded),
                            restriction: restriction)
                    )
                }
            }
        }
    }
}

/// The tree of a transfer on lanes, brought to its beginning by the usual messages.
func incomingTree(
    folder: Bool = true, asks: Bool = false, inOrder: Bool = false
) throws -> IncomingTree {
    var machine = ReceivingMachine()
    return try incomingTree(&machine, folder: folder, asks: asks, inOrder: inOrder)
}

func incomingTree(
    _ machine: inout ReceivingMachine, folder: Bool = true, asks: Bool = false, inOrder: Bool = false
) throws -> IncomingTree {
    _ = try machine.receive(.offer(sampleOffer(items: 1)))
    let representation = folder ? 1 : 0
    _ = machine.answer(
        [.take(representation: representation)], terms: [0: LaneTerms(asks: asks, lanes: inOrder ? 1 : 4)])
    let begin = try Message.Begin(
        transfer: 1, offer: 1, item: 0, representation: UInt32(representation), channel: .file, name: [0x6E], size: nil,
        asks: asks)
    for case .beginTree(_, _, let tree) in try machine.receive(.begin(begin)) { return tree }
    throw VectorError("No tree began")
}

/// The other side of `incomingTree`.
func outgoingTree(folder: Bool = true, asks: Bool = false, inOrder: Bool = false) throws -> OutgoingTree {
    var machine = OfferingMachine(offer: try sampleOffer(items: 1))
    _ = machine.start()
    let choice = ItemChoice(
        item: 0, .take(representation: folder ? 1 : 0), terms: LaneTerms(asks: asks, lanes: inOrder ? 1 : 4))
    for case .produce(var transfer) in try machine.receive(.answer(Message.Answer(offer: 1, choices: [choice]))) {
        return try transfer.beginTree(name: [0x6E]).tree
    }
    throw VectorError("Nothing was to be produced")
}

extension IncomingTree {
    /// Takes all elements of one record, with the given decisions or with everything accepted.
    @discardableResult mutating func take(
        _ samples: [TreeSample], lane: UInt32 = 0, deciding decision: EntryDecision = .all
    ) throws -> [Verdict] {
        let record = try TreeSample.record(samples)
        return try record.withUnsafeBytes { bytes in
            var reader = try TreeReader(bytes)
            var verdicts: [Verdict] = []
            while let element = try reader.next() {
                let verdict = try take(element, lane: lane)
                verdicts.append(verdict)
                guard verdict == .take, case .entry(let entry) = element, case .file(let file) = entry.kind,
                    file.content == nil, !isAbandoned
                else { continue }
                decide(entry.index, decision)
            }
            return verdicts
        }
    }

    /// Takes a range of a file and writes it at its offset.
    @discardableResult mutating func take(
        _ entry: UInt32, _ offset: UInt64, _ count: Int, lane: UInt32 = 0
    ) throws -> FinishedFile? {
        let verdict = try take(PayloadHeader(transfer: 1, entry: entry, offset: offset), count: count, lane: lane)
        switch verdict {
        case .take: return try wrote(UInt64(count), of: entry)
        case .drop, .finish: return nil
        case .wait: throw VectorError("It would have to wait")
        }
    }

    mutating func finish(entries: UInt32, bytes: UInt64, lanes: UInt32 = 1, failure: SourceFailure? = nil) throws {
        try end(Message.End(transfer: 1, entries: entries, bytes: bytes, failure: failure, lanes: Array(0..<lanes)))
    }
}
