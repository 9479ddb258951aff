import PortolanValues
import Testing

@Suite struct DeviceNameTests {
    @Test(
        "names people use are taken",
        arguments: ["a", "Ada’s laptop", "東京", "build-01", "a/b", "..", "❤️", "Ada \u{301}"])
    func accepts(name: String) throws {
        #expect(try DeviceName(name).text == name)
    }

    @Test func nameIsStoredInComposedForm() throws {
        let decomposed = try DeviceName("Zoe\u{308}")
        #expect(Array(decomposed.text.utf8) == Array("Zo\u{EB}".utf8))
    }

    @Test(
        "hostile names are refused",
        arguments: [
            "", "a\nb", "a\u{1B}[0m", "a\u{0}", "a\u{202E}b", "a\u{200B}", "\u{9B}", " a", "a ", "\u{A0}a", "a\u{3000}",
            "a\u{D4E} ", " \u{301}a",
        ])
    func refuses(name: String) {
        #expect(throws: DeviceNameError.self) { try DeviceName(name) }
    }

    @Test func aNameIsAtMostOneDNSLabel() throws {
        #expect(try DeviceName(String(repeating: "a", count: 63)).text.utf8.count == 63)
        #expect(throws: DeviceNameError.tooLong(bytes: 64)) { try DeviceName(String(repeating: "a", count: 64)) }
        #expect(throws: DeviceNameError.tooLong(bytes: 64)) { try DeviceName(String(repeating: "é", count: 32)) }
    }

    @Test func theReasonShowsTheNameSafely() {
        let error = DeviceNameError.unprintable(shown: DisplayText("a\u{1B}[2J"))
        #expect(error.description.contains("a\\u{1B}[2J"))
    }

    @Test(
        "the account and the first label of the host make the first name",
        arguments: [
            ("ada", "laptop.example.org", "ada@laptop"), ("root", "debian", "root@debian"), ("ada", "", "ada@portolan"),
            ("", "debian", "debian"), ("", "", "portolan"), ("a\u{1B}d\u{202E}a", "lap\ntop", "ada@laptop"),
            ("@ada", "laptop", "ada@laptop"), (" ada", "laptop ", "ada@laptop"),
            ("ada@example.org", "x", "ada@example.org@x"),
            ("Zoe\u{308}", "東京", "Zo\u{EB}@東京"), ("\u{1B}", "\u{1B}", "portolan"),
        ])
    func firstName(account: String, host: String, name: String) throws {
        #expect(DeviceName(account: account, hostName: host).text == name)
        #expect(try DeviceName(name) == DeviceName(account: account, hostName: host))
    }

    @Test func tooLongDefaultNameIsCut() {
        let long = DeviceName(account: "ada", hostName: String(repeating: "é", count: 64))
        #expect(long.text == "ada@" + String(repeating: "é", count: 29))
        #expect(DeviceName(account: String(repeating: "x", count: 62) + "  ", hostName: "y").text.count == 62)
    }

    @Test func caseAndCompositionAreIgnoredInComparison() throws {
        #expect(try DeviceName("ÉRIC").comparisonKey == DeviceName("e\u{301}ric").comparisonKey)
        #expect(try DeviceName("ada").comparisonKey != DeviceName("ida").comparisonKey)
    }
}
