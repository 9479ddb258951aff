import PortolanCrypto
import PortolanProtocol
import PortolanTrust
import PortolanValues
import TestSupport
import Testing
import UniformTypeIdentifiers

/// The language-neutral vectors of Protocol/vectors, in both directions where there are two.
@Suite(.aside) struct VectorTests {
    /// Asserted so that the test fails if the folder is empty or vectors are missing.
    private static let counts = [
        "conflict_name": 21, "content_digest": 6, "course": 170, "difference": 3, "handshake": 80, "heads": 48,
        "lane": 6, "lane_admission": 3, "lane_preface": 5, "leaving": 6, "message": 321, "negotiation": 16,
        "packed_header": 6, "payload_header": 4, "presence": 10, "questions": 20, "receipt": 13, "record_header": 28,
        "records": 17, "roster": 6, "roster_refused": 32, "session": 6, "statement": 25, "sync_change": 18,
        "sync_conduct": 18, "sync_merge": 39, "sync_news": 14, "sync_tree": 42, "team": 1, "tree_record": 84,
        "tree_transfer": 38, "visibility": 11,
    ]

    @Test func allVectorsAreThereAndOfAKnownKind() throws {
        let kinds = try VectorFile.names().map { try VectorFile.kind(of: $0) }
        #expect(Dictionary(kinds.map { ($0, 1) }, uniquingKeysWith: +) == Self.counts)
    }

    @Test func messagesMatchTheVectors() throws {
        for vector in try VectorFile.all(ofKind: "message") {
            let bytes = try vector.bytes("bytes")
            if let meaning = try vector.optional("meaning") {
                let message = try Message(meaning: meaning)
                #expect(try Message(decoding: bytes) == message, "\(vector.path)")
                #expect(message.encode() == bytes, "\(vector.path)")
            } else {
                let refused = try vector.name("refused", ProtocolViolation.Kind.self)
                #expect(violation { _ = try Message(decoding: bytes) } == refused, "\(vector.path)")
            }
        }
    }

    @Test func payloadHeaders() throws {
        for vector in try VectorFile.all(ofKind: "payload_header") {
            let bytes = try vector.bytes("bytes")
            if let meaning = try vector.optional("meaning") {
                let header = PayloadHeader(
                    transfer: UInt32(try meaning.number("transfer")), entry: UInt32(try meaning.number("entry")),
                    offset: try meaning.long("offset"))
                #expect(try PayloadHeader(decoding: bytes) == header)
                #expect(header.encode() == bytes)
            } else {
                let refused = try vector.name("refused", ProtocolViolation.Kind.self)
                #expect(violation { _ = try PayloadHeader(decoding: bytes) } == refused)
            }
        }
    }

    @Test func packedHeaders() throws {
        for vector in try VectorFile.all(ofKind: "packed_header") {
            let bytes = try vector.bytes("bytes")
            if let meaning = try vector.optional("meaning") {
                let place = PayloadHeader(
                    transfer: UInt32(try meaning.number("transfer")), entry: UInt32(try meaning.number("entry")),
                    offset: try meaning.long("offset"))
                let header = PackedHeader(place, originalLength: try meaning.number("original_length"))
                #expect(try bytes.withUnsafeBytes { try PackedHeader(decoding: $0) } == header, "\(vector.path)")
                var written = [UInt8](repeating: 0, count: PackedHeader.length)
                written.withUnsafeMutableBytes { header.write(to: $0) }
                #expect(written.elementsEqual(bytes.prefix(PackedHeader.length)), "\(vector.path)")
            } else {
                let refused = try vector.name("refused", ProtocolViolation.Kind.self)
                let found = violation { _ = try bytes.withUnsafeBytes { try PackedHeader(decoding: $0) } }
                #expect(found == refused, "\(vector.path)")
            }
        }
    }

