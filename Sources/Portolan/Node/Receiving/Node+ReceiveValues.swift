import CoreTransferable
import PortolanTransport
import UniformTypeIdentifiers

extension Node {
    /// Receives values of one type from all peers, for as long as the sequence is iterated.
    ///
    /// Of each offered item the first representation is taken that `Value` can import; the sender is told that it has
    /// arrived when its importer has succeeded.
    ///
    /// - Parameters:
    ///   - decide: asked for each offer of which something can be imported; accepts everything unless given.
    ///   - events: told what else happens.
    /// - Throws: while iterating, `NodeError` when this node cannot listen.
    public func receive<Value: Transferable>(
        _ type: Value.Type = Value.self,
        decide: @escaping @Sendable (IncomingOffer) async -> Decision = { _ in .accept },
        events: @escaping @Sendable (ReceiveEvent) -> Void = { _ in }
    ) -> AsyncThrowingStream<Received<Value>, any Error> {
        AsyncThrowingStream { continuation in
            let task = Task {
                do {
                    try await receive(
                        by: ReceiveRoute(events: events) { session, peer in
                            ValueReceiver<Value>(
                                peer: peer, deciding: Deciding(ask: decide, events: events),
                                intake: ValueIntake(importWait: self.configuration.importWait),
                                onReceived: { received in
                                    continuation.yield(received)
                                    self.environment.remember(session.peer)
                                })
                        })
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
