import HostilePeers
import Portolan
import PortolanCrypto
import PortolanProtocol
import PortolanTrust
import PortolanValues
import Synchronization
import Testing

/// A device that announces the name of another one.
@Suite(.serialized) struct BorrowedNameTests {
    @Test("an offer of a new device is not accepted if another key took its name while a person was asked")
    func nameTakenByAnotherKeyDuringTheSession() async throws {
        let known = Mutex<KnownPeers?>(nil)
        let owner = DeviceKey.generate().publicKey
        try await Victim.with(
            from: { node in
                known.withLock { $0 = KnownPeers(home: node.configuration.home) }
                return nil
            },
            deciding: { offer in
                #expect(offer.peer.namesakeOf == nil)
                // The device that the name belongs to from now on has sent something meanwhile.
                _ = try? known.withLock(\.self)?.remember(name: DeviceName("debian"), key: owner, now: .now)
                return .acceptNamesake
            }
        ) { victim in
            let mallory = try DeviceIdentity.made(named: "debian")
            let peer = try HostilePeer(port: victim.port, identity: mallory)
            try peer.shakeHands()
            try peer.offer(.file, awaitingAnswer: false)
            let ending = try peer.ending()
            #expect(!ending.isAnswered)
            #expect(ending.reason == .notTrusted)
            #expect(try await victim.hasEndedASession())
            #expect(
                victim.complaints.contains {
                    $0.contains("\(owner.fingerprint)") && $0.contains("\(mallory.publicKey.fingerprint)")
                }, "\(victim.complaints)")
            #expect(try victim.contents() == [])
        }
    }
}
