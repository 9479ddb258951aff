import PortolanConcurrency
import PortolanCrypto
import PortolanTransport
import PortolanTrust
import PortolanValues

extension Node {
    /// Changes what others see of this node while it runs. Running operations continue, and existing sessions know it
    /// by its old name.
    ///
    /// A node that listens does so on another port at once, tells peers of that, and leaves the former one: sessions
    /// that came by it go on, and it is closed with the last of them.
    ///
    /// Nothing of this is stored: the next node of this home has what its configuration says. What is received is for
    /// the closure to decide that each ``receive(into:accepting:from:options:ledger:decide:onStored:events:)`` has,
    /// which may decide otherwise at each offer.
    ///
    /// - Parameters:
    ///   - name: its name from now on; nil leaves it.
    ///   - discoverability: by whom it can be found from now on; nil leaves it.
    ///   - port: port to listen on from now on, and no other one if this is taken; 0 takes any free port, nil leaves
    ///     it. A node that does not listen at the moment finds out when it does.
    /// - Throws: `NodeError` where it is to hide from all but its teams and is in none, or the port cannot be used;
    ///   `StoreError`. Nothing is changed then.
    public func reconfigure(
        name: DeviceName? = nil, discoverability: Configuration.Discoverability? = nil, port: UInt16? = nil
    ) async throws {
        if discoverability == .team {
            let isHidden = try await withLookupThread { try environment.ownTeams().contains { !$0.advertised.isEmpty } }
            guard isHidden else { throw NodeError.hidesFromAll }
        }
        try listener.move(to: port) {
            environment.reconfigure(name: name, discoverability: discoverability, port: port)
        }
    }

    /// Gives the installation in a home another name. Nodes that exist keep the old one.
    ///
    /// - Throws: `StoreError`
    public static func renameDevice(to name: DeviceName, in home: HomeDirectory) async throws {
        try await withLookupThread { try DeviceIdentity.rename(to: name, in: home) }
    }

    /// Gives the installation in a home another key, as one whose disk was copied from another machine's needs. Nodes
    /// that exist keep the old one.
    ///
    /// To others it is another device from then on: no contact of theirs, and no member of their teams.
    /// - Returns: the new key's fingerprint. The old key is kept beside it.
    /// - Throws: `StoreError`
    @discardableResult
    public static func renewKey(in home: HomeDirectory) async throws -> Fingerprint {
        try await withLookupThread { try DeviceIdentity.renewKey(in: home) }
    }
}
