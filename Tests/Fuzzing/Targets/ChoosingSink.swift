import PortolanCrypto
import PortolanFiles
import PortolanProtocol
import PortolanTransport
import Synchronization

/// Sink without storage, whose needs of each file come from the input.
final class ChoosingSink: ItemSink {
    private let choices: Mutex<FuzzInput>

    init(_ choices: [UInt8]) { self.choices = Mutex(FuzzInput(choices)) }

    func add(_ entry: TreeEntryElement) throws -> ContentNeed {
        if entry.index > 0 { _ = try FileName(entry.name) }
        if let attributes = entry.attributes {
            for (name, value) in attributes { _ = FileAttribute(name: name, value: Array(value)) }
        }
        _ = try FileTime(seconds: entry.modified.seconds, nanoseconds: entry.modified.nanoseconds)
        switch entry.kind {
        case .folder, .hardLink: return .nothing
        case .symbolicLink(let target):
            _ = try LinkTarget(Array(target)).staysInside(fromDepth: 1)
            return .nothing
        case .file(let file):
            let choice = choices.withLock { $0.byte() }
            guard let size = file.size, choice % 3 == 2 else { return choice % 3 == 0 ? .content : .nothing }
            let count = min(Message.Holding.blockCount(size: size), 40)
            let start = min(UInt64(choice) / 16, count)
            return .compare(blocks: start < count ? [start..<count] : [])
        }
    }

    /// Some blocks cannot be read.
    func digest(_ entry: UInt32, block: UInt64) -> [UInt8]? {
        choices.withLock { $0.byte() } % 8 == 7 ? nil : [UInt8](repeating: 1, count: BlockDigest.length)
    }

    func content(_ entry: UInt32, _ bytes: UnsafeRawBufferPointer) {}
    func write(_ entry: UInt32, at offset: UInt64, _ bytes: UnsafeRawBufferPointer) {}
    func hole(_ entry: UInt32, at offset: UInt64, length: UInt64) {}
    func finish(_ entry: UInt32, size: UInt64) {}
    func leaveOut(_ entry: UInt32, because reason: Loss.Reason) {}
    func complete(_ end: Message.End) throws -> Completion {
        .stored(try StoredItem(bytes: end.bytes))
    }
    func suspend() {}
    func discard() {}
}
