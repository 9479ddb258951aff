import PortolanCrypto
import PortolanFiles
import PortolanTrust
import Synchronization

/// Digests files that were received for a team or group, one item at a time and after their receipts, and remembers them.
///
/// The digests have a thread of their own with a low priority: neither a sender nor another item waits for them.
final class RestrictedContentRecorder: Sendable {
    private struct Received: Sendable {
        let path: String
        let restriction: Restriction
    }

    /// Bytes that are still digested when receiving has been stopped: what is beyond them is not remembered.
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
            while let next = self.queue.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { self.record(next) }
        } onCancel: {
            self.bytesLeft.withLock { $0 = $0 ?? Self.bytesAfterStop }
        }
    }

    private func record(_ received: Received) {
        guard let tree = try? SourceTree(path: received.path, shownTo: received.restriction, options: .forDigests)
        else {
            return
        }
        var contents: [RestrictedContent] = []
        while let entry = try? tree.next() {
            guard case .file(let size?) = entry.entry.kind, size > 0, mayRead(size),
                let digest = try? entry.open().digest()
            else { continue }
            contents.append(RestrictedContent(size: size, digest: digest, restriction: received.restriction))
            if contents.count == Self.batch {
                try? store.remember(contents)
                contents = []
            }
        }
        // A warning later is a help; nothing that was received depends on it.
        try? store.remember(contents)
    }

    private func mayRead(_ size: UInt64) -> Bool {
        bytesLeft.withLock { left in
            guard let bytes = left else { return true }
            guard size <= bytes else { return false }
            left = bytes - size
            return true
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
    /// - Throws: `FileError` where the file is changed meanwhile or cannot be read.
    func digest() throws -> [UInt8] {
        var offset: UInt64 = 0
        let digest = try sha256 {
            guard offset < size else { return nil }
            let count = Int(min(size - offset, 1 << 20))
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
