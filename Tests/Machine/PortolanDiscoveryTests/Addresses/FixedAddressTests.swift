import PortolanDiscovery
import TestSupport
import Testing

struct FixedAddressTests {
    @Test(arguments: [
        ("anna.local:4711", "anna.local:4711"), ("192.0.2.7:1", "192.0.2.7:1"),
        ("[2001:db8::7]:65535", "[2001:db8::7]:65535"),
        ("[fe80::1%eth0]:47217", "[fe80::1%eth0]:47217"), ("my_nas.:80", "my_nas:80"), ("a-b.c:1", "a-b.c:1"),
        ("192.0.2.7", "192.0.2.7:47217"), ("[::1]", "[::1]:47217"), ("::1", "[::1]:47217"),
        ("fe80::1%wlp3s0", "[fe80::1%wlp3s0]:47217"), ("anna", "anna:47217"), ("127.0.0.1:01", "127.0.0.1:1"),
    ])
    func addressesAreRead(text: String, written: String) throws {
        let address = try FixedAddress(parsing: text, defaultPort: 47217)
        #expect(address.description == written)
        #expect(try FixedAddress(parsing: written) == address, "and what is written can be read again")
    }

    @Test(arguments: [
        ("", FixedAddressError.empty), ("a b:1", .unexpectedCharacter), ("a\u{1B}[2J:1", .unexpectedCharacter),
        ("a\0:1", .unexpectedCharacter), ("münchen:1", .unexpectedCharacter), (":1", .noHost),
        ("anna", .noPort("anna")),
        ("anna:", .notAPort("")), ("anna:0", .notAPort("0")), ("anna:65536", .notAPort("65536")),
        ("anna:+80", .notAPort("+80")), ("anna:-1", .notAPort("-1")), ("anna:8o", .notAPort("8o")),
        ("anna:000080", .notAPort("000080")), ("[::1", .unclosedBracket("[::1")),
        ("[::1]47217", .textAfterBracket("[::1]47217")),
        ("[::1]:", .notAPort("")), ("[anna]:1", .notIPv6("anna")), ("[192.0.2.7]:1", .notIPv6("192.0.2.7")),
        ("[]:1", .notIPv6("")), ("2001:db8::g", .notIPv6("2001:db8::g")), ("a:b:c", .notIPv6("a:b:c")),
        ("[fe80::1%]:1", .notAnInterface("")), ("[fe80::1%a/b]:1", .notAnInterface("a/b")),
        ("[fe80::1%abcdefghijklmnop]:1", .notAnInterface("abcdefghijklmnop")), ("1.2.3:1", .notIPv4("1.2.3")),
        ("10.0.0.300:1", .notIPv4("10.0.0.300")), ("010.0.0.1:1", .notIPv4("010.0.0.1")),
        ("2130706433:1", .notIPv4("2130706433")),
        ("-a:1", .notAHostName("-a")), ("a-:1", .notAHostName("a-")), ("a..b:1", .notAHostName("a..b")),
        ("a/b:1", .notAHostName("a/b")),
        (".:1", .notAHostName(".")), ("user@host:1", .notAHostName("user@host")),
    ])
    func mistakesAreNamed(text: String, error: FixedAddressError) {
        #expect(throws: error) { try FixedAddress(parsing: text) }
        #expect(!error.description.isEmpty && error.description.hasSuffix("."))
    }

    @Test func overlongTextsAreRefused() {
        #expect(throws: FixedAddressError.tooLong) { try FixedAddress(parsing: String(repeating: "a", count: 301)) }
        let label = String(repeating: "a", count: 64)
        #expect(throws: FixedAddressError.notAHostName(label)) { try FixedAddress(parsing: label + ":1") }
        let name = Array(repeating: "abcdefg", count: 32).joined(separator: ".")
        #expect(throws: FixedAddressError.notAHostName(name)) { try FixedAddress(parsing: name + ":1") }
    }

    private static let samples = ["[fe80::1%eth0]:47217", "anna.local:4711", "192.0.2.7:1", "2001:db8::7"]

    @Test(arguments: samples) func everyBeginningIsReadOrRefused(text: String) {
        for length in 0...text.utf8.count {
            let cut = String(decoding: text.utf8.prefix(length), as: UTF8.self)
            guard let address = try? FixedAddress(parsing: cut, defaultPort: 9) else { continue }
            #expect((try? FixedAddress(parsing: address.description)) == address, "“\(cut)”")
        }
    }

    @Test func damagedTextsAreReadOrRefused() {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        for round in 0..<4000 {
            let bytes = random.mutation(of: Array(Self.samples[round % Self.samples.count].utf8))
            let text = String(decoding: bytes, as: UTF8.self)
            guard let address = try? FixedAddress(parsing: text, defaultPort: 9) else { continue }
            #expect((try? FixedAddress(parsing: address.description)) == address, "“\(text)”, seed \(seed)")
            #expect(address.port != 0, "“\(text)”, seed \(seed)")
        }
    }

    // MARK: Resolving

    @Test func numbersResolveToThemselves() async throws {
        let plain = try await FixedAddress(parsing: "127.0.0.1:4711").addresses()
        #expect(plain.map(\.description) == ["127.0.0.1:4711"])
        let scoped = try await FixedAddress(parsing: "[fe80::1%lo]:4711").addresses()
        #expect(scoped.map(\.scopeID) == [NetworkInterface(named: "lo")?.index ?? 0])
        let numbered = try await FixedAddress(parsing: "[fe80::1%1]:4711").addresses()
        #expect(numbered.map(\.interface?.index) == [1])
    }

    @Test func localhostResolvesToThisMachine() async throws {
        let found = try await FixedAddress(parsing: "localhost:4711").addresses()
        #expect(!found.isEmpty && found.allSatisfy { $0.ip.isLoopback && $0.port == 4711 })
    }

    @Test func unusableAddressIsRefusedWithAReason() async throws {
        for (text, refusal) in [
            ("0.0.0.0:1", AddressRefusal.unspecified), ("224.0.0.1:1", .multicast),
            ("[fe80::1]:1", .linkLocalWithoutInterface),
            ("[::ffff:10.0.0.1]:1", .disguised),
        ] {
            let address = try FixedAddress(parsing: text)
            await #expect(throws: FixedAddressError.refused(address, refusal)) { try await address.addresses() }
        }
        await #expect(throws: FixedAddressError.noSuchInterface("nosuch0")) {
            try await FixedAddress(parsing: "[fe80::1%nosuch0]:1").addresses()
        }
    }

    @Test func aCancelledLookupReturnsAtOnce() async throws {
        let address = try FixedAddress(parsing: "localhost:1")
        let task = Task { () throws -> [NetworkAddress] in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await address.addresses()
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
