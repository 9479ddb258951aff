/// What each side of a ``CPace`` run sends: one message, in the open.
public struct CPaceMessage: Hashable, Sendable {
    /// The sender's public share, Ya or Yb: an encoded group element of ``CPace/shareLength`` bytes if the sender is honest.
    public let share: [UInt8]

    /// What the sender says along with it, ADa or ADb; both sides get one key only if they agree on it.
    public let associatedData: [UInt8]

    public init(share: [UInt8], associatedData: [UInt8]) {
        self.share = share
        self.associatedData = associatedData
    }
}

/// Makes a strong key out of a short code that two people share: CPACE-RISTR255-SHA512 of draft-irtf-cfrg-cpace-21, with an
/// initiator and a responder (sections 7 and 8.3).
///
/// Each side sends its ``message`` and takes the other's; whoever listens learns nothing about the code, and whoever takes
/// part can try one code in one run. It does no input or output.
///
/// The two sides get the same key if they began with the same code, channel and session and saw the same two messages. If
/// not, they get two keys that have nothing in common, and **nothing here says so**: the key must be confirmed (section 10.4)
/// before anything depends on it. Portolan does that by running ``NoisePattern/xxPSK0`` under ``preSharedKey(with:)``:
///
///                              <- responder: CPace message
///     initiator: CPace message, Noise 1 ->     the responder can tell here whether the code is right
///                              <- responder: Noise 2
///     initiator: Noise 3 ->
///
/// The responder answers nothing to a wrong Noise 1, so an attacker who plays the initiator has spent the guess that its share
/// was made with. An attacker who plays the responder tests its guess with the Noise 1 it is sent. **A code is therefore
/// spent on the responder's side once a first Noise message did not verify, and on the initiator's side once it has sent
/// one**, unless the handshake succeeds. A run that ends before that gave nothing away. Whoever allows several runs at once
/// with one code looks whether it is spent before reading each first Noise message, not only when a run begins.
///
/// Not copyable and consumed by the step that gives the key, so that no scalar serves twice (section 10.9).
public struct CPace: ~Copyable, Sendable {
    /// How many bytes a public share has.
    public static let shareLength = Ristretto255.elementLength

    /// How long either side's associated data may be, in bytes. The draft has no limit; this one bounds what is hashed.
    public static let maximumAssociatedDataLength = 4096

    /// What this side sends.
    public let message: CPaceMessage

    private let role: NoiseRole
    private let session: [UInt8]
    private let scalar: SecretBytes

    /// Begins a run.
    ///
    /// - Parameters:
    ///   - role: Which side this is. One code is used in one role only by one device, or a message sent back to another run
    ///     on the same device would find a partner (section 10.1.2).
    ///   - password: What both people know, PRS; see ``PairingCode/secret``.
    ///   - channel: What both sides know about each other and about what they are doing before they begin, CI: the initiator's
    ///     part first. It is not sent (section 10.1.1).
    ///   - session: A name for this run, sid, that both sides know before it and that no other run has: random bytes of both
    ///     sides, one after the other (section 10.9).
    ///   - associatedData: What this side says of itself in the open, at most ``maximumAssociatedDataLength`` bytes.
    public init(
        role: NoiseRole, password: SecretBytes, channel: [UInt8], session: [UInt8], associatedData: [UInt8]
    ) {
        self.init(
            role: role, password: password, channel: channel, session: session, associatedData: associatedData,
            scalar: Ristretto255.randomScalar())
    }

    /// Begins a run whose scalar is known, for reproducing one. A scalar is never used twice.
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

    /// Ends the run and gives the key for a Noise handshake with ``NoisePattern/xxPSK0``: 32 bytes.
    ///
    /// It is HMAC-SHA256(``intermediateKey(with:)``, "portolan/1 pairing"): the draft wants its key to go through a key
    /// derivation (section 10.3), and Noise wants a key that is used for nothing else (section 14).
    ///
    /// - Parameter peer: What the other side sent.
    /// - Throws: ``CPaceError`` when no honest peer sends this. A wrong code is no error, see above.
    public consuming func preSharedKey(with peer: CPaceMessage) throws(CPaceError) -> SecretBytes {
        SHA256.authenticate(Array("portolan/1 pairing".utf8), key: try intermediateKey(with: peer))
    }

    /// Ends the run and gives the draft's intermediate session key, ISK: 64 bytes (section 7.2).
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

    /// G.calculate_generator (section 8.3): the element the code leads to, as secret as the code.
    static func generator(password: SecretBytes, channel: [UInt8], session: [UInt8]) -> SecretBytes {
        let string = CPaceStrings.generatorString(password: password, channel: channel, session: session)
        return Ristretto255.element(derivedFrom: SHA512.digest(string))
    }
}
