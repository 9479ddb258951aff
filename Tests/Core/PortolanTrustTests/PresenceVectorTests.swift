import PortolanCrypto
import PortolanTrust
import PortolanValues
import TestSupport
import Testing

/// The language-neutral vectors of hidden devices.
struct PresenceVectorTests {
    @Test func recognitionMatchesTheVectors() throws {
        let team = try #require(TeamID(bytes: Array(repeating: 1, count: 16)))
        let vectors = try VectorFile.all(ofKind: "presence")
        #expect(vectors.count == 10)
        for vector in vectors {
            let secrets = try vector.texts("secrets").map { SecretBytes(copying: try [UInt8](hex: $0)) }
            let recogniser = PresenceRecogniser(
                secrets.enumerated().map { .init(team: team, secret: $0.element, generation: $0.offset) })
            let seal = PresenceSeal(nonce: try vector.bytes("n"), slots: try vector.bytes("t"))
            let port = UInt16(try vector.number("port"))
            let match = seal.flatMap { recogniser.recognise($0, port: port) }
            let outcome = try vector.object("outcome")
            if outcome.has("stranger") {
                #expect(try outcome.flag("stranger") && match == nil, "\(vector.path)")
            } else {
                #expect(try match?.access.generation == outcome.number("secret"), "\(vector.path)")
                #expect(try match?.fingerprint.bytes == outcome.bytes("fingerprint"), "\(vector.path)")
            }
        }
    }
}
