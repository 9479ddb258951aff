import Foundation
import Glibc
import PortolanFiles
import PortolanProtocol
import Synchronization
import Testing

@testable import PortolanTransport

/// Sessions whose peer loses its rights while content is transferred.
@Suite(.timeLimit(.minutes(20))) struct SenderCheckTests {
    @Test("content under way of a sender that may send nothing any more is dropped, with a receipt before the end")
    func dropsContent() async throws {
        try await withPipe { reading, writing in
            #expect(write(writing, "begun", 5) == 5)
            let sink = Counting()
            let isEntitled = Flag(true)
            try await SessionPair.with { pair in
                let receiving = Task {
                    try await pair.receive(with: Taking(sinks: [sink])) {
                        if !isEntitled.isSet { throw TransportError.notEntitled("It was removed.") }
                    }
                }
                let sending = Task { try await pair.send([.stream(reading)]) }
                #expect(try await comesTrue { sink.count == 5 })
                isEntitled.clear()
                do {
                    try await receiving.value
                    Issue.record("it was received")
                } catch TransportError.notEntitled {}
                #expect(sink.isDiscarded)
                do {
                    let outcomes = try await sending.value
                    guard case .failed(let failure, _)? = outcomes.first else {
                        Issue.record("it was stored")
                        return
                    }
                    #expect(failure.cause == .cancelled)
                } catch TransportError.closedByPeer(let close) {
                    #expect(close.code == .notTrusted)
                }
            }
        }
    }

    @Test("an error while the standing is evaluated ends the session and keeps the received content")
    func keepsReceivedContent() async throws {
        struct Unreadable: Error {}
        try await withPipe { reading, writing in
            #expect(write(writing, "begun", 5) == 5)
            let sink = Counting()
            let isReadable = Flag(true)
            try await SessionPair.with { pair in
                let receiving = Task {
                    try await pair.receive(with: Taking(sinks: [sink])) {
                        if !isReadable.isSet { throw Unreadable() }
                    }
                }
                let sending = Task { try await pair.send([.stream(reading)]) }
                #expect(try await comesTrue { sink.count == 5 })
                isReadable.clear()
                await #expect(throws: Unreadable.self) { try await receiving.value }
                #expect(!sink.isDiscarded)
                do {
                    _ = try await sending.value
                    Issue.record("it was sent")
                } catch TransportError.closedByPeer(let close) {
                    #expect(close.code == .internal)
                }
            }
        }
    }

    @Test("a disk that hangs does not delay the evaluation of the sender's standing")
    func continuesWhileADiskHangs() async throws {
        let hangs = DispatchSemaphore(value: 0)
        let isHanging = Flag(false)
        let checks = Count()
        let sink = Counting {
            isHanging.set()
            hangs.wait()
        }
        try await SessionPair.with { pair in
            let receiving = Task {
                try await pair.receive(with: Taking(sinks: [sink])) { checks.add() }
            }
            let sending = Task { try await pair.send([.bytes(Data([1]))]) }
            #expect(try await comesTrue { isHanging.isSet })
            let before = checks.value
            let end = ContinuousClock.now + .seconds(60)
            while checks.value < before + 2, ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(checks.value >= before + 2)
            hangs.signal()
            guard case .stored? = try await sending.value.first else {
                Issue.record("it was not stored")
                return
            }
            try await receiving.value
        }
    }

    @Test("content under way for a receiver that may not see it any more is cut off")
    func cutsContent() async throws {
        try await withPipe { reading, writing in
            #expect(write(writing, "begun", 5) == 5)
            let sink = Counting()
            let isVisible = Flag(true)
            try await SessionPair.with { pair in
                async let received: Void = pair.receive(with: Taking(sinks: [sink]))
                let sending = Task {
                    try await pair.send([.stream(reading)]) { isVisible.isSet }
                }
                #expect(try await comesTrue { sink.count == 5 })
                isVisible.clear()
                guard case .failed(let failure, let after)? = try await sending.value.first else {
                    Issue.record("it was stored")
                    return
                }
                #expect(failure.cause == .source)
                #expect(after == .cancelled)
                try await received
            }
        }
    }

    @Test("content that was made while the receiver lost the right to it is not sent")
    func withholdsProducedContentFromARemovedPeer() async throws {
        let sink = Counting()
        let looks = Atomic(0)
        try await SessionPair.with { pair in
            async let received: Void = pair.receive(with: Taking(sinks: [sink]))
            // The right exists at the first check, and never again.
            let outcomes = try await pair.send([.bytes(Data(count: 100))]) {
                looks.wrappingAdd(1, ordering: .relaxed).oldValue == 0
            }
            guard case .failed(let failure, _)? = outcomes.first else {
                Issue.record("it was stored")
                return
            }
            #expect(failure.cause == .source)
            #expect(sink.count == 0)
            try await received
        }
    }

    @Test("inline content is not stored if the sender lost its right while the content waited for the rate limit")
    func dropsContentThatWaitedForItsRate() async throws {
        let sink = Counting()
        let looks = Atomic(0)
        try await SessionPair.with { pair in
            async let sent = try? pair.send([.bytes(Data(count: 100))], isAtHand: true)
            await #expect(throws: TransportError.self) {
                try await pair.receive(with: Taking(sinks: [sink]), Pacer(bytesPerSecond: 1 << 20)) {
                    // The right exists at the first check, and never again.
                    guard looks.wrappingAdd(1, ordering: .relaxed).oldValue == 0 else {
                        throw TransportError.notEntitled("It was removed.")
                    }
                }
            }
            _ = await sent
            #expect(sink.count == 0)
        }
    }

    /// A pipe for as long as `body` runs.
    private func withPipe(_ body: (_ reading: CInt, _ writing: CInt) async throws -> Void) async throws {
        var ends: [CInt] = [0, 0]
        #expect(pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        defer { for end in [reading, writing] { close(end) } }
        try await body(reading, writing)
    }
}

private final class Count: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .relaxed) }

    func add() { count.add(1, ordering: .relaxed) }
}
