import PortolanCrypto
import PortolanTrust
import PortolanValues
import Testing

@Suite struct TeamFoundingTests {
    @Test func theIdentifierFollowsFromTheFounderAndTheSalt() throws {
        let founder = PinnedKey(try DeviceKey(seed: [UInt8](repeating: 1, count: 32)).publicKey)
        let id = TeamID(founder: founder, salt: [UInt8](repeating: 9, count: 16))
        #expect(id == TeamID(founder: founder, salt: [UInt8](repeating: 9, count: 16)))
        #expect(id != TeamID(founder: founder, salt: [UInt8](repeating: 8, count: 16)))
        #expect(TeamID(id.description) == id)
    }
}
