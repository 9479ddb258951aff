import TestSupport
import Testing

@testable import UniformTypeIdentifiers

@Suite("Dynamic identifiers")
struct DynamicIdentifierTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        let identifier: String
        let supertypes: [String]
        let filenameExtension: String
        var testDescription: String { identifier }
    }

    static let samples = [
        Sample(identifier: "dyn.ah62d4rv4ge80e5pe", supertypes: ["public.data"], filenameExtension: "bmd"),
        Sample(identifier: "dyn.ah62d4rv4ge8043a", supertypes: ["public.data"], filenameExtension: "md"),
        Sample(identifier: "dyn.ah62d4rv4ge81g6pq", supertypes: ["public.data"], filenameExtension: "sql"),
        Sample(identifier: "dyn.ah62d4sb4ge81e62", supertypes: ["public.plain-text"], filenameExtension: "rs"),
        Sample(identifier: "dyn.age81e62", supertypes: [], filenameExtension: "rs"),
        Sample(identifier: "dyn.age80g65x", supertypes: [], filenameExtension: "css"),
        Sample(identifier: "dyn.age80s52", supertypes: [], filenameExtension: "go"),
        Sample(identifier: "dyn.age8u", supertypes: [], filenameExtension: ""),
        Sample(identifier: "dyn.age80n8ddqz0a", supertypes: [], filenameExtension: "excel"),
    ]

    @Test("Identifiers in circulation are written as they are", arguments: samples)
    func encodes(_ sample: Sample) {
        let dynamic = DynamicIdentifier(
            supertypes: sample.supertypes, tags: [.filenameExtension: [sample.filenameExtension]])
        #expect(dynamic.identifier == sample.identifier)
    }

    @Test("Identifiers in circulation are understood", arguments: samples)
    func decodes(_ sample: Sample) throws {
        let type = try #require(UTType(sample.identifier))
        #expect(type.identifier == sample.identifier)
        #expect(type.isDynamic && !type.isDeclared && !type.isPublic)
        #expect(type.tags == [.filenameExtension: [sample.filenameExtension]])
        #expect(type.orderedSupertypes.prefix(1).map(\.identifier) == sample.supertypes)
        #expect(type.localizedDescription == nil)
    }

    @Test("Several tags, classes of one's own and characters with a meaning survive")
    func roundTripsEverything() throws {
        let tags: [UTTagClass: [String]] = [
            .filenameExtension: ["a:b", "c,d", #"e\f"#, "g=h", "naïve"],
            .mimeType: ["application/x-y"],
            UTTagClass(rawValue: "com.example.class=1"): ["6"],
        ]
        let identifier = DynamicIdentifier(supertypes: ["public.image", "com.example.x"], tags: tags).identifier
        let read = try #require(DynamicIdentifier(identifier))
        #expect(read.supertypes == ["public.image", "com.example.x"])
        #expect(read.tags == tags)
    }

    @Test(
        "A malformed dynamic identifier names no type",
        arguments: [
            "dyn.", "dyn.a", "dyn.b", "dyn.age8l", "dyn.age81e62!", "dyn.age81e6", "dyn.age81e63", "dyn.hello",
        ])
    func refuses(_ identifier: String) {
        #expect(UTType(identifier) == nil)
        #expect(UTType(identifier: identifier, allowUndeclared: true) == nil)
    }

    @Test("An identifier cut anywhere is refused or is one in its own right")
    func cutsAtEveryOffset() {
        for sample in Self.samples {
            for length in 0..<sample.identifier.count {
                let cut = String(sample.identifier.prefix(length))
                guard let dynamic = DynamicIdentifier(cut) else { continue }
                #expect(DynamicIdentifier(dynamic.identifier)?.tags == dynamic.tags)
            }
        }
    }

    @Test("Damaged identifiers are refused or read to something that reads back the same")
    func fuzz() {
        var random = SeededGenerator(seed: 0x0070_6F72_746F_6C61)
        for round in 0..<4000 {
            var bytes = Array(Self.samples[round % Self.samples.count].identifier.utf8)
            for _ in 0...Int.random(in: 0..<4, using: &random) {
                let position = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0:
                    bytes[position] = Array("abcdefghkmnpqrstuvwxyz0123456789".utf8).randomElement(using: &random) ?? 0
                case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: position)
                default: bytes.remove(at: position)
                }
            }
            let identifier = String(decoding: bytes, as: UTF8.self)
            guard let dynamic = DynamicIdentifier(identifier) else { continue }
            let again = DynamicIdentifier(dynamic.identifier)
            #expect(again?.tags == dynamic.tags, "seed \(random.seed), round \(round): \(identifier)")
            #expect(again?.supertypes == dynamic.supertypes, "seed \(random.seed), round \(round): \(identifier)")
        }
    }
}

@Suite("Hostile identifiers")
struct HostileIdentifierTests {
    @Test("Endless identifiers, and such with control characters, name nothing")
    func impossible() {
        let long = String(repeating: "a", count: 1 << 20)
        for identifier in [
            "", long, "com.example.\(long)", "dyn.a\(long)", "dyn.ah62d4rv4\(long)", "com.example\u{0}", "a\u{7F}",
            "a\u{85}b",
            "a\u{202E}b", "a\u{200B}b", "a\u{2028}b", "dyn.", "DYN.hello", "\u{1B}[31m",
        ] {
            #expect(UTType(identifier) == nil, "\(identifier.prefix(20))")
            #expect(UTType(identifier: identifier, allowUndeclared: true) == nil, "\(identifier.prefix(20))")
        }
        #expect(UTType(identifier: "com.example.naïve", allowUndeclared: true) != nil)
        #expect(UTType(filenameExtension: long) == nil && UTType(mimeType: "text/\(long)") == nil)
    }

    @Test("Dynamic types with impossible tags or supertypes are none")
    func impossibleContents() {
        let tags: [[UTTagClass: [String]]] = [
            [.filenameExtension: ["/../../etc/passwd"]], [.filenameExtension: ["a\u{0}"]],
            [.filenameExtension: ["a\nb"]], [.mimeType: [""]],
            [.filenameExtension: [String(repeating: "x", count: 300)]],
        ]
        for tags in tags {
            #expect(UTType(DynamicIdentifier(supertypes: ["public.data"], tags: tags).identifier) == nil)
        }
        for supertype in ["a b", "\u{202E}", "dyn.garbage!", String(repeating: "x", count: 300)] {
            let dynamic = DynamicIdentifier(supertypes: [supertype], tags: [.filenameExtension: ["x"]])
            #expect(UTType(dynamic.identifier) == nil, "\(supertype.prefix(20))")
        }
    }

    @Test("Dynamic types that conform to dynamic types are followed to their end")
    func nesting() throws {
        var type = UTType.plainText
        var depth = 0
        while let next = UTType(filenameExtension: "zz\(depth)", conformingTo: type) {
            #expect(next.isDynamic && next.conforms(to: .text) && next.conforms(to: type) && !type.conforms(to: next))
            type = next
            depth += 1
        }
        #expect(depth > 3 && depth < 40)
    }

    @Test("A dynamic type that names hundreds of supertypes is read in one go")
    func wide() throws {
        let supertypes = (0..<150).map { "com.example.s\($0)" } + ["public.png"]
        let dynamic = DynamicIdentifier(supertypes: supertypes, tags: [.filenameExtension: ["x"]])
        let type = try #require(UTType(dynamic.identifier))
        #expect(type.conforms(to: .image) && type.orderedSupertypes.count >= 151)
    }
}
