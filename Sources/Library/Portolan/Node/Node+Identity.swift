import PortolanConcurrency
import PortolanTransport

extension Node {
    /// Changes the name, discoverability or port of the running node. Running operations continue; existing sessions
    /// keep the old name.
    ///
    /// A listening node opens the new port at once and announces it. The former port accepts no new sessions, and is
    /// closed with the last of its sessions.
    ///
    /// The change is not stored: the next node of this home uses its configuration. Rules for received offers are not
    /// part of it: the `decide` closure of
    /// ``receive(into:accepting:from:options:ledger:decide:decideAgain:onStored:events:)`` may answer each offer
    /// differently.
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

    /// Gives the installation in a home a new key. A copied disk needs this, since both machines would have the same
    /// key. Existing nodes keep the old key.
    ///
    /// Peers see a different device from then on, which is no contact and no member of a team.
    /// - Returns: the new key's fingerprint. The old key is kept beside it.
    /// - Throws: `StoreError`
    @discardableResult
    public static func renewKey(in home: HomeDirectory) async throws -> Fingerprint {
        try await withLookupThread { try DeviceIdentity.renewKey(in: home) }
    }
}
