/// Segments of a sparse file that hold data, asked of the file system one by one.
package struct DataSegments {
    package enum Edge: Hashable, Sendable { case data, hole }

    package enum Found: Hashable, Sendable {
        case at(UInt64)
        /// No data follows.
        case nothing
        /// The file system does not report it.
        case unknown
    }

    /// Smallest hole that is sent as a hole: announcing a shorter one costs as much as sending its zeros.
    static let smallestHole: UInt64 = 64 << 10
    /// Largest number of small holes in one segment, so that a fragmented file does not block the reader.
    private static let maximumJoined = 1024
    /// The most parts that are asked for to measure a file's content.
    static let maximumCounted = 65_536

    let size: UInt64
    /// Finds the next edge at or after an offset.
    let seek: (Edge, UInt64) -> Found

    /// Returns the next segment at or after `offset`, which is below the size; nil if only a hole follows.
    ///
    /// Inconsistent answers of the file system count as data, since sending zeros does no harm.
    func next(from offset: UInt64) -> Range<UInt64>? {
        guard let first = data(from: offset) else { return nil }
        let start = first - offset < Self.smallestHole ? offset : first
        var end = hole(after: first)
        for _ in 0..<Self.maximumJoined where end < size {
            let following = data(from: end) ?? size
            if following - end >= Self.smallestHole { break }
            end = following < size ? hole(after: following) : size
        }
        return start..<end
    }

    /// Returns the start of the data at or after `offset`; nil if a hole that is long enough reaches to the end.
    private func data(from offset: UInt64) -> UInt64? {
        switch seek(.data, offset) {
        case .at(let place) where place >= size: rest(offset)
        case .at(let place): max(place, offset)
        case .nothing: rest(offset)
        case .unknown: offset
        }
    }

    private func rest(_ offset: UInt64) -> UInt64? { size - offset < Self.smallestHole ? offset : nil }

    /// Returns the end of the data that contains `offset`.
    private func hole(after offset: UInt64) -> UInt64 {
        if case .at(let place) = seek(.hole, offset), place > offset { return min(place, size) }
        return size
    }
}

extension ReadableStorage {
    /// Returns the number of bytes of a file without its holes, up to `size`.
    ///
    /// Some file systems report less used space than content for a compressed file, so its segments are read. After a
    /// large number of segments, all the rest counts.
    func contentSize(of file: Descriptor, _ status: FileStatus, upTo size: UInt64) -> UInt64 {
        guard status.mayHaveHoles else { return size }
        let segments = segments(of: file, size: size)
        var content: UInt64 = 0
        var next: UInt64 = 0
        for _ in 0..<DataSegments.maximumCounted {
            guard next < size, let data = segments.next(from: next) else { return content }
            content += data.upperBound - data.lowerBound
            next = data.upperBound
        }
        return content + (size - next)
    }

    /// Returns the segments of a file of `size` bytes that hold data.
    func segments(of file: Descriptor, size: UInt64) -> DataSegments {
        DataSegments(size: size) { [self] edge, offset in find(edge, in: file, from: offset) }
    }
}
