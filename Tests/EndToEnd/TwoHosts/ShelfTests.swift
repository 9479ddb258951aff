import Foundation
import TestSupport
import Testing

extension OnTwoHosts {
    /// Items that stay on offer, and the peers that list and fetch them.
    @Suite("Shelf") struct Shelf {
        @Test(arguments: HostLink.discoveries)
        func itemIsListedAndFetchedInTheRequestedForm(_ discovery: HostLink.Discovery) async throws {
            try await HostPair.with(discovery) { a, b, _ in
                try Files.write("<h1>plan</h1>", to: b.files + "/plan.html")
                try Files.write("# plan", to: b.files + "/plan.md")
                _ = try await b.share([b.files + "/plan.html", "--as", "md=\(b.files)/plan.md"])

                let items = try await a.list("ben")
                #expect(items.map { $0["title"] as? String } == ["plan.html"])
                let forms = try #require(items.first?["forms"] as? [[String: Any]])
                #expect(forms.map { $0["type"] as? String } == ["public.html", "net.daringfireball.markdown"])
                #expect(forms.map { $0["bytes"] as? Int } == [13, 6])

                let folder = a.files + "/got"
                expect(try await a.get("ben:plan", into: folder), endsWith: ExitCode.done)
                expect(try await a.get("ben:PLAN.html", into: folder, ["--as", "md"]), endsWith: ExitCode.done)
                #expect(try Files.visibleNames(in: folder) == ["plan.html", "plan.md"])
                #expect(try Files.read(folder + "/plan.html") == Array("<h1>plan</h1>".utf8))
                #expect(try Files.read(folder + "/plan.md") == Array("# plan".utf8))
            }
        }

        @Test func missingItemIsReported() async throws {
            try await HostPair.with(.none) { a, b, _ in
                try Files.write("text", to: b.files + "/note.txt")
                try Files.write("text", to: b.files + "/note.md")
                let sharing = try await b.share([b.files + "/note.txt", b.files + "/note.md"])
                let folder = a.files + "/got"
                expect(try await a.get("ben:nothing", into: folder), endsWith: ExitCode.noInput)
                expect(try await a.get("ben:note", into: folder), endsWith: ExitCode.usage)
                expect(
                    try await a.get("ben:note.txt", into: folder, ["--as", "png"]), endsWith: ExitCode.nothingInCommon)
                for nonsense in ["ben", "ben:", ":note"] {
                    expect(try await a.get(nonsense, into: folder), endsWith: ExitCode.usage)
                }
                expect(try await a.send(["--text", "hello"], to: "ben"), endsWith: ExitCode.declined)
                #expect(try Files.visibleNames(in: folder).isEmpty)
                #expect(sharing.isRunning)
                // The shared file changes, and is removed.
                try Files.write("a longer text", to: b.files + "/note.txt")
                expect(try await a.get("ben:note.txt", into: folder), endsWith: ExitCode.done)
                #expect(try Files.read(folder + "/note.txt") == Array("a longer text".utf8))
                try Files.remove(b.files + "/note.md")
                let outcome = try await a.get("ben:note.md", into: folder)
                #expect(outcome.code != ExitCode.done && !outcome.errorText.isEmpty, "\(outcome)")
                #expect(try Files.visibleNames(in: folder) == ["note.txt"])
                expect(try await sharing.stop(SIGINT), endsWith: ExitCode.done)
                // A node that receives shares nothing.
                _ = try await b.receive(into: b.files + "/inbox")
                expect(try await a.run(a.portolan(["ls", "ben"])), endsWith: ExitCode.noInput)
            }
        }

        @Test func processCanReceiveAndShare() async throws {
            try await HostPair.with(.none) { a, b, _ in
                try Files.write(noise(2_000_000, seed: 1), to: b.files + "/photo.png")
                let inbox = b.files + "/inbox"
                _ = try await b.receive(into: inbox, ["--yes", "--share", b.files + "/photo.png"])
                try Files.write(noise(3_000_000, seed: 2), to: a.files + "/film.mp4")
                async let sent = a.send([a.files + "/film.mp4"], to: "ben")
                async let got = a.get("ben:photo", into: a.files)
                expect(try await sent, endsWith: ExitCode.done)
                expect(try await got, endsWith: ExitCode.done)
                #expect(try Files.read(a.files + "/photo.png") == noise(2_000_000, seed: 1))
                #expect(try Files.read(inbox + "/film.mp4") == noise(3_000_000, seed: 2))
                #expect(b.listeningPorts.filter { $0 == TestHost.defaultPort || $0 > 30000 } == [TestHost.defaultPort])
            }
        }

