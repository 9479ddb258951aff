import PortolanSyncPlan

/// Changes that devices told after they were removed.
extension FolderReplica {
    /// Returns the paths of files and folders whose present version or place a removed device told after its removal.
    ///
    /// - Parameters:
    ///   - removals: times of removals, in seconds since 1970; the earliest counts until a device is removed no more.
    ///   - limit: largest number of paths of a device.
    package func arrivals(
        after removals: [DeviceID: Int64], limit: Int
    ) async throws -> [DeviceID: (time: Int64, paths: [String])] {
        try await lookUp(before: [:]) { index in
            var found: [DeviceID: (time: Int64, paths: [String])] = [:]
            for (device, time) in try index.transaction.keep(removals) {
                let paths = try index.transaction.arrivals(of: device, since: time).filter { node in
                    index.record(node)?.isDeleted == false
                }.prefix(limit).compactMap { index.text(of: $0) }
                if !paths.isEmpty { found[device] = (time, paths.sorted()) }
            }
            return found
        }
    }
}
