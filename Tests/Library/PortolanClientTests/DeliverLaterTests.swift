import Foundation
import PortolanClient
import Testing

@Suite("The page about delivering later") struct DeliverLaterTests {
    @Test("is the program that is compiled here") func isCompiled() throws {
        let here = URL(filePath: #filePath).deletingLastPathComponent()
        let program = try String(contentsOf: here.appending(path: "DeliverLater.swift"), encoding: .utf8)
        let page = try String(
            contentsOf: here.appending(
                path: "../../../Sources/Library/PortolanClient/PortolanClient.docc/DeliverLater.md"),
            encoding: .utf8)
        #expect(page.contains("```swift\n" + program + "```"))
    }

    @Test("says so where no agent runs") func withoutAnAgent() async {
        let socket = "/tmp/portolan-\(UUID())/api.sock"
        await #expect(throws: AgentClientError.notRunning(path: socket)) {
            try await deliver("/etc/hostname", to: "laptop", socket: socket)
        }
    }
}
