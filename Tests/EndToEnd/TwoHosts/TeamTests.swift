import Foundation
import TestSupport
import Testing

extension OnTwoHosts {
    /// Three members, ben in a group, and a stranger on the same link.
    @Suite("Teams") struct Teams {
        /// `ada` made the team `acme`; `ben` is in it and in `design`, `cleo` in it; `dora` has a team of her own.
        private func withTeam(
            _ discovery: HostLink.Discovery = .none,
            _ body: (_ ada: TestHost, _ ben: TestHost, _ cleo: TestHost, _ dora: TestHost) async throws -> Void
        ) async throws {
            try await HostLink.with(discovery, names: ["ada", "ben", "cleo", "dora"]) { hosts, _ in
                try await hosts[0].team("create", "acme")
                try await hosts[0].invite([hosts[1]], to: ["design"])
                try await hosts[0].invite([hosts[2]])
                try await hosts[3].team("create", "acme")
                try await body(hosts[0], hosts[1], hosts[2], hosts[3])
            }
        }

        @Test(arguments: HostLink.discoveries)
        func teamIsCreatedAndJoinedByOneCommandEach(_ discovery: HostLink.Discovery) async throws {
            try await withTeam(discovery) { ada, _, cleo, dora in
                for host in [ada, cleo] {
                    let team = try await host.shownTeam()
                    #expect(team.groups == ["ada": [], "ben": ["design"], "cleo": []])
                    #expect(team.admins == ["ada"])
                    #expect(!team.isRemoved)
                }
                // A different team with the same name.
                #expect(try await dora.shownTeam().members == ["dora"])
            }
        }

        @Test func codeAdmitsItsNumberOfDevicesUnderTheirNames() async throws {
            try await HostLink.with(.none, names: ["ada", "ben", "cleo", "dora"]) { hosts, _ in
                let ada = hosts[0]
                try await ada.team("create", "acme")
                let (code, waiting) = try await ada.showCode(["team", "invite", "--uses", "2", "--valid", "5m"])
                expect(
                    try await hosts[1].enter(code, ["team", "join", "--name", "Ben's laptop"]), endsWith: ExitCode.done)
                expect(try await hosts[2].enter(code, ["team", "join"]), endsWith: ExitCode.done)
                expect(try await waiting.finish(), endsWith: ExitCode.done)
                expect(
                    try await hosts[3].enter(code, ["team", "join", "--wait", "10s"]), endsWith: ExitCode.unreachable)
                #expect(try await ada.shownTeam().members == ["ada", "Ben's laptop", "cleo"])
            }
        }

        @Test func onlyAnAdminInvitesAndRemoves() async throws {
            try await withTeam { _, ben, _, _ in
                for arguments in [["team", "invite"], ["team", "remove", "cleo"], ["team", "promote", "ben"]] {
                    expect(try await ben.run(ben.portolan(arguments)), endsWith: ExitCode.notTrusted)
                }
                #expect(try await ben.shownTeam().members.contains("ada"))
            }
        }

        // MARK: - Sending and receiving

        @Test(arguments: HostLink.discoveries)
        func itemSentToATeamReachesEachPresentMember(_ discovery: HostLink.Discovery) async throws {
            try await withTeam(discovery) { ada, ben, cleo, dora in
                _ = try await dora.receive(into: dora.files + "/inbox")
                for host in [ben, cleo] {
                    _ = try await host.receive(into: host.files + "/inbox", ["--from", "@acme"])
                }
                try Files.write(noise(200_000, seed: 4), to: ada.files + "/report.pdf")
                let sending = try await ada.send([ada.files + "/report.pdf", "--json"], to: "@acme")
                expect(sending, endsWith: ExitCode.done)
                #expect(outcomes(sending) == ["ben": "delivered", "cleo": "delivered"])
                for host in [ben, cleo] {
                    #expect(try Files.read(host.files + "/inbox/report.pdf") == noise(200_000, seed: 4))
                }
                #expect(try Files.names(in: dora.files + "/inbox").isEmpty)

                // Input that can be read only once reaches all members, too.
                let piped = try await ada.send(["-", "--json"], to: "@acme", input: .bytes(noise(60_000, seed: 5)))
                expect(piped, endsWith: ExitCode.done)
                for host in [ben, cleo] {
                    #expect(try Files.read(host.files + "/inbox/input") == noise(60_000, seed: 5))
                }
            }
        }

