import Portolan
import PortolanCrypto
import PortolanTrust
import PortolanValues
import Testing

@testable import PortolanCommand

/// Advice after a sentence of the library: the command or the option that helps.
@Suite struct AdviceTests {
    @Test func anErrorNamesTheOptionThatHelps() throws {
        let taken = NodeError(
            .cannotCreate, "Port 80 is taken by another program; choose another.", advice: .choosePort)
        #expect(
            CommandFailure(taken).description
                == "Port 80 is taken by another program; choose another. The option for another port is --port.")
        #expect(CommandFailure(NodeError(.unreachable, "A sentence.")).description == "A sentence.")
        #expect(CommandFailure(HomeError.noHome).description.contains("--home"))
        let foreign = StoreError(.foreignOwner(owner: 7), path: "/k")
        #expect(CommandFailure(foreign).description.contains("--home"))
        let nameless = StoreError(.damaged(reason: "x"), path: "/k", remedy: "Name it.", advice: .renameDevice)
        #expect(CommandFailure(nameless).description == "/k is damaged: x. Name it. Run: portolan id --name NAME")
    }

    @Test func eachOfTwoNamesakesCanBeNamed() throws {
        let key = DeviceKey.generate().publicKey.fingerprint
        let known = try DeviceName("ada's")
        let name = try DeviceName("ada's (2)")
        func sentence(_ other: Fingerprint?, isByAddress: Bool, _ name: DeviceName? = nil) -> String {
            Advice.tellNamesakesApart(
                .init(known: known, other: other, isByAddress: isByAddress, otherName: name)
            ).sentence
        }
        let forget = #"portolan peers --forget 'ada'\''s'"#
        let to = "--to \(key.description.prefix(9))"
        #expect(
            sentence(key, isByAddress: true)
                == "The same device, set up anew: \(forget). Another one: \(to), or portolan pair")
        #expect(
            sentence(key, isByAddress: false, name)
                == "The same device, set up anew: \(forget). Another one, to be “ada's (2)” here: \(to)")
        #expect(sentence(nil, isByAddress: true) == "The same device, set up anew: \(forget)")
    }
}
