import Foundation
import NodeTestSupport
import Portolan
import TestSupport
import Testing

/// A node that writes what it receives to a descriptor.
@Suite(.timeLimit(.minutes(20))) struct OutputTests {
    enum Form: CaseIterable {
        case file, data
    }

    @Test("an item comes whole to an output, and no faster than the receiver allows", arguments: Form.allCases)
    func keepsToTheRate(form: Form) async throws {
        let content = Data(noise(768 << 10, seed: 3))
        let output = Pipe()
        // On a thread of its own, since it blocks until data arrives.
        let (contents, feed) = AsyncStream.makeStream(of: Data?.self)
        Thread.detachNewThread {
            feed.yield(try? output.fileHandleForReading.readToEnd())
            feed.finish()
        }
        try await Pair.with { pair in
            let file = pair.root.appending(path: "a.bin")
            try FileManager.default.createDirectory(at: pair.root, withIntermediateDirectories: true)
            try content.write(to: file)
            let item =
                form == .file
                ? try await Item.file(at: file.path)
                : Item(title: "a", representations: [.data(content, contentType: .data)])
            let start = ContinuousClock.now
            try await pair.whileReceiving { node, events in
                var options = Node.ReceiveOptions()
                options.rateLimit = 512 << 10
                try await node.receive(
                    to: output.fileHandleForWriting.fileDescriptor, options: options, decide: { _ in .accept },
                    events: events)
            } _: { node, peer in
                let delivery = try await node.send([item], to: peer)[0]
                #expect(delivery.isStored)
            }
            // A second and a half, less what may be sent at once.
            #expect(ContinuousClock.now - start > .seconds(1))
        }
        try output.fileHandleForWriting.close()
        for await read in contents { #expect(read == content) }
    }
}
