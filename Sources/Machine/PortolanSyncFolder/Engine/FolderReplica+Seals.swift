import PortolanFiles
import PortolanSyncPlan

/// Seals of this device that members give back: one that the index does not know was made by a later state of it, so
/// that the machine was set back, or by another machine with the device's key.
extension FolderReplica {
    /// Seals of this device that members have given back since the folder was opened.
    struct SealChecks {
        /// Latest seals that members heard from this device, and gave back.
        var known: [DeviceID: ReplicaSeal] = [:]
        /// Members that gave back seals, or told of changes by this device, that it did not make.
        var doubted: Set<DeviceID> = []
        /// Stop of this device, in force: another machine has its key.
        var stop: ReplicaSeal?

        init(stop: ReplicaSeal? = nil) { self.stop = stop }
    }

    /// Checks the seal of a position of this device that a member heard from it.
    ///
    /// - Throws: ``SyncError`` of kind `epochEnded` if the machine was set back, and `halted` if another machine has
    ///   this device's key.
    package func check(_ cursor: PortolanSyncPlan.ChangeCursor?, by member: DeviceID) async throws {
        guard let seal = cursor?.seal, checks.known[member] != seal else { return }
        try await exclusively { replica in
            try replica.openFolder()
            try replica.check(seal, by: member)
        }
    }

    /// Returns the members that told of changes by this device that it did not make, since the last call.
    package func takeDoubted() -> Set<DeviceID> {
        let doubted = checks.doubted
        if !doubted.isEmpty { changeChecks { $0.doubted = [] } }
        return doubted
    }

    /// - Parameter isPassedOn: true if the member did not hear it from this device.
    func check(_ seal: ReplicaSeal?, by member: DeviceID, isPassedOn: Bool = false) throws {
        guard let seal, checks.known[member] != seal else { return }
        guard let state = SealedState(seal, by: seals) else { return doubt(member) }
        guard try !index.transact({ $0.knows(state) }) else {
            if !isPassedOn { changeChecks { $0.known[member] = seal } }
            return
        }
        if state.isStop { try stop(by: seal) }
        let seals = seals
        if try index.transact({ $0.hasTold(theCauseOf: state.epoch, by: seals) }) {
            // Another machine has begun an epoch because of what this one told.
            let own = try index.transact { $0.transaction.state.begun }
            try stop(by: SealedState.stop(at: opener.time(after: max(own, state.begun))).seal(by: seals))
        }
        throw try beginEpoch(after: state)
    }

    func doubt(_ member: DeviceID) { changeChecks { $0.doubted.insert(member) } }

    // MARK: A key that several machines have

    /// Stop of this device that is in force; nil for none.
    package var stop: ReplicaSeal? { checks.stop }

    /// Newest stops of devices, this one included.
    package func stops() async throws -> [DeviceID: ReplicaSeal] {
        try await lookUp(before: [:]) { $0.stops }
    }

    /// Other devices that stand still, because several machines have their keys, as far as any member has told.
    package func stopped() async throws -> [DeviceID] {
        try await lookUp(before: []) { $0.stopped }
    }

    /// Keeps the stop of another device, as it told in a session. The device alone can check it.
    package func keep(stop: ReplicaSeal, of device: DeviceID) async throws {
        try await exclusively { replica in
            guard device != replica.opener.device, try replica.index.identity() != nil else { return }
            try replica.index.transact(durably: true) { $0.add(stop: stop, of: device) }
        }
    }

    /// Stops if a member knows a stop of this device, and its present epoch began before it.
    ///
    /// - Throws: ``SyncError`` of kind `halted`.
    package func heed(_ seal: ReplicaSeal, by member: DeviceID) async throws {
        try await exclusively { replica in
            guard let state = SealedState(seal, by: replica.seals), state.isStop else { return replica.doubt(member) }
            guard try replica.index.identity() != nil, try replica.index.transact({ !$0.knows(state) }) else { return }
            try replica.stop(by: seal)
        }
    }

    /// Goes on after a stop, in a new epoch: a person has decided that this machine keeps the key.
    package func keepKey() async throws {
        try await exclusively { replica in
            guard let stop = replica.checks.stop, let state = SealedState(stop, by: replica.seals) else { return }
            replica.changeChecks { $0 = SealChecks() }
            // The epoch begins after the stop, which then is none for this machine.
            do { _ = try replica.beginEpoch(after: nil, state.begun) } catch {
                replica.changeChecks { $0.stop = stop }
                throw error
            }
        }
    }

    /// Finds a stop that is in force since an earlier run.
    func readStop() throws {
        guard let identity = try index.identity(), identity.device == opener.device else { return }
        let (own, maker) = (opener.device, seals)
        let stop = try index.read { index -> ReplicaSeal? in
            guard let seal = index.stops[own], let state = SealedState(seal, by: maker) else { return nil }
            return index.knows(state) ? nil : seal
        }
        if let stop { changeChecks { $0.stop = stop } }
    }

    private func stop(by seal: ReplicaSeal) throws {
        let own = opener.device
        try index.transact(durably: true) { $0.add(stop: seal, of: own) }
        changeChecks { $0.stop = max($0.stop ?? seal, seal) }
        try openFolder()
    }
}
