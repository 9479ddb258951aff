import PortolanFiles
import PortolanSyncModel

/// Seals of this device that members give back: one that the index does not know was made by a later state of it, so
/// that the machine was set back.
extension FolderReplica {
    /// Seals of this device that members have given back since the folder was opened.
    struct SealChecks {
        /// Latest seals that members heard from this device, and gave back.
        var known: [DeviceID: ReplicaSeal] = [:]
        /// Members that gave back seals, or told of changes by this device, that it did not make.
        var doubted: Set<DeviceID> = []
        /// Another machine has this device's key.
        var isCopied = false
    }

    /// Checks the seal of a position of this device that a member heard from it.
    ///
    /// - Throws: ``SyncError`` of kind `epochEnded` if the machine was set back, and `halted` if another machine has
    ///   this device's key.
    package func check(_ cursor: PortolanSyncModel.ChangeCursor?, by member: DeviceID) async throws {
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
        if !isPassedOn, checks.known[member] != nil {
            // The member has heard of another machine since this one told it something.
            changeChecks { $0.isCopied = true }
            try openFolder()
        }
        throw try beginEpoch(after: state.begun)
    }

    func doubt(_ member: DeviceID) { changeChecks { $0.doubted.insert(member) } }
}
