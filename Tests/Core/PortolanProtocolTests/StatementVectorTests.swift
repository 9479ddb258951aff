import Foundation
import PortolanCrypto
import PortolanTrust
import PortolanValues
import TestSupport
import Testing

/// The vectors of statements for whom a folder is (SYNC.md 8).
@Suite struct StatementVectorTests {
    @Test func statementsMatchTheVectors() throws {
        for vector in try VectorFile.all(ofKind: "statement") {
            let bytes = try vector.bytes("statement")
            var grant: SignedFolderStatement.Signed?
            if vector.has("grant") {
                grant = .init(
                    bytes: Data(try vector.bytes("grant")), signature: Data(try vector.bytes("grant_signature")))
            }
            let signed = SignedFolderStatement(
                own: .init(bytes: Data(bytes), signature: Data(try vector.bytes("signature"))), grant: grant)
            if vector.has("refused") {
                #expect(try refusal(of: signed) == vector.text("refused"), "\(vector.path)")
                continue
            }
            let verified = try signed.verified()
            let statement = verified.statement
            #expect(statement.encode() == bytes, "\(vector.path)")
            #expect(try verified.isSignedByKey == vector.flag("signer_may"), "\(vector.path)")
            let key = try DeviceKey(seed: vector.bytes("signer_seed"))
            #expect(try SignedFolderStatement(statement, by: key, after: grant) == signed, "\(vector.path)")

            let meaning = try vector.object("meaning")
            #expect(try statement.folder == meaning.bytes("folder"), "\(vector.path)")
            #expect(try Int(statement.version) == meaning.number("version"))
            #expect(try statement.maker.bytes == meaning.bytes("maker"))
            #expect(try statement.salt == meaning.bytes("salt"))
            #expect(try statement.signer.bytes == meaning.bytes("signer"))
            #expect(try statement.former == (meaning.has("former") ? meaning.bytes("former") : nil))
            #expect(try statement.before == (meaning.has("before") ? meaning.bytes("before") : nil))
            #expect(try statement.keepers.map(\.bytes) == meaning.texts("keepers").map { try [UInt8](hex: $0) })
            let parts = try meaning.objects("parts")
            #expect(parts.count == statement.parts.count)
            for (part, meant) in zip(statement.parts, parts) {
                switch part {
                case .contact(let key, let name):
                    #expect(try key.bytes == meant.bytes("contact") && name.text == meant.text("name"))
                case .team(let team, let name, let group):
                    #expect(try team.bytes == meant.bytes("team") && name.text == meant.text("name"))
                    #expect(try group?.text ?? "" == meant.text("group"))
                }
            }
        }
    }

    private func refusal(of signed: SignedFolderStatement) throws -> String? {
        do {
            _ = try signed.verified()
            return nil
        } catch { return error == .tooLarge ? "limit" : "malformed" }
    }
}
