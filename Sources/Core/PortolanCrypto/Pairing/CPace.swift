/// Message of one side of a ``CPace`` run, sent unencrypted.
public struct CPaceMessage: Hashable, Sendable {
    /// The sender's public share, Ya or Yb: an encoded group element of ``CPace/shareLength`` bytes if the sender is
    /// honest.
    public let share: [UInt8]

    /// The sender's associated data, ADa or ADb; both sides get one key only if they agree on it.
    public let associatedData: [UInt8]

    public init(share: [UInt8], associatedData: [UInt8]) {
        self.share = share
        self.associatedData = associatedData
    }
}

/// Makes a strong key out of a short code that two people share: CPACE-RISTR255-SHA512 of draft-irtf-cfrg-cpace-21,
/// with an initiator and a responder (sections 7 and 8.3).
///
/// Each side sends its ``message`` and takes the other's. A listener learns nothing about the code, and a participant
/// can try one code in one run. The type does no input or output.
///
/// The two sides get the same key if they began with the same code, channel and session and saw the same two messages.
/// If not, they get two keys that have nothing in common, and **no error reports this**: the key must be confirmed
/// (section 10.4) before anything depends on it. Portolan does that by running ``NoisePattern/xxPSK0`` under
/// ``preSharedKey(with:)``:
///
///                              <- responder: CPace message
///     initiator: CPace message, Noise 1 ->     the responder can tell here whether the code is right
///                              <- responder: Noise 2
///     initiator: Noise 3 ->
///
/// The responder does not answer a wrong Noise 1, so an attacker who plays the initiator has spent the guess that
/// its share was made with. An attacker who plays the responder tests its guess with the Noise 1 it is sent. **A code
/// is therefore spent on the responder's side once a first Noise message did not verify, and on the initiator's side
/// once it has sent one**, unless the handshake succeeds. A run that ends before that reveals nothing. A caller that
/// allows several runs at once with one code must check that it is not spent before reading each first Noise message,
/// not only when a run begins.
///
/// Not copyable and consumed by the step that gives the key, so that no scalar serves twice (section 10.9).
public struct CPace: ~Copyable, Sendable {
    /// Length of a public share, in bytes.
    public static let shareLength = Ristretto255.elementLength

    /// Longest associated data of either side, in bytes. The draft has no limit; this one bounds the hashed data.
    public static let maximumAssociatedDataLength = 4096

    /// Message of this side.
    public let message: CPaceMessage

    private let role: NoiseRole
    private let session: [UInt8]
    private let scalar: SecretBytes

    /// Begins a run.
    ///
    /// - Parameters:
    ///   - role: This side. A device must use one code in one role only, or a message reflected to another run on the
    ///     same device would be accepted (section 10.1.2).
    ///   - password: Shared password, PRS; see ``PairingCode/secret``.
    ///   - channel: Channel identifier, CI: data that both sides know before the run, the initiator's part first. Not
    ///     sent (section 10.1.1).
    ///   - session: Unique identifier of this run, sid, known to both sides before it: random bytes of both sides,
    ///     concatenated (section 10.9).
    ///   - associatedData: This side's unencrypted statement about itself, at most ``maximumAssociatedDataLength``
    ///     bytes.
    public init(
        role: NoiseRole, password: SecretBytes, channel: [UInt8], session: [UInt8], associatedData: [UInt8]
    ) {
        self.init(
            role: role, password: password, channel: channel, session: session, associatedData: associatedData,
            scalar: Ristretto255.randomScalar())
    }

    /// Begins a run with a known scalar, to reproduce one. A scalar must not be used twice.
    package init(
        role: NoiseRole, password: SecretBytes, channel: [UInt8], session: [UInt8], associatedData: [UInt8],
        scalar: SecretBytes
    ) {
        precondition(
            associatedData.count <= Self.maximumAssociatedDataLength,
            "a pairing message says at most \(Self.maximumAssociatedDataLength) bytes of its sender")
        self.role = role
        self.session = session
        self.scalar = scalar
        let generator = Self.generator(password: password, channel: channel, session: session)
        guard let share = try? Ristretto255.product(scalar, generator) else {
            preconditionFailure("a scalar of zero, or a password for which SHA-512 gives the identity")
        }
        message = CPaceMessage(share: share.withUnsafeBytes { Array($0) }, associatedData: associatedData)
    }

    /// Ends the run and returns the key for a Noise handshake with ``NoisePattern/xxPSK0``: 32 bytes.
    ///
    /// It is HMAC-SHA256(``intermediateKey(with:)``, "portolan/1 pairing"): the draft wants its key to go through a key
    /// derivation (section 10.3), and Noise wants a key that is used for nothing else (section 14).
    ///
    /// - Parameter peer: Message of the other side.
    /// - Throws: ``CPaceError`` for a message that no honest peer sends. A wrong code is no error, see above.
    public consuming func preSharedKey(with peer: CPaceMessage) throws(CPaceError) -> SecretBytes {
        SHA256.authenticate(Array("portolan/1 pairing".utf8), key: try intermediateKey(with: peer))
    }

    /// Ends the run and returns the draft's intermediate session key, ISK: 64 bytes (section 7.2).
    ///
    /// - Throws: ``CPaceError``.
    package consuming func intermediateKey(with peer: CPaceMessage) throws(CPaceError) -> SecretBytes {
        guard peer.share.count == Self.shareLength else { throw .wrongShareLength(peer.share.count) }
        guard peer.associatedData.count <= Self.maximumAssociatedDataLength else {
            throw .associatedDataTooLong(peer.associatedData.count)
        }
        guard peer.share != message.share else { throw .reflectedShare }
        let sharedSecret = try Ristretto255.product(scalar, SecretBytes(copying: peer.share, keeping: .wiped))
        let (initiator, responder) = role == .initiator ? (message, peer) : (peer, message)
        return SHA512.digest(
            CPaceStrings.keyString(
                session: session, sharedSecret: sharedSecret, initiator: initiator, responder: responder))
    }

    /// Computes G.calculate_generator (section 8.3): the element of a code, as secret as the code.
    static func generator(password: SecretBytes, channel: [UInt8], session: [UInt8]) -> SecretBytes {
        let string = CPaceStrings.generatorString(password: password, channel: channel, session: session)
        return Ristretto255.element(derivedFrom: SHA512.digest(string))
    }
}
