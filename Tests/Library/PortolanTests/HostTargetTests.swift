import Foundation
import PortolanCrypto
import PortolanTrust
import PortolanValues
import Testing

@testable import Portolan

/// A machine's name as the target for its only device, and the errors for names that no device has.
@Suite struct HostTargetTests {
    private let keys = (1...4).map { Fingerprint(ofKeyBytes: [UInt8($0)]) }

    private func peer(_ name: String, _ key: Int, knownAs localName: String? = nil) -> Peer {
        var peer = Peer(name: name, fingerprint: keys[key], addresses: [], foundBy: "embedded")
        peer.localName = localName
        return peer
    }

    private func matches(_ text: String, _ peers: [Peer], known: [(String, Int)] = []) throws -> [String] {
        let known = try known.map { (name: try DeviceName($0.0), key: keys[$0.1]) }
        return HostTarget(text, known: known)?.matches(in: peers).map(\.name) ?? []
    }

    @Test func hostNameMeansItsDevices() throws {
        let peers = [peer("root@h1-b", 0), peer("h1-b", 1), peer("ada@h1-c", 2), peer("@h1-b", 3)]
        #expect(try matches("h1-b", peers) == ["root@h1-b"])
        #expect(try matches("H1-B", peers) == ["root@h1-b"])
        #expect(try matches("h1-b", [peer("root@h1-b #2", 0), peer("ada@h1-b", 1)]) == ["root@h1-b #2", "ada@h1-b"])
        #expect(try matches("h1-b", [peer("x", 0, knownAs: "root@h1-b")]) == ["x"])
        for text in ["h1", "root", "root@h1-b", "@h1-b", "", keys[0].description] {
            #expect(try matches(text, peers).isEmpty, "\(text)")
        }
    }

    @Test("a known name means its device alone, and a host of which a device is known means no other")
    func known() throws {
        let peers = [peer("root@h1-b", 0), peer("eve@h1-b", 1)]
        #expect(try matches("h1-b", peers, known: [("H1-b", 2)]).isEmpty)
        #expect(try matches("h1-b", peers, known: [("root@h1-b", 0)]) == ["root@h1-b"])
        #expect(try matches("h1-b", peers, known: [("root@h1-b", 2)]).isEmpty)
    }

    @Test("the name of a host means its devices for the outbox, waiting and the list of contacts, too")
    func oneResolver() throws {
        let peers = [peer("root@h1-b", 0), peer("ada@h1-c", 1), peer("h1-c", 2)]
        #expect(Node.peers(meantBy: "h1-b", among: peers).map(\.name) == ["root@h1-b"])
        #expect(Node.peers(meantBy: "h1-c", among: peers).map(\.name) == ["h1-c"])
        let devices = try ["root@h1-b", "ada@h1-c"].enumerated().map {
            KnownDevice(name: try DeviceName($0.element), fingerprint: keys[$0.offset])
        }
        #expect(KnownDevice.meant(by: "h1-b", among: devices) == [devices[0]])
        #expect(KnownDevice.meant(by: "h1", among: devices).isEmpty)
        let known = devices.map { (name: $0.name, key: $0.fingerprint) }
        #expect(HostTarget("h1-b", known: known, trusted: [keys[0], keys[1]])?.key == keys[0])
        #expect(HostTarget("h1-b", known: known)?.key == nil)
    }

    @Test("contacts of a host go before devices that are merely known, also when they are not in sight")
    func contactsFirst() throws {
        let known = [
            (name: try DeviceName("ada@h1-b"), key: keys[0]), (name: try DeviceName("ben@h1-b"), key: keys[1]),
        ]
        let (contact, other) = (peer("ada@h1-b", 0), peer("ben@h1-b", 1))
        let trusting = try #require(HostTarget("h1-b", known: known, trusted: [keys[0]]))
        #expect(trusting.matches(in: [contact, other]) == [contact])
        #expect(trusting.matches(in: [other]).isEmpty && trusting.contact?.text == "ada@h1-b")
        let equal = try #require(HostTarget("h1-b", known: known))
        #expect(equal.matches(in: [contact, other]) == [contact, other] && equal.contact == nil)
    }