        @Test func interruptedFolderIsResumed() async throws {
            try await HostPair.with(.none) { a, b, _ in
                let folder = b.files + "/trip"
                try Files.makeFolder(folder)
                for number in 0..<8 { try Files.write(noise(1 << 20, seed: UInt64(number)), to: "\(folder)/\(number)") }
                _ = try await b.share([folder])
                let into = a.files + "/got"
                let getting = try await a.start(
                    a.portolan(["get", "ben:trip", "--into", into, "--json", "--limit-rate", "512K"]))
                try await getting.waitToSay(#""progress""#)
                try await Task.sleep(for: .seconds(1))
                getting.signal(SIGINT)
                expect(try await getting.finish(), endsWith: ExitCode.interrupted)
                #expect(try Files.visibleNames(in: into).isEmpty)
                expect(try await a.get("ben:trip", into: into), endsWith: ExitCode.done)
                #expect(try Files.inventory(of: into + "/trip") == Files.inventory(of: folder))
            }
        }

        @Test func onlyMembersSeeTeamItems() async throws {
            try await HostLink.with(.none, names: ["ada", "ben", "cleo", "dora"]) { hosts, _ in
                let (ada, ben, cleo, dora) = (hosts[0], hosts[1], hosts[2], hosts[3])
                for host in hosts { try await host.configure("timeouts: { find: 60, offer: 100 }\n") }
                try await ada.team("create", "acme")
                try await ada.invite([ben, cleo])
                try Files.write("secret", to: ada.files + "/plan.html")
                try Files.write("public", to: ada.files + "/note.txt")
                let own = ["--discoverable", "everyone"]
                _ = try await ada.share(
                    ["--as", "html@team=\(ada.files)/plan.html", "--as", "txt=\(ada.files)/note.txt"] + own)
                for member in [ben, cleo] {
                    let forms = try #require(try await member.list("ada").first?["forms"] as? [[String: Any]])
                    #expect(forms.map { $0["type"] as? String } == ["public.html", "public.plain-text"])
                    expect(try await member.get("ada:plan", into: member.files + "/got"), endsWith: ExitCode.done)
                    #expect(try Files.visibleNames(in: member.files + "/got") == ["plan.html"])
                }
                // A host outside the team learns neither that there is a page, nor its name.
                let items = try await dora.list("ada")
                #expect(items.map { $0["title"] as? String } == ["note.txt"])
                #expect((items.first?["forms"] as? [[String: Any]])?.count == 1)
                expect(try await dora.get("ada:plan", into: dora.files + "/got"), endsWith: ExitCode.noInput)
                let page = ["--as", "html"]
                expect(
                    try await dora.get("ada:note", into: dora.files + "/got", page), endsWith: ExitCode.nothingInCommon)
                // Membership is checked at the moment of the request.
                try await ada.team("remove", "ben")
                #expect(try await ben.list("ada").map { $0["title"] as? String } == ["note.txt"])
                #expect(try await cleo.list("ada").map { $0["title"] as? String } == ["plan.html"])
            }
        }

        @Test func teamItemDoesNotExistForOthers() async throws {
            try await HostLink.with(.none, names: ["ada", "ben", "dora"]) { hosts, _ in
                let (ada, ben, dora) = (hosts[0], hosts[1], hosts[2])
                for host in hosts { try await host.configure("timeouts: { find: 60, offer: 100 }\n") }
                try await ada.team("create", "acme")
                try await ada.invite([ben])
                try Files.write("secret", to: ada.files + "/plan.html")
                _ = try await ada.share([ada.files + "/plan.html", "--to", "@acme"])
                #expect(try await ben.list("ada").count == 1)
                #expect(try await dora.list("ada").isEmpty)
                expect(try await dora.get("ada:plan.html", into: dora.files + "/got"), endsWith: ExitCode.noInput)
                expect(try await ben.get("ada:plan.html", into: ben.files + "/got"), endsWith: ExitCode.done)
                // The fetched file stays restricted to the team.
                let passed = try await ben.run(ben.portolan(["offer", ben.files + "/got/plan.html"]))
                #expect(passed.text.contains("hidden"), "\(passed)")
            }
        }
    }
}

extension TestHost {
    /// Starts `portolan share` and waits until it listens.
    fileprivate func share(_ arguments: [String]) async throws -> RunningCommand {
        let sharing = try await start(portolan(["share", "--json"] + arguments))
        try await sharing.waitToSay(#""listening""#)
        return sharing
    }

    /// Returns the list of `portolan ls`.
    fileprivate func list(_ peer: String) async throws -> [[String: Any]] {
        let listing = try await run(portolan(["ls", peer, "--json"]))
        expect(listing, endsWith: ExitCode.done)
        return events("shared-item", in: listing.text)
    }

    fileprivate func get(_ item: String, into folder: String, _ options: [String] = []) async throws -> Outcome {
        try Files.makeFolder(folder)
        return try await run(portolan(["get", item, "--into", folder] + options))
    }
}
