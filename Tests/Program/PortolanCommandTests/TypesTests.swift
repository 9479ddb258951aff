import Foundation
import Testing

@testable import PortolanCommand

/// `portolan types`, with its own declarations in its own data folder.
@Suite struct TypesTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    private func types(_ arguments: String...) async throws -> Tool.Outcome {
        try await tool.run(["types"] + arguments)
    }

    private func list(_ declarations: String, key: String = "UTExportedTypeDeclarations") -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict><key>\(key)</key><array>\(declarations)</array></dict></plist>
        """
    }

    private let note = """
        <dict><key>UTTypeIdentifier</key><string>com.example.note</string>
        <key>UTTypeConformsTo</key><string>public.json</string>
        <key>UTTypeTagSpecification</key><dict><key>public.filename-extension</key><string>exnote</string></dict></dict>
        """

    @Test func aTypeIsShownByIdentifierExtensionOrMIMEType() async throws {
        for word in ["public.png", "png", ".PNG", "image/png"] {
            let shown = try await types("show", word, "--json")
            #expect(shown.code == 0, "\(shown)")
            let type = try #require(shown.events("type").first)
            #expect(type["type"] as? String == "public.png")
            #expect((type["conformsTo"] as? [String])?.first == "public.image")
        }
        let human = try await types("show", "png")
        #expect(human.output.hasPrefix("public.png  "))
        let dynamic = try await types("show", "zzq", "--json")
        #expect(dynamic.events("type").first?["dynamic"] as? Bool == true)
        let medium = try await types("show", "image/x-zzq", "--json")
        #expect(medium.events("type").first?["mimeTypes"] as? [String] == ["image/x-zzq"])
        let unknown = try await types("show", "com.example.unheard", "--json")
        #expect(unknown.events("type").first?["declared"] as? Bool == false)
    }

    @Test func invalidTypeIsAUsageError() async throws {
        for word in ["", "public.nonsense", "com.example.\u{1B}[2J", String(repeating: "a.", count: 5000)] {
            let outcome = try await types("show", word)
            #expect(outcome.code == 64, "\(word.prefix(40)): \(outcome)")
        }
        #expect(try await types("show").code == 64)
        #expect(try await types("conforms", "png").code == 64)
        #expect(try await types("nonsense").code == 64)
    }

    @Test func conformanceIsAnsweredByTheStatus() async throws {
        #expect(try await types("conforms", "png", "public.image").code == 0)
        let no = try await types("conforms", "png", "public.text", "--json")
        #expect(no.code == 1)
        #expect(no.events("conforms").first?["conforms"] as? Bool == false)
    }

    @Test func pathShowsTheTypeUsedForSending() async throws {
        try tool.write("x", to: "a.md")
        try tool.write("x", to: "folder/b")
        let outcome = try await types("of", "a.md", "folder", "--json")
        #expect(
            outcome.events("type").map { $0["type"] as? String } == ["net.daringfireball.markdown", "public.folder"])
        #expect(try await types("of", "absent").code == 66)
    }

    @Test func theListHoldsKindsOfAType() async throws {
        let images = try await types("list", "--conforming-to", "public.image", "--json")
        let names = images.events("type").compactMap { $0["type"] as? String }
        #expect(names.contains("public.jpeg") && names.contains("public.image") && !names.contains("public.json"))
    }

    @Test func declarationsAreCheckedInstalledAndKnownAfterwards() async throws {
        try tool.write(list(note), to: "note.plist")
        #expect(try await types("check", "note.plist").code == 0)
        let installed = try await types("import", "note.plist", "--json")
        #expect(installed.code == 0, "\(installed)")
        let path = try #require(installed.events("imported").first?["path"] as? String)
        #expect(path.hasPrefix(tool.path("user")))
        let shown = try await types("show", "exnote", "--json")
        #expect(shown.events("type").first?["type"] as? String == "com.example.note")
        #expect(shown.events("type").first?["declaredIn"] as? String == path)
        #expect(try await types("conforms", "com.example.note", "json").code == 0)
        let again = try await types("import", "note.plist")
        #expect(again.code == 73, "\(again)")
        #expect(try await types("import", "note.plist", "--replace").code == 0)
        #expect(try await types("check").code == 0)
    }

    @Test func problemsNameFileAndKeyAndNothingIsInstalled() async throws {
        let circle = """
            <dict><key>UTTypeIdentifier</key><string>com.example.a</string>
            <key>UTTypeConformsTo</key><string>com.example.b</string></dict>
            <dict><key>UTTypeIdentifier</key><string>com.example.b</string>
            <key>UTTypeConformsTo</key><array><string>com.example.a</string><string>com.example.none</string></array></dict>
            """
        try tool.write(list(circle), to: "circle.plist")
        try tool.write("<plist><dict><key>UTExported", to: "cut.plist")
        for file in ["circle.plist", "cut.plist"] {
            let checked = try await types("check", file, "--json")
            #expect(checked.code == 65, "\(checked)")
            #expect(checked.events("problem").contains { ($0["file"] as? String)?.hasSuffix(file) == true })
            let imported = try await types("import", file)
            #expect(imported.code == 65, "\(imported)")
        }
        let problems = try await types("check", "circle.plist", "--json").events("problem")
        #expect(problems.contains { ($0["key"] as? String)?.hasPrefix("UTExportedTypeDeclarations[") == true })
        #expect(try await types("import", "absent.plist").code == 66)
        #expect(!FileManager.default.fileExists(atPath: tool.path("user/.local/share/uniform-type-identifiers")))
    }

    @Test func undeclaredTypeOwnedByASourceIsFound() async throws {
        try tool.write("let t = UTType(exportedAs: \"com.example.unseen\")\n", to: "Sources/a.swift")
        let checked = try await types("check", "Sources", "--json")
        let problem = try #require(checked.events("problem").first, "\(checked)")
        #expect(problem["type"] as? String == "com.example.unseen")
        #expect(problem["line"] as? Int == 1)
    }

    @Test("a type that shared-mime-info alone knows can be named wherever one is")
    func typeOfSharedMIMEInfoIsNamed() async throws {
        try tool.write("50:message/x-zletter:*.zletter\n", to: "user/.local/share/mime/globs2")
        try tool.write("Dear all", to: "a.zletter")
        #expect(try await types("list", "--conforming-to", "zletter").code == 0)
        for type in ["zletter", "message/x-zletter"] {
            let (receiver, address) = try await tool.receive(["--yes", "--once", "--accept", type])
            let sent = try await tool.run(["send", "a.zletter", "--to", address])
            #expect(sent.code == 0, "\(sent)")
            #expect(try await receiver.finish().code == 0)
        }
        #expect(try tool.read("inbox/a.zletter") == "Dear all")
    }

    @Test("a list may declare a type and a converter to it")
    func typeAndItsConverter() async throws {
        let both = list(note).replacingOccurrences(
            of: "</dict></plist>",
            with: """
                <key>PortolanConverters</key><array><dict>
                <key>PortolanConverterFrom</key><string>public.plain-text</string>
                <key>PortolanConverterTo</key><string>com.example.note</string>
                <key>PortolanConverterCommand</key><array><string>cat</string><string>{input}</string></array>
                </dict></array></dict></plist>
                """)
        try tool.write(both, to: "both.plist")
        let checked = try await types("check", "both.plist")
        #expect(checked.code == 0 && (checked.output + checked.errors).contains("Nothing is wrong."), "\(checked)")
        #expect(try await types("import", "both.plist").code == 0)
        try tool.write("words", to: "a.txt")
        let forms = try await tool.run(["offer", "a.txt", "--json"]).events("representation")
        #expect(forms.contains { $0["type"] as? String == "com.example.note" })
    }

    @Test("a dot before an extension, keys that mean nothing, and a converter that cannot run are warned of")
    func whatIsSilentlyWithoutEffect() async throws {
        let dotted = note.replacingOccurrences(of: "<string>exnote", with: "<string>.exnote").replacingOccurrences(
            of: "<dict><key>UTTypeIdentifier",
            with: "<dict><key>UTTypeDescripton</key><string>A</string><key>UTTypeIdentifier")
        let whole = list(dotted).replacingOccurrences(
            of: "</dict></plist>",
            with: """
                <key>UTImportedTypeDeclaration</key><array/><key>PortolanConverters</key><array><dict>
                <key>PortolanConverterFrom</key><string>public.plain-text</string>
                <key>PortolanConverterTo</key><string>public.html</string>
                <key>PortolanConverterCommand</key><array><string>no-such-tool</string></array>
                </dict></array></dict></plist>
                """)
        try tool.write(whole, to: "whole.plist")
        let checked = try await types("check", "whole.plist", "--json")
        #expect(checked.code == 0, "\(checked)")
        let warned = checked.events("problem").compactMap { $0["message"] as? String }
        let keys = checked.events("problem").compactMap { $0["key"] as? String }
        #expect(keys.contains { $0.hasSuffix("UTTypeDescripton") } && keys.contains("UTImportedTypeDeclaration"))
        for part in ["“.exnote”", "{input}", "not installed"] {
            #expect(warned.contains { $0.contains(part) }, "\(part)")
        }
    }

    @Test func aMalformedConverterIsNamed() async throws {
        let broken = "<dict><key>PortolanConverterFrom</key><string>public.svg-image</string></dict>"
        try tool.write(list(broken, key: "PortolanConverters"), to: "broken.plist")
        let checked = try await types("check", "broken.plist", "--json")
        #expect(checked.code == 65, "\(checked)")
        #expect(
            checked.events("problem").contains { ($0["key"] as? String)?.hasPrefix("PortolanConverters[0]") == true })
        #expect(try await types("import", "broken.plist").code == 65)
    }
}
