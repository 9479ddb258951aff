import PortolanCrypto

/// Bytes of a roster and their signature, in transit or stored. Not checked.
package struct SignedRoster: Hashable, Sendable {
    package let bytes: [UInt8]
    package let signature: [UInt8]

    package init(bytes: [UInt8], signature: [UInt8]) {
        self.bytes = bytes
        self.signature = signature
    }

    /// Signs a finished roster; its signer is `key`.
    ///
    /// - Throws: ``RosterError`` if the roster is larger than the limit.
    init(_ roster: Roster, by key: DeviceKey) throws(RosterError) {
        precondition(roster.signer.matches(key.publicKey), "a roster is signed by the one it names")
        let bytes = roster.encode()
        // A roster that others would reject is not signed; decoding it is the complete check.
        _ = try Roster(decoding: bytes)
        self.init(bytes: bytes, signature: key.signature(for: Self.statement(bytes)))
    }

    /// Returns the roster, after checking that the signature is that of the signer it names.
    ///
    /// The signer's right to sign is not checked here.
    package func verified() throws(RosterError) -> Roster {
        let roster = try Roster(decoding: bytes)
        guard let signer = roster.member(roster.signer), signer.admin != nil else { throw .signerIsNoAdmin }
        guard let key = try? DevicePublicKey(bytes: roster.signer.bytes),
            key.isValidSignature(signature, for: Self.statement(bytes))
        else { throw .badSignature }
        return roster
    }

    private static func statement(_ bytes: [UInt8]) -> [UInt8] { Array("portolan/1 roster".utf8) + bytes }
}
