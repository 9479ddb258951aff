import Foundation
import Testing

@Suite struct ReadmeTests {
    @Test(
        "the programs in the README and in the guide to the library are those that are compiled here",
        arguments: [
            ("ReadmeProgram.swift", "../../README.md"),
            ("GuideProgram.swift", "../../Sources/Portolan/Portolan.docc/Portolan.md"),
        ])
    func showsWhatCompiles(source: String, document: String) throws {
        let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let program = try String(contentsOf: here.appending(path: source), encoding: .utf8)
        let text = try String(contentsOf: here.appending(path: document), encoding: .utf8)
        #expect(text.contains("```swift\n" + program + "```"))
    }
}
