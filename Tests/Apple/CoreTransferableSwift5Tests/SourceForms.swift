// Code of programs in the Swift 5 language mode about which Swift 6 warns: types that are not Sendable. `Transferable`
// inherits from `Sendable` only since a later version; older programs must still compile without a warning. Their
// importers and exporters capture them too.
import CoreTransferable
import Testing

class Ledger: Codable, Transferable {
    var text = ""

    static var transferRepresentation: some TransferRepresentation {
        CodableRepresentation(for: Ledger.self, contentType: .json)
        ProxyRepresentation(exporting: \.text)
    }
}

final class Purse: Ledger {}

class Counter {
    var count = 0
}

struct Tally: Transferable {
    let counter: Counter

    static var transferRepresentation: some TransferRepresentation {
        DataRepresentation(contentType: .plainText) { tally in
            tally.counter.count += 1
            return Data("\(tally.counter.count)".utf8)
        } importing: { data in
            let counter = Counter()
            counter.count = Int(String(decoding: data, as: UTF8.self)) ?? 0
            return Tally(counter: counter)
        }
    }
}

// Custom coder that is a class.
final class Coder: TopLevelEncoder, TopLevelDecoder, @unchecked Sendable {
    // Set once, before it is used.
    var options = JSONEncoder.OutputFormatting.sortedKeys

    func encode<T: Encodable>(_ value: T) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = options
        return try encoder.encode(value)
    }

    func decode<T: Decodable>(_ type: T.Type, from input: Data) throws -> T {
        try JSONDecoder().decode(type, from: input)
    }
}

struct Pair: Codable, Transferable {
    var b = 1
    var a = 2

    static var transferRepresentation: some TransferRepresentation {
        CodableRepresentation(contentType: .json, encoder: Coder(), decoder: Coder())
    }
}

@Suite("Source in the Swift 5 language mode")
struct Swift5Tests {
    @Test("A class that is not Sendable is exported and imported")
    func classes() async throws {
        let ledger = Ledger()
        ledger.text = "a"
        #expect(try await ledger.exported(as: .json) == Data(#"{"text":"a"}"#.utf8))
        #expect(try await Ledger(importing: Data(#"{"text":"b"}"#.utf8), contentType: .json).text == "b")
        #expect(try await Purse().exported(as: .plainText) == Data())
    }

    @Test("A value with a member that is not Sendable is exported and imported")
    func members() async throws {
        let tally = try await Tally(importing: Data("4".utf8), contentType: .plainText)
        #expect(try await tally.exported(as: .plainText) == Data("5".utf8))
    }

    @Test("A coder may be a class of one's own")
    func coders() async throws {
        #expect(try await Pair().exported(as: .json) == Data(#"{"a":2,"b":1}"#.utf8))
    }
}
