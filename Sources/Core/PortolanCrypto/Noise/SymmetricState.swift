/// The SymmetricState object of the Noise specification (section 5.2) with SHA-256.
struct SymmetricState: ~Copyable, Sendable {
    private var cipher: CipherState
    private var chainingKey: SecretBytes

    /// GetHandshakeHash(): hash over all data that both sides have exchanged.
    private(set) var hash: [UInt8]

    /// InitializeSymmetric(protocol_name)
    init(protocolName: String) {
        let name = Array(protocolName.utf8)
        let length = SHA256.digestLength
        hash = name.count <= length ? name + Array(repeating: 0, count: length - name.count) : SHA256.digest(name)
        chainingKey = SecretBytes(copying: hash, keeping: .wiped)
        cipher = CipherState(key: nil)
    }

    /// Bytes by which the next piece is longer than its plaintext.
    var overhead: Int { cipher.overhead }

    /// MixKey(input_key_material)
    mutating func mixKey(_ input: SecretBytes) {
        let outputs = SHA256.derive(2, chainingKey: chainingKey, input: input)
        chainingKey = outputs[0]
        cipher = CipherState(key: outputs[1])
    }

    /// MixHash(data)
    mutating func mixHash(_ data: [UInt8]) {
        hash = SHA256.digest(hash, data)
    }

    /// MixKeyAndHash(input_key_material), for pre-shared keys.
    mutating func mixKeyAndHash(_ input: SecretBytes) {
        let outputs = SHA256.derive(3, chainingKey: chainingKey, input: input)
        chainingKey = outputs[0]
        hash = SHA256.digest(label: hash, secret: outputs[1])
        cipher = CipherState(key: outputs[2])
    }

    /// EncryptAndHash(plaintext)
    mutating func encryptAndHash(_ plaintext: [UInt8]) -> [UInt8] {
        let ciphertext = cipher.encrypt(plaintext, associatedData: hash)
        mixHash(ciphertext)
        return ciphertext
    }

    /// DecryptAndHash(ciphertext)
    mutating func decryptAndHash(_ ciphertext: [UInt8]) throws(NoiseError) -> [UInt8] {
        let plaintext = try cipher.decrypt(ciphertext, associatedData: hash)
        mixHash(ciphertext)
        return plaintext
    }

    /// Split(), as the two keys rather than two cipher states: Portolan's records have a key schedule of their own.
    func split() -> NoiseSecrets {
        let outputs = SHA256.derive(2, chainingKey: chainingKey, input: nil)
        return NoiseSecrets(initiatorToResponder: outputs[0], responderToInitiator: outputs[1])
    }
}
