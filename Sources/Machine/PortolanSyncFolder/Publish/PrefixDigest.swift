import PortolanCrypto
import PortolanFiles
import PortolanSyncPlan
import PortolanValues
import Synchronization

/// Digest of a file that is written from several threads, mostly in order: what is there from its start on is read and
/// hashed while more comes. Calls block.
final class PrefixDigest: Sendable {
    private struct State {
        var written = ByteRanges()
        /// Bytes from the start that are hashed, or are being hashed now.
        var hashed: UInt64 = 0
        /// Nil while a thread hashes.
        var digester: ContentDigester? = ContentDigester()
        /// True if bytes were written again that are hashed.
        var isSpoiled = false
    }

    /// Bytes that are hashed in one go: fewer are left until more have come.
    private static let stepBytes: UInt64 = 1 << 20

    private let look: FileLook
    private let state = Mutex(State())

    init(_ look: FileLook) { self.look = look }

    /// Notes bytes that were written, and hashes those that can be.
    func wrote(_ range: Range<UInt64>, to file: Descriptor) throws(SystemFailure) {
        let next = state.withLock { state -> (digester: ContentDigester, range: Range<UInt64>)? in
            if range.lowerBound < state.hashed { state.isSpoiled = true }
            state.written.insert(range)
            guard !state.isSpoiled, let first = state.written.ranges.first, first.lowerBound == 0,
                first.upperBound - state.hashed >= Self.stepBytes, let digester = state.digester
            else { return nil }
            defer { (state.hashed, state.digester) = (first.upperBound, nil) }
            return (digester, state.hashed..<first.upperBound)
        }
        guard var next else { return }
        try look.add(next.range, of: file, to: &next.digester)
        state.withLock { [next] in $0.digester = next.digester }
    }

    /// Digest of the file, once all of it is written.
    func digest(of file: Descriptor, size: UInt64) throws(SystemFailure) -> ContentDigest {
        let (before, start) = state.withLock { state -> (ContentDigester?, UInt64) in
            state.isSpoiled || state.hashed > size ? (nil, 0) : (state.digester, state.hashed)
        }
        guard var digester = before else { return try look.digest(of: file, size: size, limit: size) }
        try look.add(start..<size, of: file, to: &digester)
        return FileLook.digest(digester)
    }
}
