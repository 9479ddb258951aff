/// Parts of another side's file that a file of this side contains, and those that must be fetched.
///
/// The roles of a difference are exchanged here: the wanted file has the role of the base, and its chunks and sums come
/// from the side that has it. They may be wrong, so a digest must confirm the assembled file.
package struct AssemblyPlan: Sendable {
    /// Part of the wanted file; parts are in order.
    package struct Part: Hashable, Sendable {
        package let range: Range<UInt64>
        /// Offset of these bytes in the own file; nil for bytes to be fetched.
        package let own: UInt64?

        /// Where the own bytes end.
        fileprivate var ownEnd: UInt64? { own.map { $0 + UInt64(range.count) } }

        fileprivate func clamped(to limits: Range<UInt64>) -> Part {
            let range = range.clamped(to: limits)
            return Part(range: range, own: own.map { $0 + (range.lowerBound - self.range.lowerBound) })
        }
    }

    /// Bytes of a block, and of its strong sum.
    private static let sums = (block: UInt64(1024), strong: 8)
    /// Bytes that one question covers at most.
    private static let most: UInt64 = 4 << 20
    /// The most parts: further blocks are fetched, and not looked for.
    package static let mostParts = 1 << 17
    /// Bytes that could be fetched in the time of a question, when few are missing.
    private static let question = (join: UInt64(16 << 10), whole: UInt64(32 << 10))

    package private(set) var parts: [Part] = []
    /// Bytes to be fetched.
    package private(set) var missing: UInt64 = 0
    package let size: UInt64

    /// Where the own file is likely to have bytes of a missing part, by where that begins.
    private var windows: [UInt64: [Range<UInt64>]] = [:]

    /// - Parameters:
    ///   - wanted: chunks of the wanted file.
    ///   - own: chunks of the own file, which was read with the same table.
    package init(wanted: ChunkList, own: ChunkList) {
        size = wanted.size
        var position: UInt64 = 0
        // Chunks that match many positions must not make the search longer than the files.
        var room = 4 * own.size
        for segment in ChunkMatch(new: wanted, base: own).segments {
            switch segment {
            case .copy(let range):
                add(Part(range: position..<position + UInt64(range.count), own: range.lowerBound))
                position += UInt64(range.count)
            case .changed(let changed):
                add(Part(range: changed.range, own: nil))
                position = changed.range.upperBound
                // A block at the edge has bytes of the chunk beside it.
                let around = changed.requests.map { request in
                    let reach = Self.sums.block
                    let start = request.base.lowerBound - min(reach, request.base.lowerBound)
                    return start..<min(request.base.upperBound + reach, own.size)
                }
                let length = around.reduce(0) { $0 + UInt64($1.count) }
                guard length > 0, length <= room else { continue }
                room -= length
                windows[changed.range.lowerBound] = around
            }
        }
    }

    private mutating func add(_ part: Part) {
        if part.own == nil { missing += UInt64(part.range.count) }
        parts.append(part)
    }

    /// A missing part, with the request and the searched range for finding more of it.
    package struct Search: Sendable {
        fileprivate let range: Range<UInt64>
        /// Sums to ask for.
        package let request: SignatureRequest
        /// Parts of the own file.
        package let windows: [Range<UInt64>]
    }

    /// Searches that are worth their sums, in order; no byte is in two requests.
    package func searches() throws(DeltaError) -> [Search] {
        var searches: [Search] = []
        var asked: UInt64 = 0
        for part in parts where part.own == nil {
            guard let windows = windows[part.range.lowerBound] else { continue }
            let block = Self.sums.block
            let start = max(part.range.lowerBound / block * block, asked)
            let end = min((part.range.upperBound + block - 1) / block * block, size)
            guard start < end, end - start <= Self.most + 2 * block else { continue }
            asked = end
            searches.append(
                Search(
                    range: part.range,
                    request: try SignatureRequest(
                        base: start, length: end - start, blockSize: Int(block), strongLength: Self.sums.strong,
                        baseSize: size),
                    windows: windows))
        }
        return searches
    }

    /// Finds blocks of a missing part in the own file.
    ///
    /// - Parameters:
    ///   - signature: the other side's sums for the request.
    ///   - window: bytes of the own file, which begin at `start`.
    ///   - most: most pieces; further ones are omitted. Forged sums that match many positions of the own file could
    ///     otherwise find many times its blocks.
    package static func pieces(
        of search: Search, _ signature: BlockSignature, _ sums: BlockSums, in window: [UInt8], at start: UInt64,
        most: Int = mostParts
    ) -> [Part] {
        var pieces: [Part] = []
        var own = start
        window.withUnsafeBytes { content in
            BlockSearch([signature], sums).search(content, at: start) { operation in
                defer { own += operation.length }
                guard case .copy(let wanted) = operation, wanted.overlaps(search.range) else { return }
                let piece = Part(range: wanted, own: own).clamped(to: search.range)
                if let last = pieces.last, last.range.upperBound == piece.range.lowerBound, last.ownEnd == piece.own {
                    let range = last.range.lowerBound..<piece.range.upperBound
                    pieces[pieces.count - 1] = Part(range: range, own: last.own)
                } else if pieces.count < most {
                    pieces.append(piece)
                }
            }
        }
        return pieces
    }

    /// Adds pieces that were found in missing parts.
    package mutating func fill(_ found: [(search: Search, pieces: [Part])]) {
        var filled: [UInt64: [Part]] = [:]
        var count = parts.count
        for (search, pieces) in found where count < Self.mostParts {
            let parts = Self.filling(search.range, with: pieces)
            count += parts.count
            filled[search.range.lowerBound] = parts
        }
        let old = parts
        parts = []
        missing = 0
        for part in old {
            for piece in (part.own == nil ? filled[part.range.lowerBound] : nil) ?? [part] { add(piece) }
        }
    }

    /// Drops own parts that cost more than they save, since each missing part needs its own question.
    ///
    /// - Returns: false if fetching the whole file is faster.
    package mutating func join() -> Bool {
        let old = parts
        parts = []
        missing = 0
        var questions: UInt64 = 0
        var rest = old[...]
        while !rest.isEmpty {
            let own = rest.prefix { $0.own != nil }
            rest = rest.dropFirst(own.count)
            let isBetween = !parts.isEmpty && !rest.isEmpty
            if isBetween, own.reduce(0, { $0 + UInt64($1.range.count) }) < Self.question.join {
                for part in own { miss(part.range) }
            } else {
                for part in own { add(part) }
            }
            guard let next = rest.popFirst() else { break }
            if parts.last.map({ $0.own != nil }) ?? true { questions += 1 }
            miss(next.range)
        }
        return missing + questions * Self.question.whole < size
    }

    /// Adds a range to be fetched, joined with the preceding one.
    private mutating func miss(_ range: Range<UInt64>) {
        guard let last = parts.last, last.own == nil else { return add(Part(range: range, own: nil)) }
        missing += UInt64(range.count)
        parts[parts.count - 1] = Part(range: last.range.lowerBound..<range.upperBound, own: nil)
    }

    /// Returns the parts of a range from its known pieces, which are in any order and may repeat.
    private static func filling(_ range: Range<UInt64>, with pieces: [Part]) -> [Part] {
        var parts: [Part] = []
        var position = range.lowerBound
        for piece in pieces.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            guard piece.range.upperBound > position else { continue }
            let rest = piece.clamped(to: position..<range.upperBound)
            guard !rest.range.isEmpty else { continue }
            if rest.range.lowerBound > position {
                parts.append(Part(range: position..<rest.range.lowerBound, own: nil))
            }
            position = rest.range.upperBound
            if let last = parts.last, let own = last.own, last.ownEnd == rest.own {
                parts[parts.count - 1] = Part(range: last.range.lowerBound..<position, own: own)
            } else {
                parts.append(rest)
            }
        }
        if position < range.upperBound { parts.append(Part(range: position..<range.upperBound, own: nil)) }
        return parts
    }

    /// Parts of a range of the wanted file.
    package func parts(in range: Range<UInt64>) -> [Part] {
        var (low, high) = (0, parts.count)
        while low < high {
            let middle = (low + high) / 2
            if parts[middle].range.upperBound <= range.lowerBound { low = middle + 1 } else { high = middle }
        }
        return parts[low...].prefix { $0.range.lowerBound < range.upperBound }.map { $0.clamped(to: range) }
    }
}
