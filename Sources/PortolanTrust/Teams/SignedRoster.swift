import PortolanCrypto

/// A roster's bytes and their signature, as they travel and are stored. Nothing about them has been checked.
package struct SignedRoster: Hashable, Sendable {
    package let bytes: [UInt8]
    package let signature: [UInt8]

    package init(bytes: [UInt8], signature: [UInt8]) {
        self.bytes = bytes
        self.signature = signature
    }

    /// Signs a roster that is ready: its signer is `key`.
    ///
    /// - Throws: ``RosterError`` when it is larger than anybody takes.
    init(_ roster: Roster, by key: DeviceKey) throws(RosterError) {
        precondition(roster.signer.matches(key.publicKey), "a roster is signed by the one it names")
        let bytes = roster.encode()
        // What nobody would take is not signed; to read it is the one way to be sure.
        _ = try Roster(decoding: bytes)
        self.init(bytes: bytes, signature: key.signature(for: Self.statement(bytes)))
    }

    /// The roster, once its signature has been found to be that of the admin it names as its signer.
    ///
    /// Whether that admin may say so is another question.
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
