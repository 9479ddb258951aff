import Foundation
import Portolan
import PortolanClient
import PortolanSettings
import PortolanTrust
import Testing

@testable import PortolanAgent

@Suite("An agent whose policy is refused at its start, and remarks about a policy", .serialized)
struct PolicyStartTests {
    private static let accepting = "version: 1\nrules:\n  - { from: anyone, action: accept }\n"

    @Test("The agent runs, says so, and ends sessions that offer; the sender tries again until the policy is mended.")
    func refusedPolicy() async throws {
        let tested = try await AgentUnderTest(policy: "version: 1\nrulez: []\n")
        let service = AgentOperations(agent: tested.agent)
        let before = try await service.status()
        #expect(!before.receiving)
        #expect(before.problems.contains { $0.contains("unknown key") }, "\(before.problems)")
        for try await entries in tested.agent.database.entries(after: nil) {
            if entries.contains(where: { $0.kind == .policyRefused }) { break }
        }

        let (reasons, retrying) = AsyncStream.makeStream(of: String.self)
        async let sent = tested.send("later") { event in
            if case .retrying(let reason, _) = event { retrying.yield(reason) }
        }
        for await _ in reasons { break }
        let inbox = try await service.inbox(AgentAPI.Query())
        #expect(inbox.items.isEmpty)

        let refused = try await tested.reload(policy: "version: 2\n")
        #expect(!refused.problems.isEmpty)
        let still = try await service.status()
        #expect(!still.receiving)
        let mended = try await tested.reload(policy: Self.accepting)
        #expect(mended.problems.isEmpty)
        let deliveries = try await sent
        let delivery = try #require(deliveries.first)
        guard case .stored = delivery.outcome else {
            Issue.record("\(delivery)")
            return
        }
        let after = try await service.status()
        #expect(after.receiving && after.problems.isEmpty, "\(after.problems)")

        // With a policy in force, a mistake changes nothing.
        let late = try await tested.reload(policy: "version: 2\n")
        #expect(!late.problems.isEmpty)
        let last = try await service.status()
        #expect(last.receiving)
        try await tested.stop()
    }

    private func remarks(_ rules: [String]) throws -> [String] {
        let folder = TemporaryFolder()
        let home = try HomeDirectory(override: folder.path + "/home", environment: [:])
        let text = "version: 1\nrules:\n" + rules.map { "  - { \($0) }\n" }.joined()
        return try PolicyFile.parse(text, userHome: "/home/ada").policy.remarks(in: home)
    }

    @Test("Rules for contacts and teams that are not known, and rules that are never reached, are named.")
    func rulesWithoutEffect() throws {
        let unknown = try remarks(["from: ben, action: accept", "from: \"@acme/ops\", action: ask"])
        #expect(
            unknown == [
                "Rule 1 (line 3) is for “ben”, and this device knows no such contact or team.",
                "Rule 2 (line 4) is for “@acme/ops”, and this device knows no such contact or team.",
            ])
        let never = "Rule 2 (line 4) is never reached: Rule 1 (line 3) decides before it."
        for (first, second) in [
            ("from: anyone, action: ask", "from: strangers, action: accept"),
            ("from: contacts, action: accept", "from: contacts, action: ask"),
            ("from: anyone, action: accept", "from: [contacts, strangers], action: accept"),
        ] {
            let found = try remarks([first, second])
            #expect(found == [never], "\(first)")
        }
        for (first, second) in [
            ("from: anyone, max-size: 1M, action: ask", "from: strangers, action: accept"),
            ("from: contacts, action: accept", "from: [contacts, strangers], action: ask"),
            // A doubtful name is not let in.
            ("from: anyone, action: accept", "from: strangers, action: decline"),
        ] {
            let found = try remarks([first, second])
            #expect(found.isEmpty, "\(first)")
        }
    }

    @Test(
        "Slips of the pen in YAML have true sentences.",
        arguments: [
            ("version: 1\nrules:\n\t- from: anyone\n", "a TAB stands here"),
            ("version: 1\nrules:\n  - from: `ben`\n", "a value that begins with ` stands in quotation marks"),
            ("version: 1\nrules:\n  - from: @acme\n", "a value that begins with @ stands in quotation marks"),
            ("version: 1\n---\nversion: 1\n", "a second document begins here"),
        ])
    func slips(text: String, sentence: String) throws {
        let mistakes = PolicyFile.mistakes(in: text, userHome: "/")
        #expect(mistakes.count == 1 && mistakes[0].description.contains(sentence), "\(mistakes)")
    }

    @Test("A byte order mark is no mistake, and sizes are exact.")
    func marksAndSizes() throws {
        let text = "\u{FEFF}version: 1\nrules:\n  - { from: anyone, max-size: 10737418241, action: accept }\n"
        #expect(PolicyFile.mistakes(in: text, userHome: "/").isEmpty)
        let rules = try PolicyFile.parse(text, userHome: "/").policy.rules
        #expect(rules[0].conditions.size == 0...10_737_418_241)
    }
}
