import PortolanCrypto
import PortolanValues

/// Why a roster that somebody sent, or that was stored, is not taken. Nothing changes when one is refused.
public enum RosterError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Longer than ``RosterLimits/bytes``.
    case tooLarge(bytes: Int)
    /// More of something than a roster may have.
    case tooMany(String, count: Int, limit: Int)
    /// No roster at all, or one with a part that cannot be what it should.
    case malformed(String)
    /// A name in it is none.
    case badName(shown: DisplayText)
    /// Something is in it twice that can be there once.
    case duplicate(String)
    /// It could be written in another way, so its bytes are not the ones to sign.
    case notCanonical
    /// The signature is not the signer's over these bytes.
    case badSignature
    /// It belongs to another team.
    case otherTeam
    /// The signer is no admin by the roster itself.
    case signerIsNoAdmin
    /// The signer, or somebody on whose word the signer is an admin, was removed.
    case signerWasRemoved
    /// No admin that is known here has made the signer one.
    case signerIsUnknown
    /// It was signed more than a day ahead of now.
    case fromTheFuture
    /// The secret that came with it is not the one it commits to.
    case wrongSecret
    /// It came without the team's secret, which only a device is sent so that was removed by it.
    case noSecret
    /// There are as many rosters side by side already as are kept.
    case tooManyHeads

    public var description: String {
        switch self {
        case .tooLarge(let bytes): "The roster has \(bytes) bytes; at most \(RosterLimits.bytes) are taken."
        case .tooMany(let what, let count, let limit): "The roster has \(count) \(what); at most \(limit) are taken."
        case .malformed(let reason): "This is no roster: \(reason)."
        case .badName(let shown): "The roster has a name that is none: “\(shown)”."
        case .duplicate(let what): "The roster has the same \(what) twice."
        case .notCanonical: "The roster is not written in the one way that can be signed."
        case .badSignature: "The roster's signature is not valid; it was changed on the way, or forged."
        case .otherTeam: "The roster belongs to another team."
        case .signerIsNoAdmin: "The roster was signed by somebody who is no admin of the team."
        case .signerWasRemoved: "The roster was signed by somebody who was removed from the team."
        case .signerIsUnknown: "The roster was signed by somebody whom no known admin of the team has made one."
        case .fromTheFuture:
            "The roster was signed in the future. One of the two clocks is wrong; set it, then try again."
        case .wrongSecret: "The team's secret does not belong to the roster it came with."
        case .noSecret: "The roster came without the team's secret."
        case .tooManyHeads: "Too many changes of the team were made side by side. An admin has to settle them first."
        }
    }
}

/// How large a roster may be.
public enum RosterLimits {
    /// A roster fits into one control record, with room for what goes around it.
    public static let bytes = 229_376
    public static let members = 4096
    public static let groupsOfMember = 64
    public static let removals = 8192
    /// Admins that have ever signed.
    public static let clock = 256
    /// Rosters side by side.
    public static let heads = 8
    /// How many admins' words, each for the next, are followed from a signer to an admin who is known.
    static let vouchers = 64
    /// The most changes one admin signs; the sum of all of them then fits into 64 bits.
    static let count: UInt64 = 1 << 48
    /// The longest time, in seconds, for which a roster holds.
    static let lifetime: Int64 = 366 * 86_400
    /// 2^40 s, some 34,000 years: what every platform's calendar can still count.
    static let time: Int64 = 1 << 40
}