        @Test func absentMemberIsReportedAndOthersGetTheItem() async throws {
            try await withTeam { ada, ben, cleo, _ in
                expect(
                    try await ada.send(["--text", "anybody?", "--retry", "0"], to: "@acme"),
                    endsWith: ExitCode.unreachable)

                _ = try await cleo.receive(into: cleo.files + "/inbox", ["--from", "@acme"])
                let sending = try await ada.send(["--text", "hello", "--json", "--retry", "1s"], to: "@acme")
                expect(sending, endsWith: ExitCode.done)
                #expect(outcomes(sending) == ["ben": "unreachable", "cleo": "delivered"])

                _ = try await ben.receive(into: ben.files + "/inbox", ["--from", "@acme", "--accept", "public.image"])
                let second = try await ada.send(["--text", "hello", "--json"], to: "@acme")
                expect(second, endsWith: ExitCode.nothingInCommon)
                #expect(outcomes(second) == ["ben": "nothing-in-common", "cleo": "delivered"])
            }
        }

        @Test func itemSentToAGroupReachesItsMembersOnly() async throws {
            try await withTeam { ada, ben, cleo, _ in
                for host in [ben, cleo] {
                    _ = try await host.receive(into: host.files + "/inbox", ["--from", "@acme"])
                }
                let sending = try await ada.send(["--text", "draft", "--json"], to: "@acme/design")
                expect(sending, endsWith: ExitCode.done)
                #expect(outcomes(sending) == ["ben": "delivered"])
                #expect(try Files.visibleNames(in: ben.files + "/inbox").count == 1)
                #expect(try Files.names(in: cleo.files + "/inbox").isEmpty)
                expect(try await ada.send(["--text", "draft"], to: "@acme/nobody"), endsWith: ExitCode.unreachable)
                expect(try await ada.send(["--text", "draft"], to: "@other"), endsWith: ExitCode.unreachable)
            }
        }

        @Test func receivingFromATeamRefusesStrangersAndOtherContacts() async throws {
            try await withTeam { ada, ben, _, dora in
                let inbox = ben.files + "/inbox"
                try await dora.pair(with: ben)
                let receiver = try await ben.receive(into: inbox, ["--from", "@acme"])
                // Her team has the same name.
                for arguments in [[], ["--team", "acme"]] {
                    expect(
                        try await dora.send(["--text", "hello"] + arguments, to: "ben"), endsWith: ExitCode.notTrusted)
                }
                #expect(try Files.names(in: inbox).isEmpty)
                expect(try await ada.send(["--text", "hello"], to: "ben"), endsWith: ExitCode.done)
                #expect(try Files.visibleNames(in: inbox).count == 1)
                #expect(receiver.isRunning)
            }
        }

        // MARK: - Visibility

