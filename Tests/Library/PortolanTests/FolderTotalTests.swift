import Foundation
import NodeTestSupport
import Portolan
import Synchronization
import TestSupport
import Testing

/// Total size of a folder, which is determined and shown on both sides while the folder is sent.
@Suite(.serialized) struct FolderTotalTests {
    fileprivate struct Found: Hashable {
        let bytes: UInt64
        let isAll: Bool
    }

    @Test("the total of a folder is known on both sides long before its end, of a first and of a second sending")
    func totalIsReportedDuringTheTransfer() async throws {
        try await Pair.with { pair in
            let folder = pair.root.appending(path: "Photos")
            for number in 0..<12 {
                let inner = folder.appending(path: "\(number % 3)")
                try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
                try Data(noise(1 << 20, seed: UInt64(number))).write(to: inner.appending(path: "\(number).png"))
            }
            let received = Mutex<(found: [Found], bytes: UInt64)>(([], 0))
            let inbox = pair.root.appending(path: "inbox").path
            try await pair.whileReceiving { node, events in
                try await node.receive(into: inbox) { _ in
                    .accept
                } events: { event in
                    events(event)
                    received.withLock { state in
                        switch event {
                        case .found(let transfer, let bytes, let isAll) where transfer.title == "Photos":
                            state.found.append(Found(bytes: bytes, isAll: isAll))
                        case .progress(_, let bytes, _): state.bytes = bytes
                        default: break
                        }
                    }
                }
            } _: { node, peer in
                var options = Node.SendOptions()
                options.rateLimit = 1 << 20
                let events = Events()
                let first = try await node.send(
                    [.file(at: folder.path)], to: peer, options: options, events: events.append)
                #expect(first[0].isStored)
                #expect(events.founds.last == Found(bytes: 12 << 20, isAll: true))
                #expect(received.withLock(\.found).last == Found(bytes: 12 << 20, isAll: true))
                let place = events.all.firstIndex { if case .found(_, _, true) = $0 { true } else { false } }
                let before = events.all[..<(place ?? 0)].compactMap { event -> UInt64? in
                    if case .progress(_, let sent, _) = event { sent } else { nil }
                }
                #expect((before.last ?? 0) < 9 << 20, "only at \(before.last ?? 0)")

                // Content that is present already counts as progress.
                try Data(noise(12 << 20, seed: 99)).write(to: folder.appending(path: "new.png"))
                let again = Events()
                let second = try await node.send(
                    [.file(at: folder.path)], to: peer, options: options, events: again.append)
                #expect(second[0].isStored)
                #expect(again.founds.last == Found(bytes: 24 << 20, isAll: true))
                let last = again.all.compactMap { if case .progress(_, let sent, _) = $0 { sent } else { nil } }.last
                #expect((last ?? 0) > 12 << 20)
                #expect(received.withLock(\.bytes) > 12 << 20)
            }
        }
    }

    @Test("a file's total is told when it begins and not again")
    func isKnownOfAFileFromTheStart() async throws {
        try await Pair.with { pair in
            let file = pair.root.appending(path: "disk.img")
            try Data(noise(6 << 20, seed: 1)).write(to: file)
            let inbox = pair.root.appending(path: "inbox").path
            try await pair.whileReceiving { node, events in
                try await node.receive(into: inbox, decide: { _ in .accept }, events: events)
            } _: { node, peer in
                var options = Node.SendOptions()
                options.rateLimit = 1 << 20
                let events = Events()
                let first = try await node.send(
                    [.file(at: file.path)], to: peer, options: options, events: events.append)
                #expect(first[0].isStored)
                #expect(events.founds.isEmpty)
                #expect(events.all.contains { if case .started(_, _, _, 6 << 20) = $0 { true } else { false } })
            }
        }
    }
}

extension Events {
    fileprivate var founds: [FolderTotalTests.Found] {
        all.compactMap { event in
            if case .found(_, let bytes, let isAll) = event {
                FolderTotalTests.Found(bytes: bytes, isAll: isAll)
            } else {
                nil
            }
        }
    }
}
