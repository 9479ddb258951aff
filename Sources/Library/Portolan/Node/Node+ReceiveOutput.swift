import Glibc
import PortolanConcurrency
import PortolanFiles
import PortolanTransport

extension Node {
    /// Makes this device visible and writes one item to a descriptor while it arrives, such as to standard output.
    ///
    /// Folders are declined, and of one offer every item but the first. While the descriptor has no reader, the
    /// sender's reads stop, too. The written bytes of an item that fails half-way cannot be taken back. SIGPIPE must be
    /// ignored in this process. The restriction of an item for a team or group is stored with a regular file, or the
    /// item is refused; a pipe or terminal loses the restriction, and an event reports that. Returns when the whole
    /// item was written and its sender has the receipt; types, sources, decision and events are as for
    /// ``receive(into:accepting:from:options:ledger:decide:decideAgain:onStored:events:)``.
    ///
    /// - Parameter descriptor: remains open; the caller closes it.
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
                        sources: sources, rateLimit: options.rateLimit,
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

    /// Writes a stored file to a descriptor, and removes the file. SIGPIPE must be ignored in this process.
    ///
    /// - Returns: the item as written, and whether the output keeps its restriction, as a regular file does.
    /// - Throws: `NodeError` for a folder, if the output is a file that cannot keep the restriction, or if not all
    ///   could be written; `CancellationError`.
    package func write(_ item: ReceivedItem, to descriptor: CInt) async throws -> (item: ReceivedItem, isKept: Bool) {
        let isKept = try await withBlockingThread {
            defer { unlink(item.path.pathBytes) }
            let file = Glibc.open(item.path.pathBytes, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard file >= 0 else { throw Self.unfit(String(cString: strerror(errno))) }
            defer { Glibc.close(file) }
            do {
                let isKept = try StoredVisibility.keep(item.restriction, onOutput: descriptor)
                let sink = DescriptorSink(descriptor) { _, _ in throw CancellationError() }
                let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
                defer { block.deallocate() }
                var position: UInt64 = 0
                while true {
                    let count = Glibc.read(file, block.baseAddress, block.count)
                    if count < 0, errno == EINTR { continue }
                    guard count >= 0 else { throw Self.unfit(String(cString: strerror(errno))) }
                    guard count > 0 else { return isKept }
                    try sink.write(0, at: position, UnsafeRawBufferPointer(rebasing: block[..<count]))
                    position += UInt64(count)
                }
            } catch let error as FileError {
                throw Self.unfit(error.description)
            }
        }
        var written = item
        (written.name, written.path) = ("", ReceivedItem.output)
        return (written, isKept)
    }

    private static func unfit(_ reason: String) -> NodeError {
        NodeError(.inputOutput, "The output is not whole: \(reason)")
    }
}
