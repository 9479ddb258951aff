import Foundation
import Testing

@testable import PortolanCommand

/// Version of the program, at its definition and wherever people read it.
@Suite struct ProgramVersionTests {
    @Test func versionHasTheCommitOnlyInAPackage() {
        let number = ProgramVersion.number
        #expect(
            ProgramVersion.text(commit: "0123456789ab", date: "2026-11-26")
                == "\(number) (commit 0123456789ab, 2026-11-26)")
        #expect(ProgramVersion.text(commit: "0123456789ab", date: "") == "\(number) (commit 0123456789ab)")
        #expect(ProgramVersion.text(commit: "", date: "") == "\(number) (built from source)")
    }

    @Test func programShowsTheVersion() async throws {
        let tool = try Tool()
        let outcome = try await tool.run(["--version"])
        #expect(outcome.code == 0)
        #expect(outcome.output == ProgramVersion.full + "\n")
        #expect(outcome.errors.isEmpty)
    }

    @Test func releaseNotesBeginWithTheVersion() throws {
        let project = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let notes = try String(contentsOf: project.appending(path: ".github/CHANGELOG.md"), encoding: .utf8)
        let heading = notes.split(separator: "\n").first { $0.hasPrefix("## ") }
        #expect(heading?.hasPrefix("## \(ProgramVersion.number) ") == true, "\(heading ?? "no heading")")
    }
}
