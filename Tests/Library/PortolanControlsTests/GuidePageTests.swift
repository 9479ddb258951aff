import Foundation
import Testing

@Suite struct GuidePageTests {
    @Test("the program in the page of the module is the one that is compiled here")
    func examplesOfTheGuideCompile() throws {
        let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let program = try String(contentsOf: here.appending(path: "GuideProgram.swift"), encoding: .utf8)
        let page = here.appending(
            path: "../../../Sources/Library/PortolanControls/PortolanControls.docc/PortolanControls.md")
        #expect(try String(contentsOf: page, encoding: .utf8).contains("```swift\n" + program + "```"))
    }
}
