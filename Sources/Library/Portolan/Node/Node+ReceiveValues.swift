import PortolanTransport

extension Node {
    /// Receives values of one type from all peers, for as long as the sequence is iterated.
    ///
    /// Of each offered item the first representation is taken that `Value` can import; the sender is told that it has
    /// arrived when its importer has succeeded.
    ///
    /// - Parameters:
    ///   - decide: asked for each offer of which something can be imported; accepts everything unless given.
    ///   - events: called with each other event.
    /// - Throws: while iterating, `NodeError` when this node cannot listen.
    public func receive<Value: Transferable>(
        _ type: Value.Type = Value.self,
        decide: @escaping @Sendable (IncomingOffer) async -> Decision = { _ in .accept },
        events: @escaping @Sendable (ReceiveEvent) -> Void = { _ in }
    ) -> AsyncThrowingStream<Received<Value>, any Error> {
        AsyncThrowingStream { continuation in
            let task = Task {
                do {
                    try await receiveValues(decide: decide, events: events) { reception, remember in
                        ValueReceiver<Value>(reception) { received in
                            continuation.yield(received)
                            remember()
                        }
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Makes this device visible and receives values until the task is cancelled.
    ///
    /// - Parameters:
    ///   - decide: asked for each offer of which something can be imported.
    ///   - events: called with each event.
    ///   - makeReceiver: makes the receiver of a session. Its argument is a closure that stores the peer after a value
    ///     was taken, and may block.
    /// - Throws: `NodeError` when this node cannot listen, `CancellationError`.
    package func receiveValues<Value: Transferable>(
        decide: @escaping @Sendable (IncomingOffer) async -> Decision,
        events: @escaping @Sendable (ReceiveEvent) -> Void,
        by makeReceiver: @escaping @Sendable (ValueReception<Value>, @escaping @Sendable () -> Void) -> any ItemReceiver
    ) async throws {
        try await receive(
            by: ReceiveRoute(events: events) { session, peer in
                let reception = ValueReception<Value>(
                    from: peer, importWait: self.configuration.importWait, decide: decide, events: events)
                return makeReceiver(reception) { self.environment.remember(session.peer) }
            })
    }
}
