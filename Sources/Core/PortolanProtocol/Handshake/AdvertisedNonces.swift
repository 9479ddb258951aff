import PortolanCrypto
import Synchronization

/// Nonces under which members may open a handshake with this device: the advertised one and its predecessor, which some
/// members may still have.
///
/// A member's first message is accepted once under one nonce, so that a recording of it cannot be used to identify this
/// device. Shared by all connections of a process.
package final class AdvertisedNonces: Sendable {
    package static let length = OpeningCall.valueLength
    /// Number of first messages that are remembered for each nonce; a nonce with this number is retired.
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
    /// - Parameter secrets: returns the current secrets of this device's teams. Called in every handshake on the
    ///   connection's event loop, so it must answer from memory.
    package init(secrets: @escaping @Sendable () -> [SecretBytes]) {
        self.secrets = secrets
    }

    /// Advertises another nonce. Its predecessor stays valid until the next change.
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

    /// Returns true if members may use this nonce.
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
