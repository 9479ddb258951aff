import PortolanCrypto
import Synchronization

/// The nonces under which members may open a handshake with this device: the advertised one and the one before it,
/// which some may still hold.
///
/// A member's first message is good once under one nonce, so that one who recorded it cannot find out with it who
/// listens here. Shared by all connections of a process.
package final class AdvertisedNonces: Sendable {
    package static let length = OpeningCall.valueLength
    /// Number of first messages that are remembered for each nonce; a nonce with so many is retired.
    package static let capacity = 4096
    /// Number of secrets that are tried on a first message.
    package static let maximumSecrets = 16

    private struct Nonce {
        let bytes: [UInt8]
        /// The ephemeral keys of the first messages that were good. Only members can add to them.
        var seen: Set<[UInt8]> = []
        var isRetired = false
    }

    // At most two, the newest first.
    private let held = Mutex<[Nonce]>([])
    private let secrets: @Sendable () -> [SecretBytes]
    private let exhausted = Mutex<@Sendable () -> Void>({})

    /// Holds no nonce until the first ``rotate(to:)``, and so admits no members.
    ///
    /// - Parameter secrets: the secrets of this device's teams as they are at the moment. Asked in every handshake and
    ///   on the connection's event loop: it answers from memory.
    package init(secrets: @escaping @Sendable () -> [SecretBytes]) {
        self.secrets = secrets
    }

    /// Advertises another nonce from here on. The one before it stays good until the next change.
    ///
    /// - Precondition: `nonce` has ``length`` random bytes and was not used before.
    package func rotate(to nonce: [UInt8]) {
        precondition(nonce.count == Self.length, "a nonce has \(Self.length) bytes")
        held.withLock { held in
            precondition(held.allSatisfy { $0.bytes != nonce }, "a nonce is advertised once")
            held = [Nonce(bytes: nonce)] + held.prefix(1)
        }
    }

    /// Withdraws all advertised nonces.
    package func withdraw() {
        held.withLock { $0 = [] }
    }

    /// Calls `body`, from here on, whenever the newest nonce is exhausted and must be replaced.
    package func onExhaustion(_ body: @escaping @Sendable () -> Void) { exhausted.withLock { $0 = body } }

    /// Returns the team secrets to try on a first message.
    func currentSecrets() -> ArraySlice<SecretBytes> { secrets().prefix(Self.maximumSecrets) }

    /// Returns true if members may come under this nonce.
    func isGood(_ nonce: [UInt8]) -> Bool {
        held.withLock { $0.contains { $0.bytes == nonce && !$0.isRetired } }
    }

    /// Admits a verified first message; true the first time, false for a repetition.
    package func admit(_ ephemeral: [UInt8], under nonce: [UInt8]) -> Bool {
        let (isNew, isExhausted) = held.withLock { held -> (Bool, Bool) in
            guard let place = held.firstIndex(where: { $0.bytes == nonce }), !held[place].isRetired,
                held[place].seen.insert(ephemeral).inserted
            else { return (false, false) }
            guard held[place].seen.count == Self.capacity else { return (true, false) }
            held[place] = Nonce(bytes: nonce, isRetired: true)
            return (true, place == 0)
        }
        if isExhausted { exhausted.withLock(\.self)() }
        return isNew
    }
}
