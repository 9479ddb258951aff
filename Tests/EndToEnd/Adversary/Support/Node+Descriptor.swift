import HostilePeers
import Portolan

extension Node {
    /// Receives to a descriptor, and accepts everything.
    ///
    /// - Returns: the port that the node listens on, and the task that receives.
    func startReceiving(
        to descriptor: CInt, events report: @escaping @Sendable (ReceiveEvent) -> Void = { _ in }
    ) async throws -> (port: UInt16, task: Task<Void, any Error>) {
        let (ports, feed) = AsyncStream.makeStream(of: UInt16.self)
        let task = Task {
            try await self.receive(to: descriptor, decide: { _ in .accept }) { event in
                if case .listening(let port, _, _) = event { feed.yield(port) }
                report(event)
            }
        }
        var iterator = ports.makeAsyncIterator()
        guard let port = await iterator.next() else {
            try await task.value
            throw Victim.NeverListened()
        }
        return (port, task)
    }
}
