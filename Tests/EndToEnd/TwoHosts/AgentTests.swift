import Foundation
import TestSupport
import Testing

extension OnTwoHosts {
    /// Agents that deliver queued items to hosts that are off at first.
    @Suite("Agents") struct Agents {
        @Test func twentyQueuedFilesArriveOnceDespiteKilledAgents() async throws {
            try await HostLink.with(.none, names: ["ada", "ben"]) { hosts, _ in
                let (ada, ben) = (hosts[0], hosts[1])
                try await ada.pair(with: ben)
                var agent = try await ada.startAgent()
                for number in 1...20 {
                    try Files.write(noise(100 * number, seed: UInt64(number)), to: ada.files + "/\(number).bin")
                    _ = try await ada.queue([ada.files + "/\(number).bin"], to: ben.name)
                }
                agent.kill()
                _ = try await agent.finish()
                agent = try await ada.startAgent()
                try await ben.takeFromContacts()
                let other = try await ben.startAgent()
                try await ada.waitForOutbox { parcels in parcels.allSatisfy { $0["state"] as? String == "delivered" } }
                #expect(try await ben.journal("inbox.received").count == 20)
                let inbox = ben.home + "/Portolan"
                #expect(try Files.names(in: inbox).filter { !$0.hasPrefix(".") }.count == 20)
                for number in 1...20 {
                    #expect(try Files.read(inbox + "/\(number).bin") == noise(100 * number, seed: UInt64(number)))
                }
                for running in [agent, other] { expect(try await running.stop(), endsWith: ExitCode.done) }
            }
        }

        @Test func queuedTeamParcelReachesEachMemberWhenItAppears() async throws {
            try await HostLink.with(.none, names: ["ada", "ben", "cleo"]) { hosts, _ in
                let (ada, ben, cleo) = (hosts[0], hosts[1], hosts[2])
                try await ada.team("create", "acme")
                try await ada.invite([ben, cleo])
                var agent = try await ada.startAgent()
                _ = try await ben.receive(into: ben.files + "/inbox", ["--from", "@acme"])
                try Files.write(noise(5000, seed: 1), to: ada.files + "/plan.pdf")
                let id = try await ada.queue([ada.files + "/plan.pdf"], to: "@acme")
                try await ada.waitForOutbox { parcels in
                    parcels.allSatisfy { ($0["reason"] as? String)?.hasPrefix("1 of 2 members are done.") == true }
                }
                #expect(try Files.read(ben.files + "/inbox/plan.pdf") == noise(5000, seed: 1))
                // The next agent knows that ben has the item.
                expect(try await agent.stop(), endsWith: ExitCode.done)
                agent = try await ada.startAgent()
                _ = try await cleo.receive(into: cleo.files + "/inbox", ["--from", "@acme"])
                try await ada.waitForOutbox { parcels in parcels.allSatisfy { $0["state"] as? String == "delivered" } }
                #expect(try Files.read(cleo.files + "/inbox/plan.pdf") == noise(5000, seed: 1))
                let shown = try await ada.run(ada.portolan(["outbox", "show", id]))
                for name in ["ben", "cleo"] { #expect(shown.text.contains("“\(name)”, plan.pdf: stored"), "\(shown)") }
                #expect(try Files.names(in: ben.files + "/inbox").filter { !$0.hasPrefix(".") } == ["plan.pdf"])
                expect(try await agent.stop(), endsWith: ExitCode.done)
                // A team that this device is not in is refused at once.
                let refused = try await ada.run(ada.portolan(["send", "--text", "x", "--to", "@other", "--queue"]))
                expect(refused, endsWith: ExitCode.unreachable)
            }
        }
    }
}

extension TestHost {
    /// Starts `portolan agent run`, and waits until its local API can be used.
    fileprivate func startAgent() async throws -> RunningCommand {
        let agent = try await start(portolan(["agent", "run", "--json"]))
        try await agent.waitToSay("\"socket\"")
        return agent
    }

    /// Writes a policy that accepts what contacts send.
    fileprivate func takeFromContacts() async throws {
        let folder = home + "/.config/portolan"
        try Files.makeFolder(folder)
        let policy = "version: 1\nrules:\n  - from: contacts\n    action: accept\n"
        try Files.write(policy, to: folder + "/policy.yaml")
    }

    /// Queues items, and returns the identifier of their parcel.
    fileprivate func queue(_ items: [String], to target: String) async throws -> String {
        let queued = try await run(portolan(["send"] + items + ["--to", target, "--queue", "--json"]))
        expect(queued, endsWith: ExitCode.done)
        return try #require(jsonObjects(queued.text).first?["id"] as? String, "\(queued)")
    }

    /// Waits until `isWanted` is true of the outbox.
    fileprivate func waitForOutbox(_ isWanted: ([[String: Any]]) -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(240)
        var parcels: [[String: Any]] = []
        repeat {
            parcels = jsonObjects(try await run(portolan(["outbox", "--json"])).text)
            if isWanted(parcels) { return }
            try await Task.sleep(for: .milliseconds(100))
        } while ContinuousClock.now < deadline
        Issue.record("the outbox did not get so far: \(parcels)")
    }

    /// Entries of the agent's journal of one kind.
    fileprivate func journal(_ kind: String) async throws -> [[String: Any]] {
        jsonObjects(try await run(portolan(["events", "--json"])).text).filter { $0["kind"] as? String == kind }
    }
}
