import PortolanProtocol
import PortolanValues
import TestSupport
import Testing

/// The vectors of tree records and of whole transfers on lanes.
@Suite(.aside) struct TreeVectorTests {
    @Test func treeRecordsMatchTheVectors() throws {
        for vector in try VectorFile.all(ofKind: "tree_record") {
            let bytes = try vector.bytes("bytes")
            if vector.has("elements") {
                let samples = try vector.objects("elements").map { try TreeSample(meaning: $0) }
                let transfer = UInt32(try vector.number("transfer"))
                let read = try TreeSample.read(bytes)
                #expect(read.samples == samples && read.transfer == transfer, "\(vector.path)")
                #expect(try TreeSample.record(samples, transfer: transfer) == bytes, "\(vector.path)")
            } else {
                let refused = try vector.name("refused", ProtocolViolation.Kind.self)
                #expect(violation { _ = try TreeSample.read(bytes) } == refused, "\(vector.path)")
            }
        }
    }

    @Test func transfersMatchTheVectors() throws {
        for vector in try VectorFile.all(ofKind: "tree_transfer") {
            let decisions = vector.has("decisions") ? try vector.numbers("decisions") : nil
            var run = TransferRun(
                tree: try incomingTree(
                    folder: vector.flag("folder"), asks: decisions != nil, inOrder: vector.number("lanes") == 1),
                decisions: decisions ?? [])
            let steps = try vector.objects("steps")
            let outcome = try vector.object("outcome")
            let isRefused = outcome.has("refused")
            for (number, step) in steps.enumerated() {
                if number == steps.count - 1, isRefused {
                    let refused = try outcome.name("refused", ProtocolViolation.Kind.self)
                    #expect(violation { try run.play(step) } == refused, "\(vector.path)")
                } else {
                    try run.play(step)
                }
            }
            if isRefused { continue }
            // An item that fails when it is stored is complete by the rules of a transfer.
            let isComplete = outcome.has("item_failed") ? true : try outcome.flag("complete")
            let finished = outcome.has("item_failed") ? [] : try outcome.numbers("finished")
            if outcome.has("item_failed") { _ = try outcome.text("item_failed") }
            #expect(run.tree.isComplete == isComplete, "\(vector.path)")
            #expect(run.finished == finished, "\(vector.path)")
        }
    }
}

private struct TransferRun {
    var tree: IncomingTree
    var decisions: [Int]
    var finished: [Int] = []

    init(tree: IncomingTree, decisions: [Int]) {
        self.tree = tree
        self.decisions = decisions
    }

    mutating func play(_ step: VectorObject) throws {
        if let end = try step.optional("end") {
            let failure = end.has("failure") ? try end.name("failure", SourceFailure.self) : nil
            let last = try Message.End(
                transfer: 1, entries: UInt32(end.number("entries")), bytes: UInt64(end.number("bytes")),
                failure: failure, lanes: end.numbers("lanes").map { UInt32($0) })
            try tree.end(last)
        } else if let holding = try step.optional("holding") {
            let digests = [UInt8](repeating: 0, count: 16 * (try holding.number("count")))
            let said = tree.holding(
                UInt32(try holding.number("entry")), block: UInt64(try holding.number("block")), digests: digests,
                isLast: try holding.flag("done"))
            #expect(said != nil)
        } else if step.has("repeat") {
            let count = try step.number("repeat")
            let counters = try step.objects("counters").map { try VectorCounter($0) }
            let step = try step.object("step")
            let (lane, type) = (UInt32(try step.number("lane")), RecordType(rawValue: UInt8(try step.number("type"))))
            var plaintext = try step.bytes("plaintext")
            for copy in 0..<count {
                for counter in counters { counter.write(copy: copy, to: &plaintext) }
                try play(plaintext, lane, isTree: type == .tree)
            }
        } else {
            let lane = UInt32(try step.number("lane"))
            let type = RecordType(rawValue: UInt8(try step.number("type")))
            try play(step.bytes("plaintext"), lane, isTree: type == .tree)
        }
    }

