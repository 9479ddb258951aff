import PortolanConcurrency

/// Contents that are fetched beside the rounds of work.
extension FolderReplica {
    /// Opens the staging folder for contents that are fetched beside the rounds of work.
    package func arrivals(for wanted: [WantedContent]) async throws -> ArrivingContents {
        try await Self.threads.run {
            guard let folder = self.folder else {
                throw SyncError(.noSuchContent, "The folder is not open.")
            }
            return ArrivingContents(
                wanted, folder.control, FileLook(storage: self.storage, now: self.now), self.arrived,
                earlierVersion: { try? self.earlierVersion($0) })
        }
    }
}
