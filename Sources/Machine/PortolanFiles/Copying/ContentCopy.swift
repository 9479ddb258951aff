import Glibc

/// Copies content between open files, within the free space of the copy's file system.
package struct ContentCopy: Sendable {
    let storage: any Storage
    let space: SpaceWatch
    /// Polled between pieces.
    let interruption: StopRequest

    init(storage: any Storage, space: SpaceWatch, interruption: StopRequest) {
        self.storage = storage
        self.space = space
        self.interruption = interruption
    }

    /// Copies without a reserve of space.
    package init(to copy: Descriptor, by storage: any Storage = KernelStorage(), interruption: StopRequest) {
        self.init(storage: storage, space: SpaceWatch(copy, reserve: 0), interruption: interruption)
    }

    /// Copies a whole file into an empty one. Ends as below.
    package func copy(_ source: Descriptor, ofSize size: UInt64, to copy: Descriptor) throws(SystemFailure) {
        try self.copy(source, 0..<size, to: copy, at: 0)
        try storage.resize(copy, to: size)
    }

    /// Copies a range of a file into another one, which has nothing there yet. Ends with
    /// ``SystemFailure/interrupted`` when that is requested.
    ///
    /// Whole blocks are shared where the file system can.
    package func copy(
        _ source: Descriptor, _ range: Range<UInt64>, to copy: Descriptor, at offset: UInt64
    ) throws(SystemFailure) {
        guard let shared = share(range, of: source, with: copy, at: offset) else {
            return try copyBytes(of: source, range, to: copy, at: offset)
        }
        try copyBytes(of: source, range.lowerBound..<shared.lowerBound, to: copy, at: offset)
        try copyBytes(
            of: source, shared.upperBound..<range.upperBound, to: copy,
            at: offset + (shared.upperBound - range.lowerBound))
    }

    /// Size of a block that can be shared, in bytes. A file system with larger ones refuses.
    private static let block: UInt64 = 4096
    /// Least bytes to share: each shared range is an extent of its own, and small ones would fragment the file.
    private static let leastShared = 64 << 10

    /// - Returns: the part of the range that is shared; nil if none is.
    private func share(
        _ range: Range<UInt64>, of source: Descriptor, with copy: Descriptor, at offset: UInt64
    ) -> Range<UInt64>? {
        let start = (range.lowerBound + Self.block - 1) / Self.block * Self.block
        let end = range.upperBound / Self.block * Self.block
        guard range.lowerBound % Self.block == offset % Self.block, start < end, end - start >= Self.leastShared,
            storage.share(start..<end, of: source, with: copy, at: offset + (start - range.lowerBound))
        else { return nil }
        return start..<end
    }

    private func copyBytes(
        of source: Descriptor, _ range: Range<UInt64>, to copy: Descriptor, at offset: UInt64
    ) throws(SystemFailure) {
        guard !range.isEmpty else { return }
        // Its holes stay holes, so that it takes no more than the original does. To look for some takes as long as the
        // rest of the file is.
        let mayHaveHoles = try source.status().mayHaveHoles
        let segments = storage.segments(of: source, size: range.upperBound)
        let most = min(256 << 10, max(range.count, 4096))
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: most, alignment: 4096)
        defer { buffer.deallocate() }
        var next = range.lowerBound
        while next < range.upperBound, let data = mayHaveHoles ? segments.next(from: next) : range {
            next = data.lowerBound
            while next < data.upperBound {
                let wanted = min(UInt64(buffer.count), data.upperBound - next)
                let count = retrying { pread(source.number, buffer.baseAddress, Int(wanted), off_t(next)) }
                if count < 0 { throw .last }
                if count == 0 { throw SystemFailure(EIO) }
                if interruption.isRequested { throw .interrupted }
                guard space.hasRoom(for: UInt64(count)) else { throw SystemFailure(ENOSPC) }
                let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
                try storage.write(bytes, to: copy, at: offset + (next - range.lowerBound))
                next += UInt64(count)
            }
        }
    }
}
