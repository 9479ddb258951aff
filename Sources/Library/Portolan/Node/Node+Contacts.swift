import PortolanConcurrency

extension Node {
    /// Contacts in the order of pairing.
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

    /// Deletes a contact and its key. The next device with its name counts as new.
    ///
    /// - Returns: the contact.
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

extension NodeError {
    static func noContact(_ name: DeviceName) -> NodeError {
        NodeError(.unreachable, "There is no contact “\(name)”.", advice: .listContacts)
    }
}
