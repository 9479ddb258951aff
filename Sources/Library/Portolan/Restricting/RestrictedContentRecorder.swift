import PortolanFiles
import Synchronization

/// Digests files that were received for a team or group, one after another, and records them.
///
/// A thread of low priority does this, so that no receipt and no other item waits for it.
final class RestrictedContentRecorder: Sendable {
    private struct Received: Sendable {
        let path: String
        let restriction: Restriction
    }

    /// Bytes that are still digested when receiving has been stopped: files beyond them are not remembered.
    private static let bytesAfterStop: UInt64 = 1 << 30
    /// Records that are written at a time.
    private static let batch = 4096

    private let store: RestrictedContentStore
    private let queue = Mutex<[Received]>([])
    private let signals = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private let bytesLeft = Mutex<UInt64?>(nil)

    init(_ store: RestrictedContentStore) { self.store = store }

    /// Queues an item that has been stored.
    func add(_ path: String, for restriction: Restriction) {
        guard restriction != .everyone else { return }
        queue.withLock { $0.append(Received(path: path, restriction: restriction)) }
        signals.continuation.yield()
    }

    /// Works until it is cancelled, and then until the queue is empty or ``bytesAfterStop`` are read.
    func run() async {
        for await _ in signals.stream { await empty() }
        await empty()
    }

    private func empty() async {
        guard queue.withLock({ !$0.isEmpty }) else { return }
        await withIdleThread {
            while true {
                let received = self.takeQueue()
                if received.isEmpty { return }
                // A write costs the same for one record and for many, so small items share it.
                var contents: [RestrictedContent] = []
                for item in received { self.record(item, in: &contents) }
                // A failure loses only a later warning; no received item depends on it.
                try? self.store.remember(contents)
            }
        } onCancel: {
            self.bytesLeft.withLock { $0 = $0 ?? Self.bytesAfterStop }
        }
    }

    private func takeQueue() -> [Received] {
        queue.withLock { queue in
            let all = queue
            queue = []
            return all
        }
    }

    private func record(_ received: Received, in contents: inout [RestrictedContent]) {
        // Entries that are restricted more strictly than the item, too.
        let tree = try? SourceTree(
            path: received.path, shownTo: received.restriction, filter: { _ in true }, options: .forDigests)
        guard let tree else { return }
        while !isOver, let entry = try? tree.next() {
            guard case .file(let size?) = entry.entry.kind, size > 0,
                let digest = try? entry.open().digest(while: { mayRead($0) })
            else { continue }
            contents.append(RestrictedContent(size: size, digest: digest, restriction: entry.restriction))
            if contents.count == Self.batch {
                try? store.remember(contents)
                contents = []
            }
        }
    }

    /// True if ``bytesAfterStop`` are read.
    private var isOver: Bool { bytesLeft.withLock { $0 == 0 } }

    private func mayRead(_ count: UInt64) -> Bool {
        bytesLeft.withLock { left in
            guard let bytes = left else { return true }
            left = bytes - min(count, bytes)
            return count <= bytes
        }
    }
}

extension SourceOptions {
    /// Each content once, opened when it is read.
    static let forDigests = SourceOptions(looking: true, hardLinks: true)
}

extension SourceFile {
    /// SHA-256 of the whole content. May block for long.
    ///
    /// - Parameter mayRead: asked before each part is read, with its bytes.
    /// - Throws: `FileError` where the file is changed meanwhile or cannot be read; `CancellationError` where a part
    ///   may not be read.
    func digest(while mayRead: (UInt64) -> Bool) throws -> [UInt8] {
        var offset: UInt64 = 0
        let digest = try sha256 {
            guard offset < size else { return nil }
            let count = Int(min(size - offset, 1 << 20))
            guard mayRead(UInt64(count)) else { throw CancellationError() }
            let chunk = try [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
                try fill(
                    UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<count]),
                    from: offset)
                initialized = count
            }
            offset += UInt64(count)
            return chunk
        }
        try confirmUnchanged()
        return digest
    }
}
