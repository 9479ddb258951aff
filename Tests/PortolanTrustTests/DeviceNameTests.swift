import PortolanTrust
import Testing

@Suite struct DeviceNameTests {
    @Test("names people use are taken", arguments: ["a", "Ada’s laptop", "東京", "build-01", "a/b", "..", "❤️"])
    func accepts(name: String) throws {
        #expect(try DeviceName(name).text == name)
    }

    @Test func theComposedFormIsKept() throws {
        let decomposed = try DeviceName("Zoe\u{308}")
        #expect(Array(decomposed.text.utf8) == Array("Zo\u{EB}".utf8))
    }

    @Test(
        "hostile names are refused",
        arguments: [
            "", "a\nb", "a\u{1B}[0m", "a\u{0}", "a\u{202E}b", "a\u{200B}", "\u{9B}", " a", "a ", "\u{A0}a", "a\u{3000}",
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

    @Test func theHostNameGivesTheFirstLabel() {
        #expect(DeviceName(hostName: "ada.example.org").text == "ada")
        #expect(DeviceName(hostName: "ada").text == "ada")
        #expect(DeviceName(hostName: "").text == "portolan")
        #expect(DeviceName(hostName: "\u{1B}").text == "portolan")
        #expect(DeviceName(hostName: String(repeating: "x", count: 64)).text == "portolan")
    }

    @Test func caseAndCompositionDoNotTellNamesApart() throws {
        #expect(try DeviceName("ÉRIC").comparisonKey == DeviceName("e\u{301}ric").comparisonKey)
        #expect(try DeviceName("ada").comparisonKey != DeviceName("ida").comparisonKey)
    }
}
