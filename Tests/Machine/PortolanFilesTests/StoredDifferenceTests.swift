import Glibc
import PortolanCrypto
import PortolanValues
import TestSupport
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

/// Files that may be sent as the difference from the stored version.
@Suite(.aside) struct StoredDifferenceTests {
    private let temporary = TemporaryFolder.inMemory()
    private let block = 256 << 10
    private let bytes = Shipment.noise(1_000_001, 7)

    /// Nil where the file system keeps no attributes, by which files are recognised.
    private func inbox() throws -> Inbox? {
        let inbox = try temporary.inbox()
        guard try SourceMark.set(.test(9), on: inbox.open(), by: KernelStorage()) else {
            print("skipped: the file system of \(inbox.path) keeps no attributes")
            return nil
        }
        var first = Shipment([Shipment.Entry(parent: 0, name: "file", kind: .file(bytes))])
        let partial = try receive(in: inbox)
        try first.send(to: partial)
        _ = try partial.publish(as: name("file"))
        return inbox
    }

    private func receive(in inbox: Inbox) throws -> PartialItem {
        let shipment = Shipment([Shipment.Entry(parent: 0, name: "file", kind: .file(bytes))])
        return try inbox.receive(shipment.about("file"), called: name("file"), asking: true)
    }

    /// Announces a later version of as many bytes.
    private func beginLater(in inbox: Inbox) throws -> (partial: PartialItem, need: ContentNeed) {
        let partial = try receive(in: inbox)
        partial.allowDifferences()
        let later = try FileTime(seconds: 1_400_000_000, nanoseconds: 5)
        let entry = TreeEntry(
            index: 0, parent: 0, name: try name("file"), kind: .file(size: UInt64(bytes.count)), permissions: 0o644,
            modified: later)
        return (partial, try partial.add(entry))
    }

    @Test(arguments: [false, true])
    func largerEarlierVersionIsPreferredToASmallPartial(isAllThere: Bool) throws {
        guard let inbox = try inbox() else { return }
        let (second, need) = try beginLater(in: inbox)
        #expect(need == .difference)
        let changed = Shipment.noise(isAllThere ? bytes.count : block, 8)
        try changed.withUnsafeBytes { try second.write(0, at: 0, $0) }
        second.suspend()
        let (third, needAgain) = try beginLater(in: inbox)
        #expect(needAgain == (isAllThere ? .compare(blocks: [0..<4]) : .difference))
        third.discard()
    }

    @Test func digestOfAnAbandonedFileIsNotAwaited() throws {
        guard let inbox = try inbox() else { return }
        let (partial, _) = try beginLater(in: inbox)
        var changed = bytes
        changed[5] ^= 1
        try changed[..<block].withUnsafeBytes { try partial.write(0, at: 0, $0) }
        let (start, length) = (UInt64(block), UInt64(bytes.count - block))
        try partial.copy(0, from: start, to: start, length: length)
        partial.interrupt()
        let key = [UInt8](repeating: 1, count: KeyedDigest.keyLength)
        var digester = FileDigester(key: key)
        changed.withUnsafeBytes { digester.update($0) }
        let digest = FileDigest(key: key, bytes: digester.finalize())
        let error = #expect(throws: FileError.self) {
            try partial.finish(0, size: UInt64(bytes.count), digest: digest)
        }
        #expect(error?.kind == FileError.stopped.kind)
        partial.discard()
    }
}
