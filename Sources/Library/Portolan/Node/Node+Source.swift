import PortolanConcurrency

extension Node {
    /// Device with this name here: a contact, or another device that has exchanged items with this one.
    ///
    /// - Throws: `NodeError` if there is none, `StoreError`.
    package func source(named name: DeviceName) async throws -> Source {
        try await withLookupThread {
            guard let peer = try store.peers.all().first(where: { $0.goes(by: name) }) else {
                throw NodeError(
                    .unreachable, "No device called “\(name)” is known here, so nothing can be taken from it alone.",
                    advice: .listContacts)
            }
            return .device(peer.fingerprint)
        }
    }
}