        @Test func groupFormIsSeenByMembersAndOthersTakeAnotherForm() async throws {
            try await withTeam { ada, ben, cleo, dora in
                for (name, text) in [("n.html", "<h1>plan</h1>"), ("n.md", "# plan"), ("n.txt", "plan")] {
                    try Files.write(text, to: "\(ada.files)/\(name)")
                }
                let forms = [
                    "--as", "public.html@group=\(ada.files)/n.html",
                    "--as", "net.daringfireball.markdown@team=\(ada.files)/n.md",
                    "--as", "public.utf8-plain-text=\(ada.files)/n.txt", "--group", "design", "--no-converters",
                ]
                let expected = [(ben, "<h1>plan</h1>"), (cleo, "# plan"), (dora, "plan")]
                for (host, text) in expected {
                    let inbox = host.files + "/inbox"
                    let receiver = try await host.receive(into: inbox, ["--yes", "--json"])
                    expect(try await ada.send(forms, to: host.name), endsWith: ExitCode.done)
                    let name = try #require(try Files.visibleNames(in: inbox).first)
                    #expect(try Files.read("\(inbox)/\(name)") == Array(text.utf8), "\(host.name)")
                    // The number of forms that are hidden from the receiver is not told either.
                    let offered = events("offer", in: receiver.output).first?["items"] as? [[String: Any]]
                    let count = expected.count - (expected.firstIndex { $0.0 === host } ?? 0)
                    #expect(offered?.first?["representations"] as? Int == count, "\(receiver.output)")
                }
                for (host, _) in expected {
                    let preview = try await ada.run(ada.portolan(["offer", "--json", "--to", host.name] + forms))
                    let shown = events("representation", in: preview.text).map { $0["shown"] as? Bool == true }
                    #expect(shown == [host === ben, host !== dora, true], "\(preview)")
                }
            }
        }

        @Test func groupItemDoesNotExistForOthers() async throws {
            try await withTeam { ada, ben, cleo, dora in
                try Files.write("plan", to: ada.files + "/n.txt")
                let form = ["--as", "public.utf8-plain-text@group=\(ada.files)/n.txt", "--group", "design"]
                for host in [cleo, dora] {
                    let receiver = try await host.receive(into: host.files + "/inbox", ["--yes", "--json"])
                    expect(try await ada.send(form, to: host.name), endsWith: ExitCode.notTrusted)
                    #expect(try Files.names(in: host.files + "/inbox").isEmpty)
                    #expect(events("offer", in: receiver.output).isEmpty, "\(receiver.output)")
                    #expect(!receiver.output.contains("plain-text") && !receiver.output.contains("n.txt"))
                    try await receiver.stop()
                }

                // A receiver that may see the file may not pass it on to more people.
                _ = try await ben.receive(into: ben.files + "/inbox", ["--from", "@acme"])
                expect(try await ada.send(form, to: "ben"), endsWith: ExitCode.done)
                let name = try #require(try Files.visibleNames(in: ben.files + "/inbox").first)
                _ = try await cleo.receive(into: cleo.files + "/inbox")
                let passing = try await ben.send(["\(ben.files)/inbox/\(name)"], to: "cleo")
                expect(passing, endsWith: ExitCode.notTrusted)
                #expect(try Files.names(in: cleo.files + "/inbox").isEmpty)

                // Until cleo is in the group.
                try await ada.team("group", "add", "design", "cleo")
                expect(try await ada.send(form, to: "cleo"), endsWith: ExitCode.done)
                #expect(try Files.visibleNames(in: cleo.files + "/inbox").count == 1)
            }
        }

        @Test func itemOfOneTeamIsNotShownToAnother() async throws {
            try await withTeam { ada, ben, cleo, dora in
                // ben is in both teams now, and dora's is his default one.
                try await dora.team("create", "other")
                try await dora.team("use", "other")
                try await dora.invite([ben])
                try await ben.team("use", "other")
                _ = try await ben.receive(into: ben.files + "/inbox", ["--from", "@acme"])
                try Files.write("ours", to: ada.files + "/n.txt")
                let form = ["--as", "public.utf8-plain-text@team=\(ada.files)/n.txt", "--team", "acme"]
                expect(try await ada.send(form, to: "ben"), endsWith: ExitCode.done)
                let name = try #require(try Files.visibleNames(in: ben.files + "/inbox").first)
                for host in [cleo, dora] { _ = try await host.receive(into: host.files + "/inbox") }
                let received = "\(ben.files)/inbox/\(name)"
                expect(try await ben.send([received], to: "dora"), endsWith: ExitCode.notTrusted)
                expect(try await ben.send([received, "--team", "other"], to: "dora"), endsWith: ExitCode.notTrusted)
                #expect(try Files.names(in: dora.files + "/inbox").isEmpty)
                expect(try await ben.send([received], to: "cleo"), endsWith: ExitCode.done)
            }
        }