    @Test("a device that was met once takes the host of a contact by no name")
    func metOnce() throws {
        let known = [(name: try DeviceName("ada@h1-b"), key: keys[0]), (name: try DeviceName("h1-b"), key: keys[1])]
        let (contact, other) = (peer("ada@h1-b", 0), peer("h1-b", 1))
        let host = try #require(HostTarget("h1-b", known: known, trusted: [keys[0]]))
        #expect(host.matches(in: [contact, other]) == [contact])
        #expect(!host.contacts.admits(other) && host.contacts.admits(contact))
        #expect(host.contacts.rivals(of: [other], in: [other, contact]) == [contact])
        #expect(host.contacts.rivals(of: [other], in: [other]).map(\.fingerprint) == [keys[0]])
        #expect(HostTarget("h1-b", known: known, trusted: [keys[1]]) == nil)
    }

    @Test(
        "a known name that is nearly the given one is named, also where it is not in sight", arguments: [[], ["desk"]])
    func nearlyKnown(planted: [String]) async throws {
        try await withSender(planted, knowing: "ymer", findWait: .milliseconds(100)) { sender in
            let error = try await #require(throws: NodeError.self) { try await sender.find("ymee") }
            #expect(error.description.contains("Did you mean “ymer”, which is known here"), "\(error)")
        }
    }

    @Test("the name of a host asks for the devices on it")
    func namesForAQuestion() {
        let peers = [peer("root@h1-b", 0, knownAs: "tower"), peer("ben", 1)]
        #expect(Node.names(near: "h1-b", among: peers) == ["tower"])
        #expect(Node.names(near: "bne", among: peers) == ["ben"])
        #expect(Node.names(near: "workstation", among: peers).isEmpty)
    }

    @Test func suggestionsIncludeHosts() {
        let peers = [peer("workstation", 0), peer("root@h1-b", 1), peer("laptop", 2)]
        #expect(Target.near("worksation", in: peers).map(\.name) == ["workstation"])
        #expect(Target.near("h1-c", in: peers).map(\.name) == ["root@h1-b"])
        #expect(Target.near("printer", in: peers).isEmpty)
    }

    // MARK: - On a link

