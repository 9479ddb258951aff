import Foundation
import Glibc
import PortolanFiles
import PortolanProtocol
import PortolanValues
import Synchronization
import Testing

@testable import PortolanTransport

/// Whole transfers between two ends of a session, and their early ends.
@Suite(.timeLimit(.minutes(20))) struct FileTransferTests {
    private static func isStored(_ outcome: ItemOutcome) -> Bool {
        if case .stored = outcome { true } else { false }
    }

    @Test("an item that the receiver gives up while its sender is held to a rate leaves the session fit for the next")
    func endsInOrder() async throws {
        try await withFolder { folder in
            let many = folder.appending(path: "many")
            try FileManager.default.createDirectory(at: many, withIntermediateDirectories: true)
            for name in 0..<12 { try Data(count: 60_000).write(to: many.appending(path: "\(name)")) }
            try Data(count: 2 << 20).write(to: folder.appending(path: "large"))
            try Data(count: 1000).write(to: folder.appending(path: "small"))
            let full = Counting { throw FileError(.noSpace, "There is no space left.") }
            try await SessionPair.with { pair in
                async let received: Void = pair.receive(with: Taking(sinks: [full, full, Counting()]))
                let outcomes = try await pair.send(
                    ["many", "large", "small"].map { .file(path: folder.appending(path: $0).path) },
                    Pacer(bytesPerSecond: 1 << 20))
                try await received
                #expect(outcomes.map(Self.isStored) == [false, false, true])
            }
        }
    }

    @Test("files that the receiver cannot store are taken off the wire, and the rest is stored")
    func dropsContentThatCannotBeStored() async throws {
        try await withFolder { folder in
            let tree = folder.appending(path: "tree")
            try FileManager.default.createDirectory(at: tree, withIntermediateDirectories: true)
            for (name, size) in [("empty", 0), ("large", 3 << 20), ("small", 1000)] {
                try Data(count: size).write(to: tree.appending(path: name))
            }
            let file = folder.appending(path: "file")
            try Data(count: 2 << 20).write(to: file)
            let (nothing, all) = (Counting(need: .nothing), Counting())
            try await SessionPair.with { pair in
                async let received: Void = pair.receive(with: Taking(sinks: [nothing, all]))
                let outcomes = try await pair.send([.file(path: tree.path), .file(path: file.path)])
                try await received
                #expect(outcomes.map(Self.isStored) == [true, true])
                #expect(nothing.count == 0 && all.count == 2 << 20)
            }
        }
    }

    @Test("a sender that cannot open a lane says why, and one that could not may try again")
    func endsWithoutLanes() async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "file")
            try Data(count: 1000).write(to: file)
            try await SessionPair.with { pair in
                let receiving = Task { try await pair.receive(with: Taking(sinks: [Counting()])) }
                // The listener accepts no more lanes.
                await pair.listener.close()
                for number in 5...6 as ClosedRange<UInt32> {
                    await #expect(throws: TransportError.self) { try await pair.open(number) }
                }
                do {
                    _ = try await pair.send([.file(path: file.path)])
                    Issue.record("it was sent")
                } catch TransportError.unreachable {}
                await #expect(throws: TransportError.self) { try await receiving.value }
            }
        }
    }

    @Test("a sender that has said its last word and is gone before all of it came is not waited for")
    func doesNotWaitForTheDead() async throws {
        try await SessionPair.with { pair in
            async let received: Void = pair.receive(with: Taking(sinks: [Counting()]))
            try await Self.announceEnd(on: pair.sender)
            pair.sender.close(Message.Close(.cancelled))
            do {
                try await received
                Issue.record("it was received")
            } catch TransportError.closedByPeer(let close) {
                #expect(close.code == .cancelled)
            }
        }
    }

    @Test("an empty file that the receiver compares is whole at once", arguments: [false, true])
    func comparesNothing(inFolder: Bool) async throws {
        try await withFolder { folder in
            try Data().write(to: folder.appending(path: "empty"))
            let path = inFolder ? folder.path : folder.appending(path: "empty").path
            let sink = Counting(need: .compare(blocks: []))
            try await SessionPair.with { pair in
                async let received: Void = pair.receive(with: Taking(terms: LaneTerms(asks: true), sinks: [sink]))
                #expect(try await pair.send([.file(path: path)]).map(Self.isStored) == [true])
                try await received
                #expect(sink.count == 0)
            }
        }
    }

    @Test("a block that the receiver has otherwise comes without the holes in it")
    func sendsNoHolesOfComparedBlocks() async throws {
        try await withFolder { folder in
            let path = folder.appending(path: "sparse").path
            let file = open(path, O_WRONLY | O_CREAT, 0o600)
            defer { close(file) }
            let data = [UInt8](repeating: 7, count: 64 << 10)
            for offset in [0, 512 << 10] {
                try #require(pwrite(file, data, data.count, off_t(offset)) == data.count)
            }
            try #require(ftruncate(file, 1 << 20) == 0)
            var status = stat()
            guard fstat(file, &status) == 0, status.st_blocks * 512 < 1 << 20 else {
                print("skipped: \(folder.path) has no holes")
                return
            }
            let sink = Counting(need: .compare(blocks: [0..<4]))
            try await SessionPair.with { pair in
                async let received: Void = pair.receive(with: Taking(terms: LaneTerms(asks: true), sinks: [sink]))
                #expect(try await pair.send([.file(path: path)]).map(Self.isStored) == [true])
                try await received
                #expect(sink.count == UInt64(2 * data.count))
            }
        }
    }

    @Test("a receiver that asks about a stream is refused before anything is read of it")
    func doesNotAskAboutStreams() async throws {
        var ends: [CInt] = [0, 0]
        try #require(pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        defer { close(reading) }
        #expect(write(writing, "begun", 5) == 5)
        close(writing)
        try await SessionPair.with { pair in
            async let received: Void = pair.receive(with: Taking(terms: LaneTerms(asks: true), sinks: [Counting()]))
            await #expect(throws: (any Error).self) { _ = try await pair.send([.stream(reading)]) }
            do {
                try await received
                Issue.record("it was received")
            } catch TransportError.closedByPeer {}
        }
        var unread: CInt = 0
        #expect(ioctl(reading, UInt(FIONREAD), &unread) == 0 && unread == 5)
    }

    @Test("a comparison is let go of with the session")
    func letsGo() async throws {
        final class Held: Sendable {
            private let sink: Mutex<Weak>
            struct Weak { weak var sink: Counting? }
            init(_ sink: Counting) { self.sink = Mutex(Weak(sink: sink)) }
            var isGone: Bool { sink.withLock { $0.sink == nil } }
        }
        try await withFolder { folder in
            let file = folder.appending(path: "file")
            try Data(count: 300_000).write(to: file)
            var held: Held?
            try await SessionPair.with { pair in
                let sink = Counting(need: .compare(blocks: [0..<1]))
                held = Held(sink)
                let receiver = Taking(terms: LaneTerms(asks: true), sinks: [sink])
                async let received: Void = pair.receive(with: receiver)
                #expect(try await pair.send([.file(path: file.path)]).map(Self.isStored) == [true])
                try await received
                #expect(sink.count == 300_000)
            }
            #expect(try await comesTrue { held?.isGone ?? false })
        }
    }

    @Test("an item that is not wanted any more is given up while nothing of it comes")
    func stopsInSilence() async throws {
        var ends: [CInt] = [0, 0]
        #expect(pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        defer { for end in [reading, writing] { close(end) } }
        #expect(write(writing, "begun", 5) == 5)
        let sink = Counting()
        try await SessionPair.with { pair in
            async let received: Void = pair.receive(with: Taking(sinks: [sink]))
            async let sent = pair.send([.stream(reading)])
            #expect(try await comesTrue { sink.count == 5 })
            sink.refuse()
            guard case .failed(let failure, _)? = try await sent.first else {
                Issue.record("it was stored")
                return
            }
            #expect(failure.cause == .cancelled)
            try await received
        }
    }

    @Test("a call that lasts ends when the item is not wanted any more, and the item is discarded")
    func interruptsALongCall() async throws {
        let isInterrupted = Flag()
        let isLasting = Flag()
        let sink = Counting {
            isLasting.set()
            let end = ContinuousClock.now + .seconds(200)
            while !isInterrupted.isSet, .now < end { usleep(1000) }
            throw FileError(.stopped, "It was interrupted.")
        } onInterrupt: {
            isInterrupted.set()
        }
        try await withFolder { folder in
            let file = folder.appending(path: "file")
            try Data(count: 1000).write(to: file)
            try await SessionPair.with { pair in
                async let received: Void = pair.receive(with: Taking(sinks: [sink]))
                async let sent = pair.send([.file(path: file.path)])
                #expect(try await comesTrue { isLasting.isSet })
                sink.refuse()
                guard case .failed(let failure, _)? = try await sent.first else {
                    Issue.record("it was stored")
                    return
                }
                #expect(failure.cause == .cancelled && sink.isDiscarded)
                try await received
            }
        }
    }

    @Test(
        "a partial stays if a change made here ended it, and goes if an obstacle was put in its way",
        arguments: [(FileError.Kind.changedHere, false), (.tamperedWith, true)])
    func keepsReceivedContent(kind: FileError.Kind, isDiscarded: Bool) async throws {
        let sink = Counting { throw FileError(kind, "It cannot be stored.") }
        try await withFolder { folder in
            let file = folder.appending(path: "file")
            try Data(count: 1000).write(to: file)
            try await SessionPair.with { pair in
                async let received: Void = pair.receive(with: Taking(sinks: [sink]))
                #expect(try await pair.send([.file(path: file.path)]).map(Self.isStored) == [false])
                try await received
                #expect(sink.isDiscarded == isDiscarded)
            }
        }
    }

    @Test("a disk that holds the look for a stop keeps no transfer from being given up")
    func givesUpWhileADiskHangs() async throws {
        let isHanging = Flag()
        let wasGivenUp = Flag()
        let isOver = DispatchSemaphore(value: 0)
        // Longer than the silence limit, so that the transfer is most likely abandoned during such a call.
        let sink = Counting {
        } onPoll: {
            isHanging.set()
            if isOver.wait(timeout: .now() + 45) == .success { isOver.signal() }
            isHanging.clear()
        } onInterrupt: {
            if isHanging.isSet { wasGivenUp.set() }
        }
        // The time is long, so that a busy machine is not taken for a silent one.
        try await SessionPair.with(silence: .seconds(30)) { pair in
            let receiving = Task { try await pair.receive(with: Taking(sinks: [sink])) }
            try await Self.announceEnd(on: pair.sender)
            #expect(try await comesTrue { wasGivenUp.isSet })
            isOver.signal()
            await #expect(throws: TransportError.self) { try await receiving.value }
        }
    }

    /// Sends the end of a transfer without content.
    private static func announceEnd(on session: Session) async throws {
        var dialogue = session.dialogue()
        _ = try await SessionRosters(session, NoTeams()).exchange([]) { try await dialogue.next() }
        session.send(.offer(try #require(try Offered([.file(path: "/")]).makeOffer(1, answering: nil))))
        while let message = try await dialogue.next() { if case .answer = message { break } }
        session.send(
            .begin(
                try Message.Begin(
                    transfer: 1, offer: 1, item: 0, representation: 0, channel: .file, name: [], size: nil)))
        session.send(.end(try Message.End(transfer: 1, entries: 1, bytes: 0, lanes: [0])))
    }

    // MARK: Losses

    @Test(
        "a loss on the sender's side is named by its reason if content is required",
        arguments: [("pipe", SourceFailure.unspecified), (".portolan-partial-x", .unreadable)])
    func namesALoss(name: String, failure: SourceFailure) async throws {
        try await withFolder { folder in
            let path = folder.appending(path: name).path
            if name == "pipe" {
                try #require(mkfifo(path, 0o600) == 0)
            } else {
                try Data().write(to: URL(filePath: path))
            }
            let sentences = Mutex<[String]>([])
            let receiver = Taking(sinks: [Counting()]) { event in
                if case .failed(_, let sentence) = event { sentences.withLock { $0.append(sentence) } }
            }
            try await SessionPair.with { pair in
                async let received: Void = pair.receive(with: receiver)
                #expect(
                    try await pair.send([.file(path: folder.path)], requiring: [.content]).map(Self.isStored) == [false]
                )
                try await received
            }
            #expect(sentences.withLock(\.self) == [failure.sentence])
        }
    }

    @Test("an item with a bit that is never carried fails if permissions are required")
    func refusesSpecialBits() async throws {
        try await withFolder { folder in
            let path = folder.appending(path: "program").path
            try Data(count: 9).write(to: URL(filePath: path))
            for (mode, isStored) in [(0o4755, false), (0o755, true)] {
                try #require(chmod(path, mode_t(mode)) == 0)
                try await SessionPair.with { pair in
                    async let received: Void = pair.receive(with: Taking(sinks: [Counting()]))
                    let outcomes = try await pair.send([.file(path: folder.path)], requiring: [.mode])
                    #expect(outcomes.map(Self.isStored) == [isStored])
                    try await received
                }
            }
        }
    }

    @Test("each loss of required content has the failure of its reason")
    func hasAFailureForEachLoss() {
        for reason in Loss.Reason.allCases {
            let failure = SourceFailure(of: FileError(reason.kindOfRequired, ""))
            switch Omission.Reason(reason) {
            case .changed: #expect(failure == .changed)
            case .unreadable: #expect(failure == .unreadable)
            default: #expect(failure == .unspecified)
            }
        }
    }

    // MARK: Output

    enum Interruption: CaseIterable {
        case senderGoes, receiverStops, receiverStopsData
    }

    @Test("an output without a reader does not delay a stop", arguments: Interruption.allCases)
    func leavesTheOutput(interruption: Interruption) async throws {
        var ends: [CInt] = [0, 0]
        #expect(pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        defer { for end in [reading, writing] { close(end) } }
        let sink = DescriptorSink(writing) { bytes, _ in .stored(try StoredItem(bytes: bytes)) }
        try await withFolder { folder in
            let file = folder.appending(path: "file")
            let data = Data(count: 4 << 20)
            try data.write(to: file)
            let content: OfferedContent =
                interruption == .receiverStopsData ? .bytes(data) : .file(path: file.path)
            try await SessionPair.with { pair in
                let receiver = Taking(terms: LaneTerms(lanes: 1), sinks: [sink])
                let receiving = Task { try await pair.receive(with: receiver) }
                let sending = Task { try await pair.send([content]) }
                let isFull = try await comesTrue {
                    var waiting = pollfd(fd: writing, events: Int16(POLLOUT), revents: 0)
                    return poll(&waiting, 1, 0) == 0
                }
                #expect(isFull)
                if interruption == .senderGoes { sending.cancel() } else { receiving.cancel() }
                await #expect(throws: (any Error).self) { try await receiving.value }
                await #expect(throws: (any Error).self) { try await sending.value }
            }
        }
    }
}
