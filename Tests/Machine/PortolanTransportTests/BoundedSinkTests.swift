import Foundation
import PortolanCrypto
import PortolanFiles
import PortolanProtocol
import Testing

@testable import PortolanTransport

/// Bounds on the size of an item: the size that was offered, and the receiver's own limit.
@Suite struct BoundedSinkTests {
    private func sink(
        _ counting: Counting, size: UInt64? = nil, apparent: UInt64? = nil, limit: UInt64? = nil,
        _ channel: PortolanProtocol.Channel = .file
    ) throws -> BoundedSink {
        let offered = try OfferedRepresentation(
            type: OfferedType(identifier: "public.data"), channel: channel, size: size, apparentSize: apparent)
        return BoundedSink(counting, ItemBounds(accepted: offered, sizeLimit: limit), channel: channel)
    }

    private func file(_ index: UInt32, size: UInt64?) throws -> TreeEntryElement {
        TreeEntryElement(
            index: index, parent: 0, name: UnsafeRawBufferPointer(start: nil, count: 0),
            kind: .file(TreeEntryElement.File(size: size)),
            permissions: 0o644, modified: try Timestamp(seconds: 0, nanoseconds: 0))
    }

    private func write(_ count: Int, of entry: UInt32 = 0, at offset: UInt64 = 0, to sink: BoundedSink) throws {
        try [UInt8](repeating: 1, count: count).withUnsafeBytes { try sink.write(entry, at: offset, $0) }
    }

    private func refusal(_ step: () throws -> Void) -> FileError.Kind? {
        do {
            try step()
            return nil
        } catch {
            return (error as? FileError)?.kind
        }
    }

    @Test("ten bytes are offered, and no more than ten are passed on")
    func bindsTheOffer() throws {
        let counting = Counting()
        let data = try sink(counting, size: 10, .data)
        try write(8, to: data)
        #expect(refusal { try write(3, at: 8, to: data) } == .tooMuch)
        #expect(counting.count == 8)
        let file = try sink(Counting(), size: 10)
        #expect(refusal { _ = try file.add(self.file(0, size: 11)) } == .tooMuch)
        let stream = try sink(Counting(), size: 10)
        _ = try stream.add(self.file(0, size: nil))
        try write(10, to: stream)
        #expect(refusal { try write(1, at: 10, to: stream) } == .tooMuch)
    }

    @Test("Begin may not announce more than was offered")
    func bindsTheBeginning() throws {
        func begin(_ channel: PortolanProtocol.Channel, _ size: UInt64?) throws -> Message.Begin {
            try Message.Begin(
                transfer: 1, offer: 1, item: 0, representation: 0, channel: channel, name: [], size: size)
        }
        for channel in PortolanProtocol.Channel.allCases {
            let offered = try OfferedRepresentation(
                type: OfferedType(identifier: "public.data"), channel: channel, size: 10)
            let bounds = ItemBounds(accepted: offered, sizeLimit: nil)
            for size in [nil, 0, 10] as [UInt64?] { try bounds.check(begin(channel, size)) }
            #expect(refusal { try bounds.check(begin(channel, 11)) } == .tooMuch)
        }
        let unknown = try OfferedRepresentation(type: OfferedType(identifier: "public.data"), channel: .data)
        #expect(refusal { try ItemBounds(accepted: unknown, sizeLimit: 5).check(begin(.data, 6)) } == .tooMuch)
        #expect(refusal { try ItemBounds(accepted: unknown, sizeLimit: nil).check(begin(.data, 6)) } == nil)
    }

    @Test("of a file with holes both its content and its size are bound")
    func bindsFilesWithHoles() throws {
        let counting = Counting()
        let sparse = try sink(counting, size: 10, apparent: 1 << 40)
        #expect(refusal { _ = try sparse.add(file(0, size: (1 << 40) + 1)) } == .tooMuch)
        let other = try sink(counting, size: 10, apparent: 1 << 40)
        _ = try other.add(file(0, size: 1 << 40))
        try other.hole(0, at: 0, length: 1 << 39)
        try write(10, at: 1 << 39, to: other)
        #expect(refusal { try write(1, to: other) } == .tooMuch)
        #expect(counting.count == 10)
    }

    @Test("bytes of an earlier transfer count, too")
    func bindsSeveralTransfers() throws {
        let size = 2 * BlockDigest.blockSize
        let counting = Counting(need: .compare(blocks: [0..<2]))
        let sparse = try sink(counting, size: size, apparent: 1 << 40)
        _ = try sparse.add(file(0, size: 1 << 40))
        // No more than the beginning of the hole behind the claimed piece.
        try write(64 << 10, at: size, to: sparse)
        #expect(refusal { try write(1, at: 1 << 39, to: sparse) } == .tooMuch)
        let larger = Counting(need: .compare(blocks: [0..<3]))
        #expect(
            refusal { _ = try sink(larger, size: size - 1, apparent: 1 << 40).add(file(0, size: 1 << 40)) } == .tooMuch)
        // A block of a file without holes may come again.
        let dense = try sink(counting, size: size)
        _ = try dense.add(file(0, size: size))
        try write(Int(size), to: dense)
    }

    @Test("the receiver's limit binds items without an offered size: sizes of files, and streams as they grow")
    func bindsWithoutASize() throws {
        let counting = Counting()
        let folder = try sink(counting, limit: 100)
        _ = try folder.add(file(1, size: 60))
        _ = try folder.add(file(2, size: nil))
        try write(40, of: 2, to: folder)
        #expect(refusal { try write(1, of: 2, at: 40, to: folder) } == .tooMuch)
        #expect(refusal { _ = try folder.add(file(3, size: 1)) } == .tooMuch)
        let free = try sink(counting)
        _ = try free.add(file(1, size: UInt64(Int64.max)))
        try write(1000, of: 1, to: free)
    }
}
