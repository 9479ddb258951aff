extension Result where Failure == any Error {
    /// Outcome of an asynchronous call.
    package init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