    @Test func recordHeaders() throws {
        for vector in try VectorFile.all(ofKind: "record_header") {
            let word = try vector.bytes("bytes").reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            let phase = try #require(
                ["before_acceptance": .beforeAcceptance, "after_acceptance": .afterAcceptance, "lane": .lane][
                    vector.text("phase")] as RecordPhase?)
            let outcome = try vector.object("outcome")
            if outcome.has("refused") {
                let refused = try outcome.name("refused", ProtocolViolation.Kind.self)
                #expect(violation { _ = try RecordHeader(decoding: word, phase: phase) } == refused, "\(vector.path)")
            } else {
                let type = try #require(RecordType(rawValue: UInt8(outcome.number("type"))))
                let header = RecordHeader(type, plaintextLength: try outcome.number("plaintext_length"))
                #expect(try RecordHeader(decoding: word, phase: phase) == header, "\(vector.path)")
                #expect(header.encoded == word, "\(vector.path)")
            }
        }
    }

    @Test func lanePrefaces() throws {
        for vector in try VectorFile.all(ofKind: "lane_preface") {
            let bytes = try vector.bytes("bytes")
            let refused = try vector.name("refused", ProtocolViolation.Kind.self)
            #expect(violation { _ = try LanePreface(decoding: bytes) } == refused, "\(vector.path)")
            if vector.has("reply") { #expect(try LanePreface.refusal == vector.bytes("reply"), "\(vector.path)") }
        }
    }

    @Test func laneAdmissions() throws {
        for vector in try VectorFile.all(ofKind: "lane_admission") {
            let suite = try #require(RecordSuite(rawValue: UInt8(vector.number("suite"))))
            let keys = LaneKeys(direction: SecretBytes(copying: try vector.bytes("secret")), suite: suite)
            var numbers = LaneNumbers(isConnecting: false)
            numbers.allow(1)
            for (place, step) in try vector.objects("steps").enumerated() {
                let preface = try LanePreface(decoding: step.bytes("bytes"))
                let isTaken = keys.admits(preface) && numbers.admit(preface.number)
                #expect(try isTaken == step.flag("taken"), "\(vector.path), step \(place)")
            }
        }
    }

    @Test func negotiations() throws {
        for vector in try VectorFile.all(ofKind: "negotiation") {
            let offer = try Offer(meaning: vector.object("meaning"))
            let bytes = try vector.bytes("offer")
            #expect(try Message(decoding: bytes) == .offer(offer), "\(vector.path)")
            #expect(Message.offer(offer).encode() == bytes, "\(vector.path)")
            let accepting =
                vector.has("accept") ? try vector.texts("accept").map { UTType($0) ?? UTType(importedAs: $0) } : nil
            let excluding = Set(try vector.numbers("excluding"))
            let chosen = offer.items.map { Negotiation.choose($0, accepting: accepting, excluding: excluding) }
            #expect(chosen == (try vector.list("choices").map { $0 as? Int }), "\(vector.path)")
        }
    }

    @Test func visibilities() throws {
        for vector in try VectorFile.all(ofKind: "visibility") {
            let memberships = try vector.objects("standing").map { place in
                Standing.Membership(
                    team: try TeamID(meaning: place), teamName: try TeamName("acme"),
                    groups: try place.texts("groups").map { try GroupName($0) }, isAdmin: false)
            }
            let standing = Standing(isContact: false, memberships: memberships)
            let candidates = try vector.objects("candidates").map { candidate in
                let item = try OfferedItem(meaning: candidate)
                return CandidateItem(title: item.title, representations: item.representations)
            }
            let visible = try Offer.visible(to: standing, from: candidates, id: 1)
            let sources = visible?.sources.map { $0.map { [$0.item, $0.representation] } } ?? []
            #expect(sources == (try vector.list("sources") as? [[[Int]]]), "\(vector.path)")
            let bytes = vector.has("offer") ? try vector.bytes("offer") : nil
            #expect(visible.map { Message.offer($0.offer).encode() } == bytes, "\(vector.path)")
        }
    }
}
