import NIOCore
import PortolanProtocol
import Synchronization
import Testing

@testable import PortolanTransport

/// Reactions of a session to another side that sends no messages, or reads none.
@Suite struct SignOfLifeTests {
    @Test("a side that lives answers at once, and one that does not is not waited for long")
    func livePeerAnswers() async throws {
        try await SessionPair.with { pair in
            #expect(await !pair.receiver.isAnswering(within: .milliseconds(200)))
            let answering = Task {
                for try await record in pair.sender.incoming {
                    guard case .ping(let id) = try Message(decoding: record.body.readableBytesView) else { continue }
                    pair.sender.send(.pong(id: id))
                }
            }
            #expect(await pair.receiver.isAnswering(within: .seconds(300)))
            answering.cancel()
            _ = try? await answering.value
            pair.sender.close(Message.Close(.cancelled))
            await pair.receiver.waitUntilClosed()
            #expect(await !pair.receiver.isAnswering(within: .seconds(60)))
        }
    }

    @Test(
        "a peer that does not read its messages loses the session, and the messages do not fill the memory",
        .timeLimit(.minutes(20)))
    func messagesDoNotPileUp() async throws {
        try await SessionPair.with { pair in
            let decisions = [EntryDecision](repeating: .nothing, count: Limits.decisions)
            let message = Message.wanted(try Message.Wanted(transfer: 1, first: 0, decisions: decisions))
            // More than the kernel's buffers and the bound together, which a peer that reads is free to be told.
            for _ in 0..<600 { pair.receiver.send(message) }
            await pair.receiver.waitUntilClosed()
        }
        try await SessionPair.with { pair in
            let read = Atomic(0)
            let reading = Task {
                for try await _ in pair.sender.incoming {
                    if read.add(1, ordering: .relaxed).newValue == 400 { break }
                }
            }
            let decisions = [EntryDecision](repeating: .nothing, count: Limits.decisions)
            for sent in 1...400 {
                pair.receiver.send(.wanted(try Message.Wanted(transfer: 1, first: 0, decisions: decisions)))
                while read.load(ordering: .relaxed) < sent - 40 { try await Task.sleep(for: .milliseconds(1)) }
            }
            try await reading.value
            #expect(read.load(ordering: .relaxed) == 400)
        }
    }
}
