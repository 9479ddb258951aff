import PortolanCrypto
import PortolanValues
import Testing

@testable import Portolan
@testable import PortolanCommand
@testable import PortolanTrust

@Suite struct SourceArgumentTests {
    @Test("a source is all contacts, a team, a device by its name, or a key")
    func parses() throws {
        let key = Fingerprint(of: DeviceKey.generate().publicKey)
        #expect(try SourceArgument.parse("@contacts") == .contacts)
        #expect(try SourceArgument.parse("@acme/design") == .team(try TeamTarget.parse("@acme/design")))
        #expect(try SourceArgument.parse("laptop") == .device(try DeviceArgument.parse("laptop")))
        #expect(try SourceArgument.parse(key.description) == .key(key))
        for text in ["@", "@a b", "", "a\u{1B}b"] {
            #expect(throws: ValueError.self) { try SourceArgument.parse(text) }
        }
    }

    @Test("contacts are those whose key was confirmed, and a device is its key alone")
    func holds() {
        let keys = (0..<2).map { _ in Fingerprint(of: DeviceKey.generate().publicKey) }
        let contact = Standing(isContact: true, memberships: [])
        #expect(Source.contacts.includes(contact, keys[0]) && !Source.contacts.includes(.anyone, keys[0]))
        #expect(Source.device(keys[0]).includes(.anyone, keys[0]) && !Source.device(keys[0]).includes(contact, keys[1]))
    }
}
