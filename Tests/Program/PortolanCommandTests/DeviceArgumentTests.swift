import Foundation
import PortolanCrypto
import PortolanTrust
import PortolanValues
import Testing

@testable import Portolan
@testable import PortolanCommand

/// A device is named by its name or the beginning of its fingerprint, wherever the command line takes one.
@Suite struct DeviceArgumentTests {
    private let keys = (0..<3).map { _ in DeviceKey.generate().publicKey.fingerprint }

    private func device(_ name: String, announced: String? = nil, _ key: Int) throws -> KnownDevice {
        KnownDevice(
            name: try DeviceName(name), announcedName: try announced.map { try DeviceName($0) }, fingerprint: keys[key])
    }

    @Test("a local name, the name of its own, a fingerprint and its beginning mean the same device")
    func resolves() throws {
        let devices = [try device("laptop", announced: "ada@laptop", 0), try device("tower", 1)]
        let whole = keys[0].description
        for text in ["laptop", "LAPTOP", "ada@laptop", String(whole.prefix(9)), String(whole.prefix(20)), whole] {
            #expect(try DeviceArgument.parse(text).only(among: devices) == devices[0], "\(text)")
        }
        for text in ["lapto", String(whole.prefix(8)), String(keys[2].description.prefix(9))] {
            let argument = try DeviceArgument.parse(text)
            #expect(try argument.only(among: devices) == nil, "\(text)")
            #expect(try argument.resolved(among: devices).text == text)
        }
    }

    @Test("a device that is listed twice, by two names, goes by the first")
    func listedTwice() throws {
        let devices = [try device("ada", 0), try device("bob", 0)]
        #expect(try DeviceArgument.parse("ada").resolved(among: devices).text == "ada")
        #expect(try DeviceArgument.parse(String(keys[0].description.prefix(9))).resolved(among: devices).text == "ada")
        #expect(try DeviceArgument.parse("bob").only(among: devices) == nil)
    }

    @Test("a beginning that one device has and another is called is for a person to tell")
    func ambiguous() throws {
        let beginning = String(keys[0].description.prefix(9))
        let devices = [try device("laptop", 0), try device(beginning, 1)]
        let failure = try #require(throws: CommandFailure.self) {
            try DeviceArgument.parse(beginning).only(among: devices)
        }
        #expect(failure.description.contains("could be any of 2 devices"), "\(failure)")
        #expect(failure.candidates.map(\.fingerprint) == keys.prefix(2).map { $0 })
        for key in keys.prefix(2) { #expect(failure.description.contains(key.description), "\(failure)") }
        // A local name takes precedence over a peer's announced name.
        let named = [try device("ben", 0), try device("cleo", announced: "ben", 1)]
        #expect(try DeviceArgument.parse("ben").only(among: named) == named[0])
    }

    @Test("a name that belongs to another does not mean its namesake, also when the other is forgotten")
    func namesakes() async throws {
        let tool = try Tool()
        let configuration = Node.Configuration(home: try HomeDirectory(override: tool.path("home"), environment: [:]))
        let node = try await Node(configuration)
        let name = try DeviceName("ada@laptop")
        for _ in 1...2 { _ = try node.store.peers.confirm(name: name, key: DeviceKey.generate().publicKey, now: .now) }
        let argument = try DeviceArgument.parse("ada@laptop")
        #expect(try await argument.only(among: node.knownDevices())?.name == name)
        #expect(try await node.forget(name))
        #expect(try await node.contacts().map(\.name.text) == ["ada@laptop (2)"])
        #expect(try await argument.only(among: node.knownDevices()) == nil)
        #expect(try await argument.only(among: node.contacts().devices) == nil)
    }

    @Test("the key of a member that was never met is not forgotten in place of another's of its name")
    func forgetsNoOther() async throws {
        let tool = try Tool()
        #expect(try await tool.run(["id", "--name", "ben"]).code == 0)
        #expect(try await tool.run(["team", "create", "acme"]).code == 0)
        let id = try await tool.run(["id", "--json"]).events("id").first
        let member = String(try #require(id?["fingerprint"] as? String).prefix(9))
        let peers = KnownPeers(home: try HomeDirectory(override: tool.path("home"), environment: [:]))
        _ = try peers.remember(name: DeviceName("ben"), key: DeviceKey.generate().publicKey, now: .now)
        let forgotten = try await tool.run(["peers", "--forget", member])
        #expect(forgotten.code == 69, "\(forgotten)")
        #expect(try peers.all().count == 1)
        #expect(try await tool.run(["peers", "--forget", "ben"]).code == 0)
        #expect(try peers.all().isEmpty)
    }

    @Test("commands take the beginning of a fingerprint")
    func commands() async throws {
        let tool = try Tool()
        let near = ["--discovery", "embedded", "--interface", "lo"]
        func fingerprint(_ home: String) async throws -> String {
            let event = try await tool.run(["id", "--json"], home: home).events("id").first
            return String(try #require(event?["fingerprint"] as? String).prefix(9))
        }
        let waiting = try tool.start(["pair", "--json"] + near, home: "ada")
        try await waiting.waitToSay("\"awaiting\"")
        let code = try #require(waiting.output.firstMatch(of: /"code":"([^"]+)"/)?.1)
        let paired = try await tool.run(["pair", String(code)] + near)
        #expect(paired.code == 0, "\(paired)")
        _ = try await waiting.finish()
        let (ada, own) = (try await fingerprint("ada"), try await fingerprint("home"))

        let renamed = try await tool.run(["contacts", "rename", ada, "workstation"])
        #expect(renamed.code == 0 && renamed.output.contains("“workstation”"), "\(renamed)")
        let receiver = try tool.start(["receive", "--from", ada, "--into", "inbox", "--json"] + Tool.alone)
        try await receiver.waitToSay("\"listening\"")
        #expect(try await receiver.stop().code == 0)
        let nobody = try await tool.run(["receive", "--from", "aaaa-aaaa", "--into", "inbox"] + Tool.alone)
        #expect(nobody.code == 69 && nobody.errors.contains("No device called “aaaa-aaaa”"), "\(nobody)")

        #expect(try await tool.run(["team", "create", "acme"]).code == 0)
        let grouped = try await tool.run(["team", "group", "add", "design", own] + Tool.alone)
        #expect(grouped.code == 0, "\(grouped)")
        let shown = try await tool.run(["team", "show", "--json"])
        #expect(shown.output.contains("design"), "\(shown)")

        #expect(try await tool.run(["contacts", "forget", ada]).code == 0)
        #expect(try await tool.run(["contacts", "forget", ada]).code == 69)
        let unknown = try await tool.run(["peers", "--forget", ada])
        #expect(unknown.code == 69, "\(unknown)")
    }
}
