import Foundation
import NIOCore
import Testing

@testable import PortolanClient

@Suite("Values of the local API")
struct AgentValueTests {
    @Test("An identifier has 32 hexadecimal digits in lower case, and nothing else")
    func identifiers() throws {
        let text = "000102030405060708090a0b0c0d0e0f"
        #expect(AgentAPI.ID(text)?.description == text)
        #expect(AgentAPI.ID(String(repeating: "f", count: 32))?.bits == .max)
        for bad in ["", "0", text.uppercased(), text + "0", " " + text.dropFirst(), "+" + text.dropFirst(), "..", "٣"] {
            #expect(AgentAPI.ID(bad) == nil)
        }
        let data = try APICoding.encode([AgentAPI.ID(1)])
        #expect(String(decoding: data, as: UTF8.self) == "[\"\(String(repeating: "0", count: 31))1\"]")
        #expect(throws: (any Error).self) { try APICoding.decode([AgentAPI.ID].self, from: Data("[\"1\"]".utf8)) }
    }

    @Test("Times are written in ISO 8601 with milliseconds, and read without them too")
    func dates() throws {
        let date = Date(timeIntervalSince1970: 1_800_000_000.25)
        let data = try APICoding.encode([date])
        #expect(String(decoding: data, as: UTF8.self) == "[\"2027-01-15T08:00:00.250Z\"]")
        #expect(try APICoding.decode([Date].self, from: data) == [date])
        let plain = Data("[\"2027-01-15T08:00:00Z\",\"2027-01-15T09:00:00+01:00\"]".utf8)
        let whole = Date(timeIntervalSince1970: 1_800_000_000)
        #expect(try APICoding.decode([Date].self, from: plain) == [whole, whole])
        for bad in ["[\"today\"]", "[1]", "[\"2027-13-15T08:00:00Z\"]"] {
            #expect(throws: (any Error).self) { try APICoding.decode([Date].self, from: Data(bad.utf8)) }
        }
    }

    @Test("Any JSON is read and written as it is")
    func json() throws {
        let text = "{\"a\":[1,-2,1.5,\"x/y\",true,false,null,{}],\"b\":9007199254740993}"
        let value = try JSONValue(body: Data(text.utf8))
        #expect(
            value
                == .object([
                    "a": .array([
                        .integer(1), .integer(-2), .number(1.5), .string("x/y"), .bool(true), .bool(false), .null,
                        .object([:]),
                    ]),
                    "b": .integer(9_007_199_254_740_993),
                ]))
        #expect(String(decoding: try APICoding.encode(value), as: UTF8.self) == text)
    }

    @Test("A key that is not known is named, wherever it stands")
    func unknownKeys() {
        for (body, name) in [
            ("{\"into\":\"/a\",\"x\":1}", "\"x\""), ("{\"INTO\":\"/a\"}", "\"INTO\""),
            ("{\"x\\u001b\":null}", "\"x\\u{1B}\""),
        ] {
            let problem = #expect(throws: AgentAPI.Problem.self) { try AgentAPI.Acceptance(body: Data(body.utf8)) }
            #expect(problem?.detail == "The body has an unknown key, \(name).")
        }
        let nested = Data("{\"target\":\"a\",\"text\":\"b\",\"options\":{\"z\":1}}".utf8)
        let problem = #expect(throws: AgentAPI.Problem.self) { try AgentAPI.NewParcel(body: nested) }
        #expect(problem?.detail == "The body has an unknown key, \"options.z\".")
    }

    @Test("Each key that a body can have is known")
    func allKeys() throws {
        let parcel = AgentAPI.NewParcel(
            target: "a", paths: [], text: "", document: Data([1]), title: "", expires: .distantPast,
            options: AgentAPI.ParcelOptions(
                compression: .never, limitRate: 1, attributes: true, allowOmissions: true))
        try check(parcel)
        try check(
            AgentAPI.NewSharedItem(
                path: "", text: "", document: Data(), title: "", audience: "", expires: .distantPast))
        try check(AgentAPI.Acceptance(into: ""))
        try check(AgentAPI.Refusal(detail: ""))
        try check(AgentAPI.PolicyText(text: ""))
    }

    private func check<Body: RequestBody & Equatable>(_ body: Body) throws {
        #expect(try Body(body: APICoding.encode(body)) == body)
    }

    @Test("The sentence about a body names the place of the fault")
    func faults() {
        for (body, reason) in [
            ("{\"text\":\"a\"}", "“target” is missing"),
            ("{\"target\":\"a\",\"paths\":[\"/a\",1]}", "the value of “paths.[1]” is of another type"),
            (
                "{\"target\":\"a\",\"options\":{\"compression\":\"x\"}}",
                "the value of “options.compression” is not permitted"
            ),
        ] {
            let problem = #expect(throws: AgentAPI.Problem.self) { try AgentAPI.NewParcel(body: Data(body.utf8)) }
            #expect(problem?.detail == "The body does not have the right form: \(reason).")
        }
    }
}

@Suite("Server-sent events, as the client reads them")
struct EventStreamParserTests {
    private static let stream =
        ": hello\n\nid: 5\ndata: {\"a\":1}\n\nevent: problem\ndata: x\ndata:  y\nother\n\n:\n\ndata: cut"

    @Test("Messages are the same however their bytes are divided", arguments: [1, 2, 3, 7, 1000])
    func divided(_ size: Int) throws {
        var parser = EventStreamParser()
        var messages: [ServerSentMessage] = []
        let bytes = Array(Self.stream.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            messages += try parser.read(ByteBuffer(bytes: bytes[start..<min(start + size, bytes.count)]))
        }
        #expect(
            messages == [
                ServerSentMessage(name: "", data: "{\"a\":1}", id: "5"),
                ServerSentMessage(name: "problem", data: "x\n y", id: nil),
            ])
    }

    @Test(
        "A message without an end is refused when it is too large",
        arguments: ["", "data: \(String(repeating: "x", count: 5000))\n"])
    func endless(_ line: String) throws {
        var parser = EventStreamParser()
        let block = ByteBuffer(
            string: String(repeating: line.isEmpty ? "x" : line, count: (1 << 20) / max(1, line.count)))
        #expect(throws: AgentClientError.self) {
            for _ in 0..<100 { _ = try parser.read(block) }
        }
    }
}
