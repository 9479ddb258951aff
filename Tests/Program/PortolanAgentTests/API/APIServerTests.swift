import Foundation
import PortolanAgent
import PortolanClient
import Testing

@Suite("The local API between client and server")
struct APIServerTests {
    @Test("Each operation of the client reaches the agent with its arguments")
    func operations() async throws {
        let agent = FakeAgent()
        try await withServer(agent) { _, client, _ in
            let id = FakeAgent.parcel.id
            let page = try await client.outbox(AgentAPI.Query(states: ["waiting", "failed"], after: id, limit: 5))
            #expect(page == AgentAPI.ParcelPage(parcels: [FakeAgent.parcel], next: id))
            #expect(try await client.parcel(id) == FakeAgent.parcel)
            #expect(try await client.queue(AgentAPI.NewParcel(target: "laptop", paths: ["/a b/ü"])) == FakeAgent.parcel)
            #expect(try await client.retry(id) == FakeAgent.parcel)
            #expect(try await client.inbox(AgentAPI.Query(states: ["waiting"])).items == [FakeAgent.item])
            #expect(try await client.item(FakeAgent.item.id) == FakeAgent.item)
            #expect(try await client.accept(AgentAPI.ID(7), into: "/in") == FakeAgent.item)
            #expect(try await client.accept(AgentAPI.ID(7)) == FakeAgent.item)
            #expect(try await client.decline(AgentAPI.ID(7), detail: "No.") == FakeAgent.item)
            try await client.forget(AgentAPI.ID(7))
            #expect(try await client.checkPolicy("version: 1").problems == [])
            #expect(try await client.testPolicy(.object(["items": .array([])])).verdicts.count == 1)
            #expect(try await client.explain(AgentAPI.ID(7)).verdicts == [])
            #expect(
                try await client.share(AgentAPI.NewSharedItem(path: "/plan.html", audience: "@acme"))
                    == FakeAgent.shared)
            try await client.unshare(AgentAPI.ID(9))
            #expect(try await client.sync() == AgentAPI.SyncFolders(folders: [FakeAgent.folder]))
            #expect(try await client.refreshSync().problem == "The list is damaged.")
            #expect(try await client.checkSync("0123456789abcdef") == FakeAgent.check)
            #expect(try await client.checkSync("0123456789abcdef", .init(repair: true)) == FakeAgent.check)
            await #expect(throws: AgentAPI.Problem.self) { try await client.checkSync("refresh") }
            #expect(try await client.forgetSync("a/b", in: "0123456789abcdef").folders == [FakeAgent.folder])
            await #expect(throws: AgentAPI.Problem.self) { try await client.forgetSync("a", in: "refresh") }
            try await client.stop()
            #expect(try await client.shelf() == [FakeAgent.shared])
            #expect(try await client.peers().map(\.name) == ["laptop"])
            #expect(try await client.sight().remarks == ["The network is flooded."])
            #expect(try await client.policy().path == "/policy.yaml")
            #expect(try await client.reload().problems == ["line 3: unknown key."])
            #expect(try await client.status().receiving)
        }
        let number = String(repeating: "0", count: 31)
        #expect(
            await agent.calls == [
                "outbox [\"waiting\", \"failed\"] \(FakeAgent.parcel.id) 5", "parcel \(FakeAgent.parcel.id)",
                "queue laptop [\"/a b/ü\"] 0", "retry \(FakeAgent.parcel.id)", "inbox [\"waiting\"]", "item \(number)7",
                "accept \(number)7 /in", "accept \(number)7 -", "decline \(number)7 No.", "forget \(number)7",
                "check version: 1", "test [\"items\"]", "explain \(number)7", "share /plan.html @acme",
                "unshare \(number)9", "refresh", "check 0123456789abcdef false false",
                "check 0123456789abcdef true false", "forget 0123456789abcdef a/b", "stop",
            ])
    }

    @Test("A problem that the agent throws arrives as it is")
    func problems() async throws {
        try await withServer { _, client, _ in
            await #expect(throws: AgentAPI.Problem.conflict("The parcel is delivered.")) {
                try await client.cancel(FakeAgent.parcel.id)
            }
            let id = AgentAPI.ID(1)
            await #expect(throws: AgentAPI.Problem.notFound("There is no parcel \(id).")) {
                try await client.parcel(id)
            }
        }
    }

    @Test("The text of another error stays in the agent")
    func internalError() async throws {
        struct Secret: Error {}
        try await withServer(FakeAgent(fault: Secret())) { _, client, _ in
            let problem = try await #require(throws: AgentAPI.Problem.self) { try await client.outbox() }
            #expect(problem.status == 500)
            #expect(!problem.detail.contains("Secret"))
        }
    }

    @Test("A body just as large as is permitted arrives")
    func largeBody() async throws {
        let agent = FakeAgent()
        try await withServer(agent) { _, client, _ in
            let rest = try APICoding.encode(AgentAPI.NewParcel(target: "a", text: "")).count
            let most = AgentAPI.bodyLimit - rest
            _ = try await client.queue(AgentAPI.NewParcel(target: "a", text: String(repeating: "x", count: most)))
            #expect(await agent.calls == ["queue a [] \(most)"])
            await #expect(throws: AgentClientError.tooLarge(bytes: AgentAPI.bodyLimit + 1)) {
                try await client.queue(AgentAPI.NewParcel(target: "a", text: String(repeating: "x", count: most + 1)))
            }
        }
    }

    @Test("A thousand clients at once are all answered, with the status or with 503")
    func thousandClients() async throws {
        try await withServer { server, client, _ in
            let answers = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<1000 {
                    group.addTask {
                        do {
                            return try await client.status().receiving
                        } catch let problem as AgentAPI.Problem {
                            return problem.status == 503
                        } catch {
                            // The refusal can be lost where the connection is closed before it is read.
                            return error as? AgentClientError == .closed
                                || "\(error)".contains("Resource temporarily unavailable")
                        }
                    }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(answers == 1000)
            try await until { server.connectionCount == 0 }
            #expect(try await client.status().receiving)
        }
    }
}
