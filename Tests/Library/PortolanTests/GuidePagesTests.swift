import Foundation
import Testing

@Suite struct GuidePagesTests {
    @Test(
        "the programs in the pages of the library are those that are compiled here",
        arguments: [
            ("FirstProgram.swift", "../../../Sources/Library/Portolan/Portolan.docc/FirstProgram.md"),
            ("GuideProgram.swift", "../../../Sources/Library/Portolan/Portolan.docc/Portolan.md"),
        ])
    func examplesOfTheGuideCompile(source: String, document: String) throws {
        let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let program = try String(contentsOf: here.appending(path: source), encoding: .utf8)
        let text = try String(contentsOf: here.appending(path: document), encoding: .utf8)
        #expect(text.contains("```swift\n" + program + "```"))
    }
}
