import PortolanDiscovery

extension DiscoveryChoice {
    /// Runs `body` with a discovery of this kind, which is shut down afterwards.
    func with<Result>(
        interfaces: [String], _ body: (any Discovery) async throws -> Result
    ) async throws -> Result {
        let discovery = try await start(interfaces: interfaces)
        do {
            let result = try await body(discovery)
            await discovery.shutdown()
            return result
        } catch {
            await discovery.shutdown()
            throw error
        }
    }
}
