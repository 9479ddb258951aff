import PortolanConcurrency
import PortolanCrypto
import PortolanTransport
import PortolanTrust

extension Node {
    /// Gives the installation in a home another name. Nodes that exist keep the old one.
    ///
    /// - Throws: `StoreError`
    public static func renameDevice(to name: DeviceName, in home: HomeDirectory) async throws {
        try await withLookupThread { try DeviceIdentity.rename(to: name, in: home) }
    }

    /// Gives the installation in a home another key, as one whose disk was copied from another machine's needs. Nodes that exist keep
    /// the old one.
    ///
    /// To others it is another device from then on: no contact of theirs, and no member of their teams.
    /// - Returns: the new key's fingerprint. The old key is kept beside it.
    /// - Throws: `StoreError`
    @discardableResult
    public static func renewKey(in home: HomeDirectory) async throws -> Fingerprint {
        try await withLookupThread { try DeviceIdentity.renewKey(in: home) }
    }
}