        // MARK: - Changes

        @Test(arguments: HostLink.discoveries)
        func removedMemberSeesNothing(_ discovery: HostLink.Discovery) async throws {
            try await withTeam(discovery) { ada, ben, cleo, _ in
                try Files.write("plan", to: ada.files + "/n.txt")
                let form = ["--as", "public.utf8-plain-text@team=\(ada.files)/n.txt"]
                let hidden = ["--from", "@acme", "--discoverable", "team"]
                _ = try await cleo.receive(into: cleo.files + "/inbox", hidden)
                let receiver = try await ben.receive(into: ben.files + "/inbox", ["--yes", "--json"])
                expect(try await ada.send(form, to: "ben"), endsWith: ExitCode.done)
                try await eventually("ben sees cleo") { try await !ben.peers().isEmpty }

                try await ada.team("remove", "ben")
                #expect(try await ada.shownTeam().members == ["ada", "cleo"])
                // He receives nothing from ada, and does not learn that there was something.
                let offers = events("offer", in: receiver.output).count
                expect(try await ada.send(form, to: "ben"), endsWith: ExitCode.notTrusted)
                #expect(events("offer", in: receiver.output).count == offers, "\(receiver.output)")
                #expect(try Files.visibleNames(in: ben.files + "/inbox").count == 1)
                let sending = try await ada.send(form + ["--json"], to: "@acme")
                expect(sending, endsWith: ExitCode.done)
                #expect(outcomes(sending) == ["cleo": "delivered"])

                // cleo knows it by now: he does not find her, and she accepts nothing from him.
                try await eventually("cleo has heard of it") { try await cleo.shownTeam().members == ["ada", "cleo"] }
                try await eventually("ben does not see cleo") { try await ben.peers().isEmpty }
                let address = "\(cleo.address):\(TestHost.defaultPort)"
                let refused = try await ben.send(["--text", "let me in"], to: address)
                #expect(refused.code != ExitCode.done, "\(refused)")
                #expect(try Files.visibleNames(in: cleo.files + "/inbox").count == 1)
            }
        }

        @Test func aChangeTravelsBetweenMembersWithoutTheAdmin() async throws {
            try await withTeam { _, ben, cleo, _ in
                // ben joined before cleo, and ada is off; cleo's device tells ben's that she is a member.
                #expect(try await ben.shownTeam().members == ["ada", "ben"])
                _ = try await ben.receive(into: ben.files + "/inbox", ["--yes"])
                expect(try await cleo.send(["--text", "hello"], to: "ben"), endsWith: ExitCode.done)
                #expect(try await ben.shownTeam().members == ["ada", "ben", "cleo"])
                #expect(try await ben.shownTeam().epoch == cleo.shownTeam().epoch)
            }
        }

        @Test func promotedMemberInvitesAndALeavingMemberHasNoTeam() async throws {
            try await withTeam { ada, ben, cleo, dora in
                _ = try await cleo.receive(into: cleo.files + "/inbox", ["--yes"])
                try await ada.team("promote", "cleo")
                try await eventually("cleo knows") { try await cleo.shownTeam().admins == ["ada", "cleo"] }
                // Her own team has the same name, so the command could not know which one is meant.
                try await dora.team("leave", "acme")
                try await cleo.invite([dora])
                #expect(try await cleo.shownTeam().members == ["ada", "ben", "cleo", "dora"])
                // He knows ada alone, who is off.
                let leaving = try await ben.run(ben.portolan(["team", "leave", "acme", "--json"]))
                expect(leaving, endsWith: ExitCode.unreachable)
                let list = try await ben.team("list")
                #expect(events("team", in: list.text).isEmpty, "\(list)")
            }
        }
    }
}

/// Returns the outcome of each member, by `send --to @team --json`.
private func outcomes(_ sending: Outcome) -> [String: String] {
    Dictionary(
        events("member", in: sending.text).map { ($0["member"] as? String ?? "", $0["outcome"] as? String ?? "") },
        uniquingKeysWith: { "\($0) and \($1)" })
}