    private func withSender(
        _ planted: [String], knowing name: String? = nil, findWait: Duration = .seconds(300),
        _ body: (Node) async throws -> Void
    ) async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "portolan-hosts-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let link = SimulatedLink()
        for (index, name) in planted.enumerated() {
            try link.plant(name, Fingerprint(of: DeviceKey.generate().publicKey), port: UInt16(index + 1))
        }
        let sender = try link.node("ada", home: root, findWait: findWait)
        if let name {
            let key = DeviceKey.generate().publicKey
            _ = try sender.store.peers.remember(name: DeviceName(name), key: key, now: .now)
        }
        try await body(sender)
    }

    @Test func onlyPeerOfAHostIsFound() async throws {
        try await withSender(["root@h1-b", "root@h1-c"]) { sender in
            let found = try await sender.find("h1-b")
            #expect(found.name == "root@h1-b")
        }
        try await withSender(["root@h1-b", "h1-b"]) { sender in
            let found = try await sender.find("h1-b")
            #expect(found.name == "h1-b")
        }
    }

    @Test func amongSeveralOfAHostAPersonChooses() async throws {
        try await withSender(["root@h1-b", "ada@h1-b"], findWait: .seconds(1)) { node in
            let error = await #expect(throws: NodeError.self) { try await node.find("h1-b") }
            #expect(error?.candidates.count == 2)
            let text = try #require(error?.description)
            #expect(text.contains("Did you mean “") && text.contains("“root@h1-b”") && text.contains(" or "), "\(text)")
        }
    }

    @Test("a device called like the host of a contact is not sent to without a question", arguments: [false, true])
    func calledLikeTheHostOfAContact(wasMet: Bool) async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "portolan-hosts-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let link = SimulatedLink()
        let (contact, other) = (DeviceKey.generate().publicKey, DeviceKey.generate().publicKey)
        try link.plant("h1-b", Fingerprint(of: other), port: 1)
        let sender = try link.node("ben", home: root)
        _ = try sender.store.peers.confirm(name: DeviceName("ada@h1-b"), key: contact, now: .now)
        if wasMet { _ = try sender.store.peers.remember(name: DeviceName("h1-b"), key: other, now: .now) }
        // The name means the contact as well, whether it is visible or not.
        for _ in 1...2 {
            let error = try await #require(throws: NodeError.self) { try await sender.find("h1-b") }
            #expect(error.fault?.code == .nameAmbiguous, "\(error)")
            #expect(error.candidates.map(\.fingerprint) == [Fingerprint(of: other), Fingerprint(of: contact)])
            try link.plant("ada@h1-b", Fingerprint(of: contact), port: 2)
        }
        let found = try await sender.find("ada@h1-b")
        #expect(found.fingerprint == Fingerprint(of: contact))
    }

    @Test(
        "a device called like a member of a team who was never met is not sent to without a question",
        arguments: [false, true])
    func calledLikeAMember(wasMet: Bool) async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "portolan-hosts-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let link = SimulatedLink()
        let (member, other) = (DeviceKey.generate().publicKey, DeviceKey.generate().publicKey)
        try link.plant("cleo", Fingerprint(of: other), port: 1)
        let sender = try link.node("ben", home: root)
        let team = try sender.store.teams.create(name: TeamName("acme"), by: sender.identity, now: .now)
        _ = try sender.store.teams.change(
            team.id, .add(PinnedKey(member), name: DeviceName("cleo"), groups: []), by: sender.identity, now: .now)
        if wasMet { _ = try sender.store.peers.remember(name: DeviceName("cleo"), key: other, now: .now) }
        // The name means the member as well, whether it is visible or not.
        for _ in 1...2 {
            let error = try await #require(throws: NodeError.self) { try await sender.find("cleo") }
            #expect(error.fault?.code == .nameAmbiguous, "\(error)")
            #expect(
                Set(error.candidates.map(\.fingerprint)) == [Fingerprint(of: other), Fingerprint(of: member)],
                "\(error)")
            try link.plant("cleo #2", Fingerprint(of: member), port: 2)
        }
        for key in [member, other] {
            let found = try await sender.find(Fingerprint(of: key).description)
            #expect(found.fingerprint == Fingerprint(of: key))
        }
    }

    @Test("a name that a roster gives to a member is asked about, also where the member was met under another name")
    func memberUnderAnotherNameIsFound() async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "portolan-hosts-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let link = SimulatedLink()
        let (member, other) = (DeviceKey.generate().publicKey, DeviceKey.generate().publicKey)
        try link.plant("laptop", Fingerprint(of: other), port: 1)
        try link.plant("studio", Fingerprint(of: member), port: 2)
        let sender = try link.node("ben", home: root)
        let team = try sender.store.teams.create(name: TeamName("acme"), by: sender.identity, now: .now)
        _ = try sender.store.teams.change(
            team.id, .add(PinnedKey(member), name: DeviceName("laptop"), groups: []), by: sender.identity, now: .now)
        _ = try sender.store.peers.remember(name: DeviceName("studio"), key: member, now: .now)
        let error = try await #require(throws: NodeError.self) { try await sender.find("laptop") }
        #expect(error.fault?.code == .nameAmbiguous, "\(error)")
        #expect(Set(error.candidates.map(\.fingerprint)) == [Fingerprint(of: other), Fingerprint(of: member)])
        let found = try await sender.find("studio")
        #expect(found.fingerprint == Fingerprint(of: member))
    }

    @Test("a member who was never met is found by a name that is unique")
    func memberByName() async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "portolan-hosts-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let link = SimulatedLink()
        let member = DeviceKey.generate().publicKey
        try link.plant("cleo", Fingerprint(of: member), port: 1)
        let sender = try link.node("ben", home: root)
        let team = try sender.store.teams.create(name: TeamName("acme"), by: sender.identity, now: .now)
        _ = try sender.store.teams.change(
            team.id, .add(PinnedKey(member), name: DeviceName("cleo"), groups: []), by: sender.identity, now: .now)
        let found = try await sender.find("cleo")
        #expect(found.fingerprint == Fingerprint(of: member))
    }

    @Test func aStrangerIsNotTakenForAKnownNameBecauseOfItsHost() async throws {
        try await withSender(["eve@h1-b"], knowing: "h1-b", findWait: .seconds(1)) { node in
            let error = await #expect(throws: NodeError.self) { try await node.find("h1-b") }
            #expect(error?.kind == .unreachable)
        }
    }

    @Test func unknownNameSuggestsOnlySimilarNames() async throws {
        let names = (1...15).map { "printer-of-room-\($0)" } + ["workstation"]
        try await withSender(names, findWait: .seconds(1)) { node in
            let error = await #expect(throws: NodeError.self) { try await node.find("worksation") }
            let lines = try #require(error?.description).split(separator: "\n")
            #expect(lines.count == 12 && lines[0].contains("Did you mean “workstation”?"), "\(lines)")
            #expect(lines[1].contains("“workstation”") && lines[11] == "  and 6 more", "\(lines)")
        }
    }
}
