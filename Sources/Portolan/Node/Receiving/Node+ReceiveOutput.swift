import PortolanTransport
import UniformTypeIdentifiers

extension Node {
    /// Makes this device visible and writes the one item that is taken to a descriptor as it comes, such as to standard
    /// output.
    ///
    /// Folders are declined, and so is every item but the first of what is offered together. While the descriptor has
    /// no reader, the sender's reads stop, too. The written bytes of an item that fails half-way cannot be taken back.
    /// SIGPIPE must be ignored in this process. An item for a team or group keeps that in a regular file, or is
    /// refused; written to a pipe or terminal, it keeps nothing, and an event says so. It returns when the item has
    /// been written whole and its sender knows; types, sources, decision and events are as for
    /// ``receive(into:accepting:from:options:ledger:decide:onStored:events:)``.
    ///
    /// - Parameter descriptor: stays open and is the caller's to close.
    /// - Throws: `NodeError` when the port cannot be used, or if the item broke off half-way; `CancellationError`.
    public func receive(
        to descriptor: CInt, accepting types: [UTType]? = nil, from sources: [Source]? = nil,
        options: ReceiveOptions = ReceiveOptions(), decide: @escaping @Sendable (IncomingOffer) async -> Decision,
        events: @escaping @Sendable (ReceiveEvent) -> Void
    ) async throws {
        let output = SharedOutput(descriptor)
        let recorder = RestrictedContentRecorder(RestrictedContentStore(home: configuration.home))
        // Ends with this call.
        async let _ = recorder.run()
        let (ends, feed) = AsyncStream.makeStream(of: OutputEnd.self)
        let end = try await withThrowingTaskGroup(of: OutputEnd?.self) { tasks in
            defer { tasks.cancelAll() }
            tasks.addTask {
                try await self.receive(
                    by: ReceiveRoute(
                        entitled: { standing, key in sources?.contains { $0.holds(standing, key) } ?? true },
                        rateLimit: options.rateLimit,
                        events: { event in
                            events(event)
                            if let end = output.end(after: event) { feed.yield(end) }
                        }
                    ) { session, peer in
                        OutputReceiver(
                            peer: peer, output: output, accepting: types, sizeLimit: options.maximumSize,
                            deciding: OfferDecider(ask: decide, events: events),
                            onWritten: { restriction in
                                self.environment.remember(session.peer)
                                // Only a regular file can be read again.
                                recorder.add("/proc/self/fd/\(descriptor)", for: restriction)
                            })
                    })
                return nil
            }
            tasks.addTask {
                for await end in ends { return end }
                return nil
            }
            while let end = try await tasks.next() { if let end { return end } }
            throw CancellationError()
        }
        if case .brokeOff(let reason) = end { throw NodeError(.inputOutput, "The output is not whole: \(reason)") }
    }
}
