import Foundation
import Glibc
import NodeTestSupport
import Portolan
import PortolanProtocol
import Synchronization
import TestSupport
import Testing

/// Size limits on both sides: the offered size, and the largest size that a receiver accepts.
@Suite(.timeLimit(.minutes(20))) struct SizeLimitTests {
    /// Offers that the receiver was asked about.
    private final class Offers: Sendable {
        private let seen = Mutex<[IncomingOffer]>([])
        func append(_ offer: IncomingOffer) { seen.withLock { $0.append(offer) } }
        var items: [IncomingOffer.Item] { seen.withLock { $0.flatMap(\.items) } }
    }

    private func send(
        limit: UInt64? = nil, afterOffering: @escaping @Sendable (URL) -> Void = { _ in },
        _ items: (URL) async throws -> [Item], _ check: ([Delivery], URL, Offers) throws -> Void
    ) async throws {
        try await Pair.with { pair in
            let inbox = pair.root.appending(path: "inbox")
            try FileManager.default.createDirectory(at: pair.root, withIntermediateDirectories: true)
            let items = try await items(pair.root)
            let offers = Offers()
            let root = pair.root
            try await pair.whileReceiving { node, events in
                var options = Node.ReceiveOptions()
                options.maximumSize = limit
                try await node.receive(into: inbox.path, options: options) { offer in
                    offers.append(offer)
                    afterOffering(root)
                    return .accept
                } events: {
                    events($0)
                }
            } _: { node, peer in
                try check(await node.send(items, to: peer), inbox, offers)
            }
        }
    }

    private func visible(_ folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }.sorted()
    }

    @Test("an item larger than the limit is declined, and a smaller one beside it is stored")
    func declinesTooLargeItems() async throws {
        try await send(
            limit: 1000,
            { root in
                try Data(count: 1001).write(to: root.appending(path: "large"))
                try Data(count: 1000).write(to: root.appending(path: "small"))
                return [
                    try await .file(at: root.appending(path: "large").path),
                    try await .file(at: root.appending(path: "small").path),
                ]
            }
        ) { deliveries, inbox, offers throws in
            guard case .declined(let decline, _) = deliveries[0].outcome else {
                Issue.record("\(deliveries[0].outcome)")
                return
            }
            #expect(decline.reason == .tooLarge && decline.detail.contains("1000"))
            #expect(deliveries[1].isStored)
            #expect(try visible(inbox) == ["small"])
            #expect(offers.items.map(\.title) == ["small"])
        }
    }

    @Test("a smaller form of an item is taken where the first is too large")
    func takesASmallerForm() async throws {
        try await send(
            limit: 50,
            { _ in
                [
                    Item(
                        title: "two",
                        representations: [
                            .data(Data(count: 100), contentType: .png), .data(Data(count: 10), contentType: .jpeg),
                        ])
                ]
            }
        ) { deliveries, _, _ throws in
            guard case .stored(let stored, let representation) = deliveries[0].outcome else {
                Issue.record("\(deliveries[0].outcome)")
                return
            }
            #expect(representation == 1 && stored.bytes == 10)
        }
    }

    @Test(
        "a folder and a stream have no size when they are offered, and fail only when they grow beyond the limit",
        arguments: [0, 1])
    func limitsItemsOfUnknownSize(excess: Int) async throws {
        try await send(
            limit: 1000,
            { root in
                let folder = root.appending(path: "folder")
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                for (name, size) in [("a", 600), ("b", 400 + excess)] {
                    try Data(count: size).write(to: folder.appending(path: name))
                }
                let input = root.appending(path: "input")
                try Data(count: 1000 + excess).write(to: input)
                let descriptor = open(input.path, O_RDONLY | O_CLOEXEC)
                try #require(descriptor >= 0)
                return [
                    try await .file(at: folder.path),
                    try await .stream(descriptor, contentType: .data, suggestedName: "stream"),
                ]
            }
        ) { deliveries, inbox, offers throws in
            #expect(deliveries.count == 2)
            for delivery in deliveries {
                switch delivery.outcome {
                case .stored(let stored, _) where excess == 0: #expect(stored.bytes == 1000)
                case .failed(let failure, _) where excess > 0: #expect(failure.cause == .tooLarge)
                default: Issue.record("\(delivery.outcome)")
                }
            }
            #expect(try visible(inbox).count == (excess == 0 ? 2 : 0))
            if excess > 0 { #expect(try FileManager.default.contentsOfDirectory(atPath: inbox.path) == []) }
            #expect(offers.items.map(\.size) == [nil, nil] && offers.items.map(\.isFolder) == [true, false])
        }
    }

    @Test("a file that has grown since it was offered is stored as it was then, and both sides are told")
    func acceptsTheOfferedSize() async throws {
        try await send(
            afterOffering: { root in
                guard let log = try? FileHandle(forWritingTo: root.appending(path: "log")) else { return }
                _ = try? log.seekToEnd()
                try? log.write(contentsOf: Data("more".utf8))
                try? log.close()
            },
            { root in
                // Too large to go with its offer.
                try Data(repeating: 7, count: 200_000).write(to: root.appending(path: "log"))
                return [try await .file(at: root.appending(path: "log").path)]
            }
        ) { deliveries, inbox, _ throws in
            guard case .stored(let stored, _) = deliveries[0].outcome else {
                Issue.record("\(deliveries[0].outcome)")
                return
            }
            #expect(stored.omissions.listed == [Omission(path: [], reason: .grown)] && stored.omissions.missing == 1)
            #expect(try Data(contentsOf: inbox.appending(path: "log")) == Data(repeating: 7, count: 200_000))
        }
    }

    @Test("a file that was rewritten since it was offered and is larger is not sent, and its sender is told why")
    func sendsNoMoreThanWasOffered() async throws {
        try await send(
            afterOffering: { try? Data(repeating: 1, count: 200_001).write(to: $0.appending(path: "log")) },
            { root in
                // Too large to go with its offer.
                try Data(count: 200_000).write(to: root.appending(path: "log"))
                return [try await .file(at: root.appending(path: "log").path)]
            }
        ) { deliveries, inbox, _ throws in
            guard case .failed(let failure, let trouble) = deliveries[0].outcome else {
                Issue.record("\(deliveries[0].outcome)")
                return
            }
            #expect(failure.cause == .source)
            #expect(trouble == "“log” has become larger since it was offered; send it again.")
            #expect(try visible(inbox) == [])
        }
    }

    @Test("a file with holes is offered with its content and with its size, and stored")
    func offersBothSizes() async throws {
        try await send({ root in
            let path = root.appending(path: "sparse").path
            let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
            defer { close(descriptor) }
            #expect(ftruncate(descriptor, 64 << 20) == 0)
            #expect(pwrite(descriptor, "middle", 6, 32 << 20) == 6)
            return [try await .file(at: path)]
        }) { deliveries, inbox, offers throws in
            #expect(deliveries[0].isStored)
            let item = try #require(offers.items.first)
            #expect(item.apparentSize == 64 << 20)
            let size = try #require(item.size)
            // On a file system without holes, the file has 64 MiB of content.
            #expect(size >= 6 && size <= 64 << 20)
            #expect(try Data(contentsOf: inbox.appending(path: "sparse")).count == 64 << 20)
        }
    }
}
