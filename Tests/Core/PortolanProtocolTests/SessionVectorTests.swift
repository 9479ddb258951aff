import Foundation
import PortolanCrypto
import PortolanProtocol
import PortolanTrust
import TestSupport
import Testing

/// Whole sessions of Protocol/vectors. Each side is played by the machines: it receives the other side's records, and
/// must send those of the vector, byte by byte.
@Suite struct SessionVectorTests {
    @Test func sessionsMatchTheVectors() throws {
        for vector in try VectorFile.all(ofKind: "session") {
            let (initiatorJSON, responderJSON) = (try vector.object("initiator"), try vector.object("responder"))
            let held = try [initiatorJSON, responderJSON].map(Self.rosters)
            let capabilities = try [initiatorJSON, responderJSON].map { try Capabilities(meaning: $0) }
            let sides = [
                try HandshakeSide(.initiator, initiatorJSON), try HandshakeSide(.responder, responderJSON),
            ]
            let flights = try vector.objects("transcript").map { (try $0.text("from"), try $0.bytes("bytes")) }
            let records = try vector.objects("records").map { try SessionRecord($0) }
            let outcome = try vector.object("outcome")
            let established = try HandshakeResult(outcome.object("established"))
            let expected = try SessionOutcome(outcome)
            for ((side, rosters), capabilities) in zip(zip(sides, held), capabilities) {
                let place = Comment("\(vector.path), \(side.label)")
                let heard = flights.filter { $0.0 != side.label }.map(\.1)
                let result = side.play(hearing: heard, closed: false, dripping: true)
                #expect(result.error == nil, place)
                #expect(result.said == flights.filter { $0.0 == side.label }.map(\.1), place)
                try established.check(result.end, side.role)
                let keys = try #require(result.end.keys, place)
                try Self.check(records, keys, side)
                let opening = try #require(result.end.opening)
                var play = try SessionPlay(side, opening, capabilities, rosters, records)
                try play.run()
                #expect(play.unsaid == 0, place)
                #expect(play.outcome(like: expected) == expected, place)
            }
        }
    }

    private static func rosters(_ side: VectorObject) throws -> [TeamHeads.Update] {
        guard side.has("rosters") else { return [] }
        return try side.objects("rosters").map { try RosterVectorTests().update($0) }
    }

    /// Checks that this side seals its records to the same bytes, and opens the other side's.
    private static func check(_ records: [SessionRecord], _ keys: SessionKeys, _ side: HandshakeSide) throws {
        func seal(_ records: [SessionRecord], _ sealer: consuming RecordSealer) {
            var sealer = sealer
            for record in records {
                var bytes = [0, 0, 0, 0] + record.plaintext + [UInt8](repeating: 0, count: RecordHeader.tagLength)
                bytes.withUnsafeMutableBytes { sealer.seal(type: record.type, $0) }
                #expect(bytes == record.bytes)
            }
        }
        func open(_ records: [SessionRecord], _ opener: consuming RecordOpener) throws {
            var opener = opener
            for record in records {
                let word = record.bytes.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
                var body = Array(record.bytes.dropFirst(RecordHeader.length))
                try body.withUnsafeMutableBytes { try opener.open(header: word, $0) }
                #expect(body.dropLast(RecordHeader.tagLength) == record.plaintext[...])
            }
        }
        let session = records.filter { $0.lane == nil }
        seal(session.filter { $0.from == side.label }, keys.makeSealer())
        try open(session.filter { $0.from != side.label }, keys.makeOpener())
        for (lane, records) in Dictionary(grouping: records.filter { $0.lane != nil }, by: \.lane) {
            guard let lane, let preface = records.first else { continue }
            #expect(preface.from == "initiator" && records.dropFirst().allSatisfy { $0.from == lane.sender })
            let lanes = lane.sender == side.label ? keys.sendingLanes : keys.receivingLanes
            #expect(lanes.preface(lane.number).encode() == preface.bytes)
            #expect(lanes.admits(try LanePreface(decoding: preface.bytes)))
            if lane.sender == side.label {
                seal(Array(records.dropFirst()), lanes.makeSealer(lane.number))
            } else {
                try open(Array(records.dropFirst()), lanes.makeOpener(lane.number))
            }
        }
    }
}

/// Lane with the records of one side.
struct SessionLane: Hashable {
    let sender: String
    let number: UInt32

    init(_ json: VectorObject) throws {
        sender = try json.text("of")
        number = UInt32(try json.number("number"))
    }
}

/// A record of a session, or the first bytes of a lane, which have the type 0 here.
struct SessionRecord {
    let from: String
    let lane: SessionLane?
    let type: UInt8
    let plaintext: [UInt8]
    let bytes: [UInt8]

    init(_ json: VectorObject) throws {
        from = try json.text("from")
        lane = try json.optional("lane").map { try SessionLane($0) }
        bytes = try json.bytes("bytes")
        type = json.has("type") ? UInt8(try json.number("type")) : 0
        plaintext = json.has("plaintext") ? try json.bytes("plaintext") : []
    }
}

/// Result of a session.
struct SessionOutcome: Hashable {
    enum Item: Hashable {
        case data([UInt8])
        case files([String: [UInt8]])
    }

    var heads: Set<[UInt8]> = []
    var items: [Item] = []

    init() {}

    init(_ json: VectorObject) throws {
        if json.has("heads") { heads = try Set(json.texts("heads").map { try [UInt8](hex: $0) }) }
        guard json.has("received") else { return }
        items = try json.objects("received").map { item in
            guard let files = try item.optional("files") else { return .data(try item.bytes("data")) }
            return .files(try Dictionary(uniqueKeysWithValues: files.keys.map { ($0, try files.bytes($0)) }))
        }
    }
}
