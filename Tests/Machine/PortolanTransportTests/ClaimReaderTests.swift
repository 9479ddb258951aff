import PortolanCrypto
import PortolanProtocol
import Synchronization
import Testing

@testable import PortolanTransport

/// Claims for a file that was received in part before.
@Suite struct ClaimReaderTests {
    private struct Said: Sendable {
        var blocks: [Range<UInt64>] = []
        var isComplete = false
    }

    /// Has every block but one.
    private final class Shelf: ItemSink {
        private let missing: UInt64?

        init(missing: UInt64? = nil) { self.missing = missing }

        func digest(_ entry: UInt32, block: UInt64) -> [UInt8]? {
            block == missing ? nil : Array(repeating: UInt8(truncatingIfNeeded: block), count: BlockDigest.length)
        }

        func write(_ entry: UInt32, at offset: UInt64, _ bytes: UnsafeRawBufferPointer) {}
        func complete(_ end: Message.End) -> Completion { .waitsForOthers }
        func suspend() {}
        func discard() {}
    }

    /// - Returns: the claimed blocks, adjacent ones joined.
    private func claimed(_ blocks: [Range<UInt64>], of shelf: Shelf) async throws -> [Range<UInt64>] {
        let said = Mutex(Said())
        let (ends, feed) = AsyncStream.makeStream(of: Never.self)
        let reading = try ClaimReader(from: shelf) { entry, block, digests, isLast in
            said.withLock { said in
                #expect(entry == 7)
                #expect(!said.isComplete)
                let end = block + UInt64(digests.count / BlockDigest.length)
                if let last = said.blocks.last, last.upperBound == block {
                    said.blocks[said.blocks.count - 1] = last.lowerBound..<end
                } else if !digests.isEmpty {
                    said.blocks.append(block..<end)
                }
                said.isComplete = isLast
            }
            if isLast { feed.finish() }
            return true
        } sayAll: { first, digests in
            said.withLock { said in
                #expect(first == 7 && digests.count == BlockDigest.length && !said.isComplete)
                said = Said(blocks: [0..<1], isComplete: true)
            }
            feed.finish()
        }
        reading.add([(7, blocks)])
        for await _ in ends {}
        await reading.stop()
        return said.withLock(\.blocks)
    }

    @Test func presentBlocksAreClaimedInOrderWithAnEnd() async throws {
        #expect(try await claimed([0..<40, 50..<51], of: Shelf()) == [0..<40, 50..<51])
        #expect(try await claimed([], of: Shelf()).isEmpty)
    }

    @Test func unreadableRangesAreNotClaimed() async throws {
        #expect(try await claimed([0..<40], of: Shelf(missing: 20)) == [0..<20, 21..<40])
    }

    @Test func smallFilesAreClaimedTogether() async throws {
        let said = Mutex<[UInt32]>([])
        let (ends, feed) = AsyncStream.makeStream(of: Never.self)
        let reading = try ClaimReader(from: Shelf()) { entry, _, _, isLast in
            said.withLock { $0.append(entry) }
            return isLast
        } sayAll: { first, digests in
            for number in 0..<UInt32(digests.count / BlockDigest.length) {
                said.withLock { $0.append(first + number) }
                if first + number == 2000 { feed.finish() }
            }
        }
        let entries = Array(1...700) + [701, 702] + Array(1000...2000) as [UInt32]
        // A file of several blocks is between them.
        reading.add(entries.map { ($0, $0 == 701 ? [0..<3] : [0..<1]) })
        for await _ in ends {}
        await reading.stop()
        #expect(said.withLock(\.self) == entries)
    }

    @Test func fileInTooManyPiecesIsNotClaimed() async throws {
        let scattered = (0..<UInt64(Limits.fileParts) + 100).map { 2 * $0..<2 * $0 + 1 }
        #expect(try await claimed(scattered, of: Shelf()) == Array(scattered.prefix(Limits.fileParts)))
        let whole = [0..<UInt64(2 * Limits.fileParts)]
        #expect(try await claimed(whole, of: Shelf()) == whole)
    }
}
