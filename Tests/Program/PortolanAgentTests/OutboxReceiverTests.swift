import Foundation
import Portolan
import PortolanClient
import PortolanCrypto
import PortolanTrust
import PortolanValues
import Testing

@testable import PortolanAgent
@testable import PortolanOutbox

@Suite("The receiver of a parcel")
struct OutboxReceiverTests {
    private let folder = TemporaryFolder()

    private func remember(_ name: String, in tested: AgentUnderTest, home other: String = "ben") throws
        -> DevicePublicKey
    {
        let home = try HomeDirectory(override: tested.folder.path + "/home", environment: [:])
        let ben = try HomeDirectory(override: folder.path + "/\(other)", environment: [:])
        let key = try DeviceIdentity.loadOrCreate(in: ben, defaultName: .ofThisAccount).publicKey
        try KnownPeers(home: home).confirm(name: DeviceName(name), key: key, now: Date())
        return key
    }

    private func queue(to target: String, at tested: AgentUnderTest) async throws -> OutboxParcel {
        let client = try AgentClient(socket: tested.socket)
        let queued = try await client.queue(AgentAPI.NewParcel(target: target, text: "hello"))
        return try await tested.agent.database.read { try $0.outbox.show(queued.id.state) }
    }

    @Test("A parcel for the name of a contact is for the contact's key, and one for another name for none yet.")
    func boundToTheKey() async throws {
        let tested = try await AgentUnderTest()
        let key = try remember("ben", in: tested)
        for target in ["ben", "Ben"] {
            #expect(try await queue(to: target, at: tested).fingerprint == key.fingerprint.description)
        }
        #expect(try await queue(to: "anna", at: tested).fingerprint == nil)
        let bob = try remember("bob@h2", in: tested, home: "bob")
        #expect(try await queue(to: "h2", at: tested).fingerprint == bob.fingerprint.description)
        #expect(try await queue(to: "127.0.0.1:9", at: tested).fingerprint == nil)
        try await tested.stop()
    }

    @Test("Another key than the one that is meant ends no parcel: it is tried again until it expires.")
    func strangersEndNothing() {
        guard case .again(.parcel, _) = DeliveryEnd(NodeError(.notTrusted, "Somebody else is there.")) else {
            Issue.record("the parcel ended")
            return
        }
    }

    @Test("The key of a parcel outlives the agent, and ends with the parcel.")
    func kept() throws {
        let clock = SetClock()
        let database = try open(folder, clock: clock)
        try database.writeBlocking { change throws in
            try change.outbox.add(parcel(1))
            #expect(try change.outbox.show(id(1)).fingerprint == nil)
            for key in ["k3xq", nil, "other"] { try change.outbox.bind(id(1), to: key) }
            #expect(try change.outbox.show(id(1)).fingerprint == "k3xq")
            try change.outbox.cancel(id(1))
            #expect(try change.outbox.prune(before: clock.now + 1) == 1)
            try change.outbox.add(parcel(1))
            #expect(try change.outbox.show(id(1)).fingerprint == nil)
        }
    }
}
