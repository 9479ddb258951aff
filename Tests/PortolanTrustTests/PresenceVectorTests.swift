import Foundation
import PortolanCrypto
import PortolanTrust
import Testing

/// The language-neutral vectors of hidden devices.
struct PresenceVectorTests {
    private struct Vector: Decodable {
        struct Outcome: Decodable {
            let secret: Int?
            let fingerprint: String?
            let stranger: Bool?
        }

        let kind: String
        let comment: String
        let secrets: [String]
        let port: UInt16
        let n: String
        let t: String
        let outcome: Outcome

        static let keys: Set = ["kind", "comment", "secrets", "port", "n", "t", "outcome"]
        static let outcomeKeys: Set = ["secret", "fingerprint", "stranger"]
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Protocol/vectors", directoryHint: .isDirectory).standardizedFileURL

    private func vectors() throws -> [(name: String, vector: Vector)] {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path(percentEncoded: false))
        return try names.filter { $0.hasPrefix("presence-") }.sorted().map { name in
            let data = try Data(contentsOf: Self.folder.appending(path: name))
            let object = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
            let outcome = try #require(object["outcome"] as? [String: Any])
            #expect(Set(object.keys) == Vector.keys && Set(outcome.keys).isSubset(of: Vector.outcomeKeys), "\(name)")
            return (name, try JSONDecoder().decode(Vector.self, from: data))
        }
    }

    private func bytes(_ hex: String) throws -> [UInt8] {
        let digits = Array(hex.utf8)
        return try stride(from: 0, to: digits.count, by: 2).map {
            try #require(UInt8(String(decoding: digits[$0..<min($0 + 2, digits.count)], as: UTF8.self), radix: 16))
        }
    }

    @Test func hiddenDevicesAreRecognisedAsTheVectorsSay() throws {
        let all = try vectors()
        #expect(all.count == 10)
        for (name, vector) in all {
            #expect(vector.kind == "presence")
            let team = try #require(TeamID(bytes: Array(repeating: 1, count: 16)))
            let recogniser = try PresenceRecogniser(
                vector.secrets.enumerated().map { index, secret in
                    .init(team: team, secret: SecretBytes(copying: try bytes(secret)), generation: index)
                })
            let seal = try PresenceSeal(nonce: bytes(vector.n), slots: bytes(vector.t))
            let match = seal.flatMap { recogniser.recognise($0, port: vector.port) }
            #expect((match == nil) == (vector.outcome.stranger == true), "\(name)")
            #expect(match?.access.generation == vector.outcome.secret, "\(name)")
            let expected = try vector.outcome.fingerprint.map { try bytes($0) }
            #expect(match?.fingerprint.bytes == expected, "\(name)")
        }
    }
}
