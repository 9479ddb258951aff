import PortolanCrypto

/// The keys of the lanes that carry payload in one direction of a session: their identifier, their tokens, and the keys
/// of their records.
package struct LaneKeys: Sendable {
    /// Identifies the direction and its session to the side that accepts connections: 16 bytes, known only to the two
    /// sides.
    package let id: [UInt8]

    private let secret: SecretBytes
    private let suite: RecordSuite

    /// - Parameter direction: secret of this direction of the session from the handshake. Both sides have it.
    package init(direction: SecretBytes, suite: RecordSuite) {
        secret = direction.derived(for: "portolan/1 lanes")
        self.suite = suite
        id = secret.derived(for: "portolan/1 lane id").withUnsafeBytes { Array($0.prefix(16)) }
    }

    /// Returns the first bytes on a lane, from the side that connects.
    package func preface(_ number: UInt32) -> LanePreface {
        LanePreface(number: number, id: id, token: token(number).withUnsafeBytes { Array($0) })
    }

    /// Returns true if the preface was made with these keys. The check takes constant time for all tokens.
    package func admits(_ preface: LanePreface) -> Bool {
        preface.id == id && token(preface.number).equals(preface.token)
    }

    /// Makes the sealer of a lane's records. Called once for each lane, since two sealers would use every nonce twice.
    package func makeSealer(_ number: UInt32) -> RecordSealer {
        RecordSealer(secret: records(number), suite: suite)
    }

    /// Opens the records of a lane.
    package func makeOpener(_ number: UInt32) -> RecordOpener {
        RecordOpener(secret: records(number), suite: suite)
    }

    static func bytes(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }

    private func token(_ number: UInt32) -> SecretBytes {
        secret.derived(for: "portolan/1 lane token", of: Self.bytes(number))
    }

    private func records(_ number: UInt32) -> SecretBytes {
        secret.derived(for: "portolan/1 lane records", of: Self.bytes(number))
    }
}
