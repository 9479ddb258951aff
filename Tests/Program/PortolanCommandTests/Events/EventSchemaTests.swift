import Foundation
import PortolanClient
import PortolanValues
import Testing

@testable import Portolan
@testable import PortolanCommand

/// Events beside the schema that is made from their kinds.
@Suite(.serialized) struct EventSchemaTests {
    let tool: Tool
    private let schema: JSONSchema
    private let samples: EventSamples

    init() throws {
        tool = try Tool()
        schema = try JSONSchema.ofEvents()
        samples = try EventSamples()
    }

    private func object(_ line: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    @Test func everyKindMatchesTheSchema() throws {
        let events = try samples.all()
        #expect(Set(events.map(\.kind)) == Set(NodeEvent.kinds.keys), "a kind has no sample")
        for event in events {
            let mistakes = schema.mistakes(in: try object(event.line))
            #expect(mistakes.isEmpty, "\(event.line)")
        }
    }

    @Test func everyEventIsDecodedUnchanged() throws {
        for event in try samples.all() {
            let line = event.line
            #expect(try JSONDecoder().decode(NodeEvent.self, from: Data(line.utf8)) == event, "\(line)")
            let encoded = try JSONEncoder().encode(event)
            #expect(try JSONDecoder().decode(NodeEvent.self, from: encoded) == event)
            #expect(line.hasPrefix("{\"event\":\"\(event.kind)\","))
            #expect(line.unicodeScalars.allSatisfy { !DisplayText.isHarmful($0) && !DisplayText.isBlank($0) })
        }
    }

    /// Programs read these words: a line that differs breaks them. Lines may be added.
    @Test func linesOfEventsHaveNotChanged() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "events.jsonl")
        let before = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        let lines = try samples.all().map(\.line)
        #expect(lines.count == before.count)
        for (line, before) in zip(lines, before) { #expect(line == before) }
    }

    /// `PORTOLAN_WRITE_SCHEMA=1 swift test --filter theSchemaIsMadeFromTheKinds` writes the schema.
    @Test func theSchemaIsMadeFromTheKinds() throws {
        let made = try EventSchema.text()
        if ProcessInfo.processInfo.environment["PORTOLAN_WRITE_SCHEMA"] != nil {
            try Data(made.utf8).write(to: JSONSchema.fileOfEvents)
        }
        let kept = try String(contentsOf: JSONSchema.fileOfEvents, encoding: .utf8)
        let difference = made.split(separator: "\n").difference(from: kept.split(separator: "\n"))
        #expect(difference.isEmpty)
    }

    @Test func anEventHasTheFieldsOfItsKindAlone() throws {
        let note = NodeEvent(\.note, .init("hello"))
        #expect(note[\.note]?.message == "hello")
        #expect(note[\.step] == nil)
        #expect(note != NodeEvent(\.step, .init("hello")))
        #expect(note != NodeEvent(\.note, .init("bye")))
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(NodeEvent.self, from: Data(#"{"event":"nosuch","message":"hello"}"#.utf8))
        }
    }

    @Test func violationOfTheSchemaIsDetected() throws {
        let good = try object(NodeEvent(\.waiting, .init(member: nil)).line)
        #expect(schema.mistakes(in: good).isEmpty)
        #expect(schema.mistakes(in: good.merging(["more": 1]) { $1 }) == ["waiting.more is not in the schema"])
        #expect(schema.mistakes(in: ["event": "waiting"]) == ["waiting.member is missing"])
        #expect(!schema.mistakes(in: good.merging(["member": 1]) { $1 }).isEmpty)
        #expect(!schema.mistakes(in: ["event": "nosuch"]).isEmpty)
        #expect(!schema.mistakes(in: ["event": "result", "code": -1, "kind": "done"]).isEmpty)
        #expect(!schema.mistakes(in: ["event": "result", "code": true, "kind": "done"]).isEmpty)
        #expect(!schema.mistakes(in: ["event": "peer-gone", "name": "a", "fingerprint": "b"]).isEmpty)
    }

    /// Moments have one form, and what is harmful to a terminal is escaped, in objects of the local API as in events.
    @Test func objectsAreWrittenAsEventsAre() throws {
        let text = "a\u{9B}2J\u{202E}\u{2028}\u{200B}é"
        let item = AgentAPI.SharedItem(
            id: try #require(AgentAPI.ID("00112233445566778899aabbccddeeff")), title: text,
            created: Date(timeIntervalSince1970: 1_772_000_000.789), fetches: 1)
        let line = try NodeEvent.line(of: ObjectKind.shelfItem.word, item)
        #expect(line.hasPrefix(#"{"event":"shelf-item","created":"2026-02-25T06:13:20Z","#))
        #expect(line.unicodeScalars.allSatisfy { !DisplayText.isHarmful($0) && !DisplayText.isBlank($0) })
        #expect(try object(line)["title"] as? String == text)
        #expect(try schema.mistakes(in: object(line)).isEmpty)
    }

    @Test func eachKindOfLineIsInTheSchema() {
        let kinds = ObjectKind.allCases.map(\.word) + NodeEvent.kinds.keys
        #expect(Set(kinds) == Set(schema.events.keys) && Set(kinds).count == kinds.count)
    }

    @Test func wrongUsageIsOneObject() async throws {
        for words in [["id", "--jsno", "--json"], ["--json", "snd"], ["receive", "--port", "x", "--json"]] {
            let outcome = try await tool.run(words)
            #expect(outcome.code == 64 && outcome.errors.hasPrefix("portolan: "), "\(outcome)")
            let event = try #require(outcome.events("error").first, "\(outcome)")
            #expect(event["code"] as? Int == 64 && event["kind"] as? String == "usage", "\(outcome)")
            #expect(schema.mistakes(in: event).isEmpty && outcome.events.count == 1, "\(outcome)")
        }
        let none = try await tool.run(["snd", "--", "--json"])
        #expect(none.code == 64 && none.output.isEmpty, "\(none)")
    }

    @Test func outputOfTheProgramMatchesTheSchema() async throws {
        try tool.write("x", to: "tree/a.txt")
        let (receiver, address) = try await tool.receive(["--yes", "--share", "tree"])
        var output = ""
        for arguments in [
            ["id"], ["demo"], ["types", "show", "png"], ["types", "conforms", "png", "image/png"],
            ["peers", "--forget", "b"],
            ["offer", "tree", "--text", "hello"], ["send", "tree", "--text", "hello", "--to", address],
            ["ls", address], ["get", "\(address):tree", "--into", "got"], ["team", "create", "acme"],
            ["team", "renew"], ["transfers"],
        ] {
            let outcome = try await tool.run(arguments + ["--json"])
            let lines = outcome.output.split(separator: "\n")
            #expect(lines.count == outcome.events.count && (!lines.isEmpty || arguments == ["transfers"]), "\(outcome)")
            output += outcome.output
        }
        output += try await receiver.stop().output
        let lines = output.split(separator: "\n").map(String.init)
        for line in lines { #expect(schema.mistakes(in: try object(line)).isEmpty, "\(line)") }
        let kinds = Set(try lines.map { try object($0)["event"] as? String ?? "" })
        #expect(
            kinds.isSuperset(of: [
                "id", "step", "settled", "stored", "offer", "team", "error", "type", "result", "shared", "shared-item",
                "fetched", "team-changed",
            ]))
    }
}
