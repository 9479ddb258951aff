import Foundation
import Testing

@Suite struct ReadmeTests {
    @Test("the program in the README is the one that is compiled here")
    func showsWhatCompiles() throws {
        let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let program = try String(contentsOf: here.appending(path: "ReadmeProgram.swift"), encoding: .utf8)
        let readme = try String(contentsOf: here.appending(path: "../../README.md"), encoding: .utf8)
        #expect(readme.contains("```swift\n" + program + "```"))
    }
}
