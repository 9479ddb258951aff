extension DiscoveryChoice {
    /// Starts discovery.
    ///
    /// - Parameter interfaces: the only links to advertise and look on, by name; nil for all.
    package func start(interfaces: [String]? = nil) async throws(DiscoveryError) -> any Discovery {
        throw .noDaemon(reason: "it is not asked yet")
    }
}
