import Foundation
import TestSupport
import Testing

extension OnTwoHosts {
    /// Two people and a code that one reads aloud.
    @Suite("Pairing") struct Pairing {
        @Test(arguments: HostLink.discoveries)
        func pairingMakesBothDevicesContacts(_ discovery: HostLink.Discovery) async throws {
            try await HostPair.with(discovery) { a, b, _ in
                try await b.pair(with: a)
                #expect(try await a.contacts() == ["ben": b.fingerprint()])
                #expect(try await b.contacts() == ["ada": a.fingerprint()])
            }
        }

        @Test func theCodeMayBeEnteredBeforeTheOtherSideCanBeReached() async throws {
            try await HostPair.with(.none) { a, b, pair in
                try await pair.cut()
                let (code, waiting) = try await a.showCode(["pair"])
                let entering = try await b.start(
                    b.portolan(["pair", "-", "--json"], input: .bytes(Array("\(code)\n".utf8))))
                try await Task.sleep(for: .seconds(1))
                #expect(entering.isRunning && waiting.isRunning)
                try await pair.join()
                expect(try await entering.finish(), endsWith: ExitCode.done)
                expect(try await waiting.finish(), endsWith: ExitCode.done)
                #expect(try await a.contacts().keys.sorted() == ["ben"])
            }
        }

        @Test func capitalsAndSpacesInACodeAreNoMatterNorIsTheCommandLine() async throws {
            try await HostPair.with(.none) { a, b, _ in
                let (code, waiting) = try await a.showCode(["pair"])
                let typed = code.uppercased().replacing("-", with: " ")
                expect(try await b.run(b.portolan(["pair", typed])), endsWith: ExitCode.done)
                expect(try await waiting.finish(), endsWith: ExitCode.done)
            }
        }

        @Test func wrongCodeEndsTheCodeWithoutContacts() async throws {
            try await HostPair.with(.none) { a, b, _ in
                let (code, waiting) = try await a.showCode(["pair"])
                let parts = code.split(separator: "-")
                // The words in reverse order, or two different words if that is the same code.
                let other = parts[1] == parts[2] ? "walnut-harbor" : "\(parts[2])-\(parts[1])"
                let wrong = "\(parts[0])-\(other)"
                expect(try await b.enter(wrong, ["pair"]), endsWith: ExitCode.notTrusted)
                expect(try await waiting.finish(), endsWith: ExitCode.notTrusted)
                let again = try await b.enter(code, ["pair", "--wait", "10s"])
                expect(again, endsWith: ExitCode.unreachable, ExitCode.notTrusted)
                #expect(try await a.contacts().isEmpty)
                #expect(try await b.contacts().isEmpty)
            }
        }

        @Test func usedCodeIsNotValidAgain() async throws {
            try await HostLink.with(.none, names: ["ada", "ben", "cleo"]) { hosts, _ in
                let (code, waiting) = try await hosts[0].showCode(["pair"])
                expect(try await hosts[1].enter(code, ["pair"]), endsWith: ExitCode.done)
                expect(try await waiting.finish(), endsWith: ExitCode.done)
                let third = try await hosts[2].enter(code, ["pair", "--wait", "10s"])
                expect(third, endsWith: ExitCode.unreachable)
                #expect(try await hosts[0].contacts().keys.sorted() == ["ben"])
                #expect(try await hosts[2].contacts().isEmpty)
            }
        }

        @Test func invalidCodeIsReportedAtOnce() async throws {
            try await HostPair.with(.none) { a, _, _ in
                expect(try await a.enter("walnut", ["pair"]), endsWith: 65)
                expect(try await a.run(a.portolan(["pair", "walnut"])), endsWith: ExitCode.usage)
            }
        }

        @Test func contactWithADifferentKeyIsRefusedWithBothFingerprints() async throws {
            try await HostPair.with(.none) { a, b, _ in
                try await b.pair(with: a)
                let old = try await b.fingerprint()
                let home = ["--home", b.directory + "/other"]
                expect(try await b.run(b.portolan(["id", "--name", "ben"] + home)), endsWith: ExitCode.done)
                let receiver = try await b.receive(into: b.files + "/inbox", ["--yes"] + home)
                let refused = try await a.send(["--text", "secret"], to: "ben")
                expect(refused, endsWith: ExitCode.notTrusted)
                #expect(refused.errorText.contains(old), "\(refused)")
                #expect(refused.errorText.contains(try await b.fingerprint(home)), "\(refused)")
                #expect(refused.errorText.contains("forget"), "\(refused)")
                #expect(try Files.visibleNames(in: b.files + "/inbox").isEmpty)

                // The contact declines an offer from the other key without asking anybody.
                let other = try await a.receive(into: a.files + "/inbox")
                let declined = try await b.run(b.portolan(["send", "--text", "x", "--to", "ada"] + home))
                expect(declined, endsWith: ExitCode.declined)
                #expect(declined.errorText.contains("portolan id --name"), "\(declined)")
                try await other.waitToSay("both keys") { [new = try await b.fingerprint(home)] said in
                    said.contains(old) && said.contains(new)
                }
                #expect(try Files.visibleNames(in: a.files + "/inbox").isEmpty)

                expect(try await a.run(a.portolan(["contacts", "forget", "ben"])), endsWith: ExitCode.done)
                expect(try await a.send(["--text", "hello"], to: "ben"), endsWith: ExitCode.done)
                #expect(receiver.isRunning)
            }
        }

        @Test func contactIsReachedByItsLocalName() async throws {
            try await HostPair.with(.none) { a, b, _ in
                try await b.pair(with: a)
                let renaming = ["contacts", "rename", "ben", "Benjamin's machine"]
                expect(try await a.run(a.portolan(renaming)), endsWith: ExitCode.done)
                #expect(try await a.contacts() == ["Benjamin's machine": b.fingerprint()])
                _ = try await b.receive(into: b.files + "/inbox")
                expect(try await a.send(["--text", "hello"], to: "Benjamin's machine"), endsWith: ExitCode.done)
            }
        }

        @Test(arguments: HostLink.discoveries)
        func clonedHomeIsReportedByTheClonesAndByOthers(_ discovery: HostLink.Discovery) async throws {
            try await HostLink.with(discovery, names: ["ada", "ben", "cleo"]) { hosts, _ in
                let (ada, ben, cleo) = (hosts[0], hosts[1], hosts[2])
                let fingerprint = try await ben.fingerprint()
                try Files.remove(cleo.home)
                try FileManager.default.copyItem(atPath: ben.home, toPath: cleo.home)
                #expect(try await cleo.fingerprint() == fingerprint)

                let watcher = try await ada.start(ada.portolan(["peers", "--watch", "--json"]))
                let receivers = [
                    try await ben.receive(into: ben.files + "/inbox", ["--yes", "--json"]),
                    try await cleo.receive(into: cleo.files + "/inbox", ["--yes", "--json"]),
                ]
                for command in receivers + [watcher] {
                    // The receivers tell only of what lasts longer than a record.
                    try await command.waitToSay("that two machines have one key", within: .seconds(600)) { said in
                        remarks(in: said).contains { $0.contains(fingerprint) }
                    }
                    #expect(command.isRunning)
                }
                // The way out: the copy becomes a separate device.
                try await receivers[1].stop()
                expect(try await cleo.run(cleo.portolan(["id", "--new-key"])), endsWith: ExitCode.done)
                #expect(try await cleo.fingerprint() != fingerprint)
            }
        }
    }
}
