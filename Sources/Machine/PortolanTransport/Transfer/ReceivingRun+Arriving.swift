import NIOCore
import PortolanFiles
import PortolanProtocol

/// Path of accepted content, from its beginning to its receipt.
extension ReceivingRun {
    mutating func take(
        _ begin: Message.Begin, _ tree: IncomingTree? = nil, of item: Int
    ) -> [ReceivingMachine.Action] {
        guard let offered = offer?.items[item] else { preconditionFailure("An item began without an offer") }
        let representation = Int(begin.representation)
        let receiver = receiver
        guard tree?.isAbandoned != true else {
            if let tree { lanes.begin(FileReceiver(dropping: tree, on: session)) }
            return []
        }
        do {
            let bounds = ItemBounds(
                accepted: offered.representations[representation], sizeLimit: receiver.sizeLimit(of: item))
            try bounds.check(begin)
            let sink = BoundedSink(
                try receiver.receive(item: item, offered.representations[representation], of: offered, as: begin),
                bounds, channel: begin.channel)
            arriving = ArrivingItem(
                item: item, representation: representation, sink: sink, nextReport: session.runtime.now)
            receiver.report(.began(item: item, representation: representation, size: begin.size))
            if let tree {
                lanes.begin(
                    FileReceiver(tree, into: sink, on: session) { advance in
                        receiver.report(.received(item: item, advance))
                    })
            }
            return []
        } catch {
            if let tree { lanes.begin(FileReceiver(dropping: tree, on: session)) }
            return fail(item, error)
        }
    }

    mutating func takePayload(_ record: Record) async throws {
        try sender.requireNotLost()
        try await pacing?.suspend(for: record.body.readableBytes) { session.progressed() }
        let actions = try record.body.withUnsafeReadableBytes { bytes -> [ReceivingMachine.Action] in
            let header = try PayloadHeader(decoding: bytes)
            let data = UnsafeRawBufferPointer(rebasing: bytes[PayloadHeader.length...])
            guard case .write(let item) = try machine.payload(header, count: data.count) else { return [] }
            if arriving?.whole != nil {
                session.progressed()
                arriving?.whole?.content += data
                return []
            }
            defer { countReceived(data.count) }
            session.progressed()
            return try attempt(item) { try $0.write(header.entry, at: header.offset, data) }
        }
        try await perform(actions)
    }

    mutating func countReceived(_ count: Int) {
        guard var current = arriving else { return }
        current.bytes += UInt64(count)
        let now = session.runtime.now
        if now >= current.nextReport {
            current.nextReport = now + .milliseconds(100)
            let advance = Advance(done: current.bytes, transferred: current.bytes)
            receiver.report(.received(item: current.item, advance))
        }
        arriving = current
    }

    /// Runs one step of storing; if it fails, the item is given up and the sender informed at once.
    mutating func attempt(
        _ item: Int, _ step: (any ItemSink) throws -> Void
    ) throws(CancellationError) -> [ReceivingMachine.Action] {
        guard let current = arriving else { return [] }
        do {
            try step(current.sink)
            return []
        } catch {
            if Task.isCancelled { throw CancellationError() }
            return fail(item, error)
        }
    }

    mutating func complete(_ item: Int, _ end: Message.End) async -> [ReceivingMachine.Action] {
        guard let current = arriving else { return [] }
        do {
            let completion = try await current.sink.complete(end)
            arriving = nil
            switch completion {
            case .stored(let unsigned):
                let stored = receiver.signed(item: item, unsigned)
                if let unconfirmed = await confirm(item, current.representation, stored, in: current.sink) {
                    return unconfirmed
                }
                if stored.keptBytes > 0, !stored.isUpdated {
                    receiver.report(.resumed(item: item, kept: stored.keptBytes))
                }
                receiver.report(.stored(item: item, representation: current.representation, stored))
                return machine.stored(item, stored)
            case .waitsForOthers:
                waiting[item] = WaitingItem(representation: current.representation, sink: current.sink)
                return []
            }
        } catch let error as RefusedByReceiver {
            drop()
            return chooseAgain(item, because: StoringFailure(.import), "\(error)")
        } catch {
            return fail(item, error)
        }
    }

    /// Asks the receiver to confirm a stored item; without confirmation, the item is removed again.
    ///
    /// - Returns: nil for an item that was confirmed.
    mutating func confirm(
        _ item: Int, _ representation: Int, _ stored: StoredItem, in sink: any ItemSink
    ) async -> [ReceivingMachine.Action]? {
        do {
            try await receiver.confirm(item: item, representation: representation, stored)
            return nil
        } catch {
            var sentence = "It came whole and could not be recorded: \(error)"
            do {
                try sink.withdraw()
            } catch {
                sentence += " It could not be taken back, either: \(error)"
            }
            receiver.report(.failed(item: item, sentence: sentence))
            return machine.failed(
                item, StoringFailure(.cannotWrite, detail: "It came whole, and could not be recorded there."))
        }
    }

    mutating func fail(_ item: Int, _ error: any Error) -> [ReceivingMachine.Action] {
        lanes.abandon()
        if (error as? FileError)?.mayPass ?? false { suspend() } else { drop() }
        receiver.report(.failed(item: item, sentence: "\(error)"))
        return machine.failed(item, StoringFailure(error))
    }

    /// Refuses all accepted items without a receipt, with this sentence.
    mutating func refuseUnsettled(_ sentence: String) {
        for item in machine.unsettled {
            receiver.report(.failed(item: item, sentence: sentence))
            for case .send(let message) in machine.failed(item, StoringFailure(.cancelled)) { session.send(message) }
        }
    }

    mutating func drop() {
        arriving?.sink.discard()
        arriving = nil
    }

    /// Suspends the current item: its content so far may serve a later transfer.
    mutating func suspend() {
        arriving?.sink.suspend()
        arriving = nil
    }
}
