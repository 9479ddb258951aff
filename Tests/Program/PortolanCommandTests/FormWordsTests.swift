import Foundation
import Testing

@testable import PortolanCommand

/// Types of items in a person's words, by the built program.
@Suite struct FormWordsTests {
    @Test func missingFormIsReportedWithTheAvailableOnes() async throws {
        let tool = try Tool()
        try tool.write("<p>x", to: "page.html")
        let (receiver, address) = try await tool.receive(["--yes", "--share", "page.html"])
        let fetched = try await tool.run(["get", "\(address):page", "--as", "png", "--into", "got"])
        #expect(fetched.code == 81, "\(fetched)")
        #expect(fetched.errors.contains("(--as html)"), "\(fetched)")
        #expect(!fetched.errors.contains("public."), "\(fetched)")
        _ = try await receiver.stop()
    }
}
