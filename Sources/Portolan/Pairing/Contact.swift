import Foundation
import PortolanCrypto
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
    public func contacts() throws(StoreError) -> [Contact] {
        try known.contacts().compactMap(Contact.init)
    }

    /// Gives a contact another name on this device.
    ///
    /// - Throws: `NodeError` if there is no such contact or the name is another one's, `StoreError`.
    public func renameContact(_ name: DeviceName, to newName: DeviceName) throws {
        guard try known.contacts().contains(where: { $0.goes(by: name) }) else { throw NodeError.noContact(name) }
        switch try known.rename(name, to: newName) {
        case .renamed: return
        case .unknown: throw NodeError.noContact(name)
        case .taken(let other):
            throw NodeError(.badInput, "“\(newName)” is \(other.fingerprint), another peer that this device knows.")
        }
    }

    /// Forgets a contact and its key, so that whoever goes by its name next is new.
    ///
    /// - Returns: who it was.
    /// - Throws: `NodeError` if there is no such contact, `StoreError`.
    @discardableResult
    public func forgetContact(_ name: DeviceName) throws -> Contact {
        guard let contact = try known.contacts().first(where: { $0.goes(by: name) }).flatMap(Contact.init) else {
            throw NodeError.noContact(name)
        }
        try known.forget(name)
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
        NodeError(.unreachable, "There is no contact “\(name)”; 'portolan contacts' lists them.")
    }
}
