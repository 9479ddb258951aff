import PortolanCrypto

/// The keys of one session's lanes: what names them, lets them in, and seals what they carry.
package struct LaneKeys: Sendable {
    /// Names the session to the side that accepts connections, 16 bytes that nobody else can know.
    package let id: [UInt8]

    private let secret: SecretBytes
    private let suite: RecordSuite

    /// - Parameter direction: the secret of what the initiator sends, as the handshake left it. Payload goes that way only,
    ///   and both sides have it.
    package init(direction: SecretBytes, suite: RecordSuite) {
        secret = direction.derived(for: "portolan/1 lanes")
        self.suite = suite
        id = secret.derived(for: "portolan/1 lane id").withUnsafeBytes { Array($0.prefix(16)) }
    }

    /// What whoever opens lane `index` says first.
    package func preface(index: Int) -> LanePreface {
        LanePreface(index: index, id: id, token: token(index).withUnsafeBytes { Array($0) })
    }

    /// Whether it was made with these keys. Tells nobody, by the time it takes, how much of it was right.
    package func admits(_ preface: LanePreface) -> Bool {
        preface.id == id && token(preface.index).equals(preface.token)
    }

    /// Seals what lane `index` carries. To be made once for each lane: two sealers would use every nonce twice.
    package func makeSealer(index: Int) -> RecordSealer { RecordSealer(secret: records(index), suite: suite) }

    /// Opens what lane `index` carries.
    package func makeOpener(index: Int) -> RecordOpener { RecordOpener(secret: records(index), suite: suite) }

    private func token(_ index: Int) -> SecretBytes { derived("portolan/1 lane token", index) }

    private func records(_ index: Int) -> SecretBytes { derived("portolan/1 lane records", index) }

    private func derived(_ purpose: String, _ index: Int) -> SecretBytes {
        precondition((0..<Limits.lanes).contains(index), "Lanes are numbered from 0 to 15")
        return secret.derived(for: purpose, number: UInt8(index))
    }
}
