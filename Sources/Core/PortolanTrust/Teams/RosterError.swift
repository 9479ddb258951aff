import PortolanCrypto
import PortolanValues

/// Reason why a received or stored roster is rejected. A rejected roster changes nothing.
public enum RosterError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The roster is longer than ``RosterLimits/bytes``.
    case tooLarge(bytes: Int)
    /// A list exceeds its limit.
    case tooMany(String, count: Int, limit: Int)
    /// The bytes are no roster, or a part is invalid.
    case malformed(String)
    /// A name is invalid.
    case badName(shown: DisplayText)
    /// A unique item is repeated.
    case duplicate(String)
    /// The bytes are not the canonical encoding, which is signed.
    case notCanonical
    /// The signature is not one of the signer over these bytes.
    case badSignature
    /// The roster belongs to another team.
    case otherTeam
    /// The signer is not an admin in the roster itself.
    case signerIsNoAdmin
    /// The signer, or an admin in its chain of vouchers, was removed.
    case signerWasRemoved
    /// No known admin has made the signer one.
    case signerIsUnknown
    /// The roster was signed more than a day ahead of now.
    case fromTheFuture
    /// The secret does not match the roster's commitment.
    case wrongSecret
    /// The team's secret is missing; only a removed device is sent a roster without it.
    case noSecret
    /// The largest number of concurrent rosters is reached.
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

/// Limits on a roster.
public enum RosterLimits {
    /// Largest roster, in bytes: it fits into one control record, with room for the message around it.
    public static let bytes = 229_376
    public static let members = 4096
    public static let groupsOfMember = 64
    public static let removals = 8192
    /// Largest number of admins that have ever signed.
    public static let clock = 256
    /// Largest number of concurrent rosters.
    public static let heads = 8
    /// Largest number of vouchers between a signer and a known admin.
    static let vouchers = 64
    /// Largest number of changes by one admin; the sum of all of them then fits into 64 bits.
    static let count: UInt64 = 1 << 48
    /// Longest validity of a roster, in seconds.
    static let lifetime: Int64 = 366 * 86_400
    /// Latest time: 2^40 s, some 34,000 years, within every platform's calendar.
    static let time: Int64 = 1 << 40
}
