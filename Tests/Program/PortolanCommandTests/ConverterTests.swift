import Foundation
import Testing

@testable import PortolanCommand

/// Forms made by a declared command, from the offer to the other side's inbox.
@Suite(.serialized) struct ConverterTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    /// Declares a converter from plain text to HTML for the tool's user.
    private func declare(_ command: String...) throws {
        let arguments = command.map { "<string>\($0)</string>" }.joined()
        try tool.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>PortolanConverters</key><array><dict>
            <key>PortolanConverterFrom</key><string>public.plain-text</string>
            <key>PortolanConverterTo</key><string>public.html</string>
            <key>PortolanConverterCommand</key><array>\(arguments)</array>
            <key>PortolanConverterTimeLimit</key><integer>20</integer>
            </dict></array></dict></plist>
            """, to: "user/.local/share/uniform-type-identifiers/html.plist")
    }

    @Test func convertedFormIsOfferedLastAndMarkedAsConverted() async throws {
        try declare("/bin/cp", "{input}", "{output}")
        try tool.write("words", to: "a.txt")
        let offered = try await tool.run(["offer", "a.txt", "--json"])
        let forms = offered.events("representation")
        #expect(forms.first?["type"] as? String == "public.plain-text")
        let html = try #require(forms.first { $0["type"] as? String == "public.html" }, "\(offered)")
        #expect(html["converter"] as? String == "cp")
        #expect(html["name"] as? String == "a.html")
        #expect(html["bytes"] is NSNull)
        let without = try await tool.run(["offer", "a.txt", "--json", "--no-converters"])
        #expect(without.events("representation").count == 1)
        let hidden = try await tool.run(["offer", "--as", "txt@team=a.txt", "--json"])
        #expect(hidden.events("representation").allSatisfy { $0["visibility"] as? String == "team" })
    }

    @Test func convertedFormIsMadeOnDemandAndArrives() async throws {
        try declare("/bin/cp", "{input}", "{output}")
        try tool.write("words", to: "a.txt")
        let (receiver, address) = try await tool.receive(["--yes", "--once", "--accept", "html"])
        let sent = try await tool.run(["send", "a.txt", "--to", address, "--json"])
        #expect(sent.code == 0, "\(sent)")
        #expect(try await receiver.finish().code == 0)
        #expect(try tool.read("inbox/a.html") == "words")
        let kept = try tool.names(in: "home/cache/converted")
        #expect(kept.count == 1, "what was made is kept, and nothing else: \(kept)")
    }

    @Test("content that the converter cannot hold in memory is offered without its form")
    func largeContentIsNotConverted() async throws {
        try declare("/bin/cp", "{input}", "{output}")
        try tool.write("words", to: "huge.txt")
        try #require(truncate(tool.path("huge.txt"), 4 << 30) == 0)
        let offered = try await tool.run(["offer", "huge.txt", "--json"])
        #expect(offered.events("representation").map { $0["type"] as? String } == ["public.plain-text"], "\(offered)")
    }

    @Test("a form of unchanged content is not stored twice, and has the permissions of its source")
    func convertedFormIsRecognised() async throws {
        try declare("/bin/cp", "{input}", "{output}")
        try tool.write("words", to: "a.txt")
        try #require(chmod(tool.path("a.txt"), 0o755) == 0)
        let (receiver, address) = try await tool.receive(["--yes", "--accept", "html"])
        func send(_ expected: String...) async throws {
            let sent = try await tool.run(["send", "a.txt", "--to", address])
            #expect(sent.code == 0, "\(sent)")
            #expect(try tool.names(in: "inbox").filter { !$0.hasPrefix(".") } == expected)
        }
        try await send("a.html")
        var status = stat()
        try #require(stat(tool.path("inbox/a.html"), &status) == 0)
        #expect(status.st_mode & 0o777 == 0o644)
        try await send("a.html")
        try tool.write("other words", to: "a.txt")
        try await send("a (2).html", "a.html")
        #expect(try tool.read("inbox/a (2).html") == "other words")
        _ = try await receiver.stop()
    }

    @Test("a form of which a part has arrived goes on where it was cut")
    func convertedFormIsResumed() async throws {
        try declare("/bin/cp", "{input}", "{output}")
        let (receiver, address) = try await tool.receive(["--yes", "--accept", "html"])
        try tool.makeLarge("large.txt")
        let first = try tool.start(["send", "large.txt", "--to", address, "--json", "--limit-rate", "1M"])
        _ = try await tool.waitFor("2 MiB") {
            first.output.matches(of: /"transferred":([0-9]+)/).last.flatMap { UInt64($0.1) ?? 0 > 2 << 20 ? true : nil }
        }
        first.kill()
        _ = try await first.finish()
        let second = try await tool.run(["resume", "--json"])
        #expect(second.code == 0, "\(second)")
        #expect(second.events("resumed").first?["kept"] as? Int ?? 0 > 0, "\(second)")
        #expect(try tool.names(in: "inbox").filter { !$0.hasPrefix(".") } == ["large.html"])
        _ = try await receiver.stop()
    }

    @Test("a converter is cut off from the network as well where the program itself cannot be looked into")
    func namespacesWorkInAProcessThatIsNotDumpable() async throws {
        try declare("/bin/readlink", "/proc/self/ns/net")
        let launcher = tool.launcherWithoutPrivileges()
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/net")
        var isCutOff: [Bool] = []
        for (text, environment) in [("plain", [:]), ("debuggable", ["PORTOLAN_DEBUGGABLE": "1"])] {
            let (receiver, address) = try await tool.receive(["--yes", "--once", "--accept", "html"])
            let sent = try await tool.run(
                ["send", "--text", text, "--to", address], home: "sender", environment: environment, launcher: launcher)
            try #require(sent.code == 0, "\(sent)")
            #expect(try await receiver.finish().code == 0)
            let made = try tool.read("inbox/" + (try #require(try tool.names(in: "inbox").first)))
            isCutOff.append(made.trimmingCharacters(in: .newlines) != own)
            try FileManager.default.removeItem(atPath: tool.path("inbox"))
        }
        #expect(isCutOff[0] == isCutOff[1])
        let isPossible = try await getsNamespaces(launcher)
        #expect(isCutOff[0] || !isPossible)
    }

    /// Checks with unshare(1) whether a program started by this launcher gets its own namespaces.
    private func getsNamespaces(_ launcher: [String]) async throws -> Bool {
        // A copy, because AppArmor may have a profile for the path of the original that grants more than others have.
        let unshare = tool.path("unshare")
        try FileManager.default.copyItem(atPath: "/usr/bin/unshare", toPath: unshare)
        let spaces = ["--user", "--map-root-user", "--net", "--ipc", "--pid", "--fork"]
        let hasStarted = try await tool.run(["--version"], launcher: launcher + [unshare] + spaces).code == 0
        if !hasStarted { print("skipped: programs get no namespaces here, so converters are not cut off by them") }
        return hasStarted
    }

    @Test func dataInMemoryIsConverted() async throws {
        try declare("/usr/bin/tr", "a-z", "A-Z")
        let (receiver, address) = try await tool.receive(["--yes", "--once", "--accept", "html"])
        #expect(try await tool.run(["send", "--text", "words", "--to", address]).code == 0)
        #expect(try await receiver.finish().code == 0)
        #expect(try tool.read("inbox/words.html") == "WORDS")
    }

    @Test func failedConverterIsReportedBySenderByName() async throws {
        try declare("/bin/false", "{input}", "{output}")
        let (receiver, address) = try await tool.receive(["--yes", "--accept", "html"])
        let sent = try await tool.run(["send", "--text", "words", "--to", address, "--json"])
        #expect(sent.code == 65, "\(sent)")
        #expect(sent.errors.contains("a converter of this machine failed"))
        let broke = try #require(sent.events("fell-back").first)
        #expect((broke["message"] as? String)?.contains("false") == true)
        let ended = try await receiver.stop()
        #expect(!(ended.output + ended.errors).contains("/bin"), "the receiver was told of our programs")
        #expect(!(ended.output + ended.errors).contains("could not make"))
        #expect(try tool.names(in: "inbox").isEmpty)
        #expect(try tool.names(in: "home/cache/converted").isEmpty)
    }

    @Test func convertedFormsAreNotConvertedAgain() async throws {
        try declare("/bin/cp", "{input}", "{output}")
        let second = try tool.read("user/.local/share/uniform-type-identifiers/html.plist")
            .replacingOccurrences(of: "public.html", with: "com.adobe.pdf")
            .replacingOccurrences(of: "public.plain-text", with: "public.html")
        try tool.write(second, to: "user/.local/share/uniform-type-identifiers/pdf.plist")
        let offered = try await tool.run(["offer", "--text", "words", "--json"])
        #expect(offered.code == 0, "\(offered)")
        let types = offered.events("representation").map { $0["type"] as? String }
        #expect(types.contains("public.html") && !types.contains("com.adobe.pdf"), "\(offered)")
    }

    @Test func theConfigurationCanTurnThemOff() async throws {
        try declare("/bin/cp", "{input}", "{output}")
        try tool.write("converters: false\n", to: "home/config/portolan.yaml")
        let offered = try await tool.run(["offer", "--text", "words", "--json"])
        #expect(offered.events("representation").count == 1, "\(offered)")
    }
}
