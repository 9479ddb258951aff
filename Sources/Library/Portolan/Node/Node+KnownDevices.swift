import PortolanConcurrency

extension Node {
    /// Devices that something was exchanged with, and members of this device's teams; each once, by the name that it
    /// has here.
    ///
    /// - Throws: `StoreError`
    package func knownDevices() async throws -> [KnownDevice] {
        let pins = try await metDevices()
        return try await withLookupThread {
            let members = try store.teams.all().filter { !$0.isRemoved }.flatMap(\.team.members)
                .map { KnownDevice(name: $0.name, fingerprint: $0.key.fingerprint) }
            let known = Set(pins.map(\.fingerprint))
            return pins + members.filter { !known.contains($0.fingerprint) }
        }
    }

    /// Devices that something was exchanged with, by the names that they have here.
    ///
    /// - Throws: `StoreError`
    package func metDevices() async throws -> [KnownDevice] {
        try await withLookupThread {
            try store.peers.all().map {
                KnownDevice(
                    name: $0.name, announcedName: $0.isNamesake ? nil : $0.announcedName, fingerprint: $0.fingerprint)
            }
        }
    }
}
