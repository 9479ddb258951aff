import Foundation
import TestSupport
import Testing

extension OnTwoHosts {
    /// Members learn of a removal without the admin who made it.
    @Suite("Removals") struct Removals {
        /// `ada` made the team; `ben`, `cleo` and `dora` are members, and `cleo` is an admin, too.
        private func withTeam(
            _ discovery: HostLink.Discovery,
            _ body: (_ ada: TestHost, _ ben: TestHost, _ cleo: TestHost, _ dora: TestHost) async throws -> Void
        ) async throws {
            try await HostLink.with(discovery, names: ["ada", "ben", "cleo", "dora"]) { hosts, _ in
                // A busy machine needs time to find the hosts that are present.
                for host in hosts { try await host.configure("timeouts: { find: 60, offer: 100 }\n") }
                try await hosts[0].team("create", "acme")
                try await hosts[0].invite(Array(hosts[1...]))
                try await hosts[0].team("promote", "cleo")
                // Each host knows all members.
                for host in hosts[1...] {
                    let receiver = try await host.receive(into: host.files + "/inbox", ["--yes"])
                    try await eventually("\(host.name) knows of all") {
                        try await hosts[0].team("renew")
                        return try await host.shownTeam().members.count == hosts.count
                    }
                    try await receiver.stop()
                }
                try await body(hosts[0], hosts[1], hosts[2], hosts[3])
            }
        }

        @Test(arguments: HostLink.discoveries)
        func absentHiddenMemberGetsTheRosterFromAnotherMember(_ discovery: HostLink.Discovery) async throws {
            try await withTeam(discovery) { ada, _, cleo, dora in
                let hidden = ["--from", "@acme", "--discoverable", "team"]
                _ = try await dora.receive(into: dora.files + "/inbox", hidden)
                try await ada.team("remove", "ben")
                #expect(try await dora.shownTeam().members == ["ada", "cleo", "dora"])
                // cleo was off, and would find nobody.
                #expect(try await cleo.shownTeam().members.contains("ben"))
                _ = try await cleo.receive(into: cleo.files + "/inbox", hidden)
                try await eventually("cleo is told") {
                    try await cleo.shownTeam().members == ["ada", "cleo", "dora"]
                }
                try await eventually("cleo finds dora") {
                    try await cleo.send(["--text", "hello"], to: "dora").code == ExitCode.done
                }
            }
        }

        @Test(arguments: ["team", "everyone"])
        func absentRemovedDeviceIsNotifiedByAnyMember(_ discoverable: String) async throws {
            try await withTeam(.none) { ada, ben, _, dora in
                _ = try await dora.receive(into: dora.files + "/inbox", ["--discoverable", "team"])
                try await ada.team("remove", "ben")
                #expect(try await !ben.isRemoved(from: "acme"))
                _ = try await ben.receive(into: ben.files + "/inbox", ["--yes", "--discoverable", discoverable])
                try await eventually("ben is told") { try await ben.isRemoved(from: "acme") }
            }
        }

        @Test func presentRemovedDeviceIsNotifiedAtOnce() async throws {
            try await withTeam(.none) { ada, ben, _, _ in
                _ = try await ben.receive(into: ben.files + "/inbox", ["--yes", "--discoverable", "team"])
                let removing = try await ada.team("remove", "ben")
                let change = try #require(events("team-changed", in: removing.text).first, "\(removing)")
                #expect(change["removedTold"] as? [String] == ["ben"])
                #expect(try await ben.isRemoved(from: "acme"))
            }
        }

        @Test(arguments: HostLink.discoveries)
        func theFounderTakesTheTeamBackAndHiddenMembersFollow(_ discovery: HostLink.Discovery) async throws {
            try await withTeam(discovery) { ada, ben, cleo, dora in
                let hidden = ["--from", "@acme", "--discoverable", "team"]
                expect(try await ada.run(ada.portolan(["team", "reclaim"])), endsWith: ExitCode.notTrusted)
                _ = try await dora.receive(into: dora.files + "/inbox", hidden)
                try await cleo.team("remove", "ada")
                #expect(try await dora.shownTeam().members == ["ben", "cleo", "dora"])
                expect(try await ben.run(ben.portolan(["team", "reclaim"])), endsWith: ExitCode.notTrusted)

                let first = try await ada.receive(into: ada.files + "/inbox", ["--discoverable", "team"])
                try await eventually("ada is told") { try await ada.isRemoved(from: "acme") }
                try await first.stop()
                let reclaiming = try await ada.team("reclaim", "--remove", "cleo")
                let change = try #require(events("team-changed", in: reclaiming.text).first, "\(reclaiming)")
                #expect(change["change"] as? String == "reclaim")
                #expect(try await ada.shownTeam().members == ["ada", "ben", "dora"])

                // She does not recognise dora, who has another secret; dora recognises her.
                _ = try await ada.receive(into: ada.files + "/inbox", ["--discoverable", "team"])
                try await eventually("dora follows ada") {
                    let team = try await dora.shownTeam()
                    return team.members == ["ada", "ben", "dora"] && team.admins == ["ada"]
                }
                try await eventually("ada finds dora") {
                    try await ada.send(["--text", "hello"], to: "dora").code == ExitCode.done
                }
                // cleo, who removed her, is told, too.
                _ = try await cleo.receive(into: cleo.files + "/inbox", ["--yes"])
                try await eventually("cleo is told") { try await cleo.isRemoved(from: "acme") }
            }
        }
    }
}

extension TestHost {
    /// True if this host has heard that it was removed from a team.
    fileprivate func isRemoved(from team: String) async throws -> Bool {
        let showing = try await self.team("show", team)
        return try #require(events("team", in: showing.text).first)["removed"] as? Bool ?? false
    }
}
