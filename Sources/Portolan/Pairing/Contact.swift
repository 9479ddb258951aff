import Foundation
import PortolanConcurrency
import PortolanCrypto
import PortolanTransport
import PortolanTrust

/// A peer whose key was confirmed by pairing: somebody has read a code aloud and somebody else has entered it.
public struct Contact: Sendable, Hashable {
    /// What this device calls it.
    public let name: DeviceName
    /// What it calls itself.
    public let announcedName: DeviceName
    public let fingerprint: Fingerprint
    /// When it was paired.
    public let since: Date
    /// When it was last met, to the hour.
    public let lastSeen: Date
}

extension Node {
    /// The contacts, in the order in which they were made.
    ///
    /// - Throws: `StoreError`
    public func contacts() async throws -> [Contact] {
        try await withLookupThread { try store.peers.contacts().compactMap(Contact.init) }
    }

    /// Gives a contact another name on this device.
    ///
    /// - Throws: `NodeError` if there is no such contact or the name is another one's, `StoreError`.
    public func renameContact(_ name: DeviceName, to newName: DeviceName) async throws {
        try await withLookupThread {
            _ = try contact(name)
            switch try store.peers.rename(name, to: newName) {
            case .renamed: return
            case .unknown: throw NodeError.noContact(name)
            case .taken(let other):
                throw NodeError(.badInput, "“\(newName)” is \(other.fingerprint), another peer that this device knows.")
            }
        }
    }

    /// Forgets a contact and its key, so that whoever goes by its name next is new.
    ///
    /// - Returns: who it was.
    /// - Throws: `NodeError` if there is no such contact, `StoreError`.
    @discardableResult
    public func forgetContact(_ name: DeviceName) async throws -> Contact {
        try await withLookupThread {
            let contact = try contact(name)
            try store.peers.forget(name)
            return contact
        }
    }

    /// May block.
    private func contact(_ name: DeviceName) throws -> Contact {
        let named = try store.peers.contacts().first { $0.goes(by: name) }
        guard let contact = named.flatMap(Contact.init) else { throw NodeError.noContact(name) }
        return contact
    }
}

extension Contact {
    init?(_ peer: KnownPeer) {
        guard let confirmed = peer.confirmed else { return nil }
        self.init(
            name: peer.name, announcedName: peer.announcedName, fingerprint: peer.fingerprint, since: confirmed,
            lastSeen: peer.lastSeen)
    }
}

extension NodeError {
    static func noContact(_ name: DeviceName) -> NodeError {
        NodeError(.unreachable, "There is no contact “\(name)”.", advice: .listContacts)
    }
}