    private mutating func play(_ plaintext: [UInt8], _ lane: UInt32, isTree: Bool) throws {
        try plaintext.withUnsafeBytes { bytes in
            guard isTree else {
                let header = try PayloadHeader(decoding: bytes)
                let count = bytes.count - PayloadHeader.length
                if try tree.take(header, count: count, lane: lane) == .take {
                    try note(tree.wrote(UInt64(count), of: header.entry))
                }
                return
            }
            var reader = try TreeReader(bytes)
            while let element = try reader.next() { try play(element, lane) }
        }
    }

    private mutating func play(_ element: TreeElement, _ lane: UInt32) throws {
        switch try tree.take(element, lane: lane) {
        case .finish(let file): note(file)
        case .drop, .wait: throw VectorError("Nothing is dropped, and nothing waits")
        case .take:
            if case .entry(let entry) = element, case .file(let file) = entry.kind, file.content == nil {
                tree.decide(
                    entry.index, tree.asks ? EntryDecision(rawValue: UInt8(decisions.removeFirst())) ?? .all : .all)
            }
            if case .hole(let entry, _, let length) = element { try note(tree.wrote(length, of: entry)) }
        }
    }

    private mutating func note(_ file: IncomingTree.FinishedFile?) {
        if let file { finished.append(Int(file.entry)) }
    }
}

extension TreeSample {
    init(meaning: VectorObject) throws {
        func number(_ key: String) throws -> UInt32 { UInt32(try meaning.number(key)) }
        switch try meaning.text("kind") {
        case "content": self = .content(entry: try number("index"), try meaning.bytes("content"))
        case "hole":
            self = .hole(
                entry: try number("index"), offset: try meaning.long("offset"), length: try meaning.long("length"))
        case "copy":
            self = .copy(
                CopyElement(
                    entry: try number("index"), offset: try meaning.long("offset"), base: try meaning.long("base"),
                    length: try meaning.long("length")))
        case "file_end":
            self = .fileEnd(
                FileEndElement(
                    entry: try number("index"), size: try meaning.long("size"), sent: try meaning.long("sent"),
                    failure: meaning.has("failure") ? try meaning.name("failure", SourceFailure.self) : nil,
                    digest: meaning.has("digest") ? try meaning.bytes("digest") : nil))
        case "mark": self = .mark
        case let kind: self = .entry(try Entry(meaning: meaning, kind))
        }
    }
}

extension TreeSample.Entry {
    fileprivate init(meaning: VectorObject, _ name: String) throws {
        let kind: Kind
        switch name {
        case "file":
            let isLinkTarget = meaning.has("link_target") ? try meaning.flag("link_target") : false
            kind = .file(
                size: try meaning.optionalLong("size"), isLinkTarget: isLinkTarget,
                content: meaning.has("content") ? try meaning.bytes("content") : nil)
        case "folder": kind = .folder
        case "symlink": kind = .symbolicLink(target: try meaning.bytes("target"))
        case "hard_link": kind = .hardLink(to: UInt32(try meaning.number("target")))
        default: throw VectorError("\(meaning.path): no kind is called \(name)")
        }
        guard let seconds = Int64(try meaning.text("seconds")) else { throw VectorError("\(meaning.path): no seconds") }
        let attributes =
            meaning.has("attributes")
            ? try meaning.objects("attributes").map {
                Attribute(name: try $0.bytes("name"), value: try $0.bytes("value"))
            } : []
        self.init(
            index: UInt32(try meaning.number("index")), parent: UInt32(try meaning.number("parent")),
            name: try meaning.bytes("name"), kind: kind, permissions: UInt16(try meaning.number("permissions")),
            seconds: seconds, nanoseconds: UInt32(try meaning.number("nanoseconds")), attributes: attributes,
            restriction: try meaning.optional("audience").map { audience in
                let audience = try Audience(meaning: audience)
                return Restriction(audience.groups.isEmpty ? .team : .group, for: audience)
            })
    }
}
