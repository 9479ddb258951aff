import TestSupport

/// A file or folder at a sender's, made up: names, contents, holes.
struct SimulatedSource {
    struct Content: Hashable {
        var bytes: [UInt8]
        /// Ranges of it that take no space; ascending.
        var holes: [Range<Int>] = []

        /// Returns the kind of the extent at a place, and its end.
        func extent(at place: Int) -> (isHole: Bool, end: Int) {
            for hole in holes {
                if place < hole.lowerBound { return (false, hole.lowerBound) }
                if place < hole.upperBound { return (true, hole.upperBound) }
            }
            return (false, bytes.count)
        }

        /// Bytes of a range that are not in a hole.
        func stored(in range: Range<Int>) -> Int {
            holes.reduce(range.count) { $0 - pages(in: $1).clamped(to: range).count }
        }

        /// Part of a hole that a disk does not store: whole pages, but for the end of the file.
        private func pages(in hole: Range<Int>) -> Range<Int> {
            let page = 4096
            let start = (hole.lowerBound + page - 1) / page * page
            let end = hole.upperBound == bytes.count ? hole.upperBound : hole.upperBound / page * page
            return start..<max(start, end)
        }
    }

    enum Kind: Hashable {
        case file(Content)
        case folder
        case link(String)
        case hardLink(Int)
    }

    struct Entry: Hashable {
        var parent = 0
        var name: String
        var kind: Kind
        var modified: Int64 = 1_400_000_000
    }

    /// The entries, depth first; the item itself is the first.
    var entries: [Entry]
    /// True if its length is unknown before its end, and earlier bytes of it are never reused.
    var isStream = false
    private var changes: Int64 = 0

    init(_ entries: [Entry]) { self.entries = entries }

    var isFolder: Bool { entries[0].kind == .folder }
    var name: String { entries[0].name }

    /// Returns the content of a file, by any of its names.
    func content(of index: Int) -> Content? {
        switch entries[index].kind {
        case .file(let content): content
        case .hardLink(let target): content(of: target)
        case .folder, .link: nil
        }
    }

    func isLinkTarget(_ index: Int) -> Bool { entries.contains { $0.kind == .hardLink(index) } }

    /// Path of each entry below the item; empty for the item itself.
    var paths: [String] {
        var paths: [String] = []
        for (index, entry) in entries.enumerated() {
            paths.append(index == 0 ? "" : paths[entry.parent] + "/" + entry.name)
        }
        return paths
    }

    /// Bytes of all files, without their holes.
    var size: Int {
        entries.reduce(0) { sum, entry in
            if case .file(let content) = entry.kind { return sum + content.stored(in: 0..<content.bytes.count) }
            return sum
        }
    }
}

// MARK: - Making and changing

extension SimulatedSource {
    /// Random bytes in which all pages differ.
    static func noise(_ count: Int, _ random: inout SeededGenerator) -> [UInt8] {
        var tile: [UInt8] = []
        for _ in 0..<512 { withUnsafeBytes(of: random.next()) { tile.append(contentsOf: $0) } }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + tile.count)
        while bytes.count < count { bytes.append(contentsOf: tile) }
        bytes.withUnsafeMutableBytes { bytes in
            for start in stride(from: 0, to: bytes.count, by: tile.count) {
                bytes.storeBytes(of: random.next(), toByteOffset: start, as: UInt64.self)
            }
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    static func file(_ size: Int, named name: String = "disk.img", _ random: inout SeededGenerator) -> SimulatedSource {
        SimulatedSource([Entry(name: name, kind: .file(Content(bytes: noise(size, &random))))])
    }

    static func stream(_ size: Int, _ random: inout SeededGenerator) -> SimulatedSource {
        var source = file(size, named: "archive.tar", &random)
        source.isStream = true
        return source
    }

    /// A file with more holes than data.
    static func sparse(_ random: inout SeededGenerator) -> SimulatedSource {
        var content = Content(bytes: [])
        while content.bytes.count < 6 << 20 {
            let start = content.bytes.count
            if random.chance(2) {
                let length = (1 + random.below(24)) << 16
                content.bytes += [UInt8](repeating: 0, count: length)
                if content.holes.last?.upperBound == start, let last = content.holes.popLast() {
                    content.holes.append(last.lowerBound..<start + length)
                } else {
                    content.holes.append(start..<start + length)
                }
            } else {
                content.bytes += noise((1 + random.below(60)) << 12, &random)
            }
        }
        if random.chance(2) { content.bytes += noise(1 + random.below(5000), &random) }
        return SimulatedSource([Entry(name: "sparse.img", kind: .file(content))])
    }

    /// A folder with every kind of entry.
    ///
    /// - Parameter size: bytes of all files that it must not exceed.
    static func tree(files: Int, size: Int = 3 << 20, _ random: inout SeededGenerator) -> SimulatedSource {
        var source = SimulatedSource([Entry(name: "Photos", kind: .folder)])
        var folders = [0]
        var targets: [Int] = []
        var left = size
        for number in 0..<files {
            while folders.count > 1, random.chance(6) { folders.removeLast() }
            let parent = folders.last ?? 0
            let index = source.entries.count
            switch random.below(14) {
            case 0:
                source.entries.append(Entry(parent: parent, name: "folder \(number)", kind: .folder))
                folders.append(index)
            case 1: source.entries.append(Entry(parent: parent, name: "link \(number)", kind: .link("somewhere")))
            case 2:
                guard let target = targets.randomElement(using: &random) else { continue }
                source.entries.append(Entry(parent: parent, name: "other \(number).jpg", kind: .hardLink(target)))
            default:
                let size = [0, random.below(3000), random.below(60_000), random.below(700_000)][
                    [0, 1, 1, 1, 2, 2, 2, 3][random.below(8)]]
                let fitting = min(size, left)
                left -= fitting
                let content = Content(bytes: noise(fitting, &random))
                source.entries.append(Entry(parent: parent, name: "file \(number).jpg", kind: .file(content)))
                targets.append(index)
            }
        }
        return source
    }

    /// Simulates work on the source: changes some files, adds one, removes one.
    mutating func change(_ random: inout SeededGenerator) {
        changes += 1
        let files = entries.indices.filter { if case .file = entries[$0].kind { true } else { false } }
        for index in files where files.count == 1 || random.chance(5) {
            guard case .file(var content) = entries[index].kind else { continue }
            switch random.below(3) {
            case 0: content.bytes += Self.noise(1 + random.below(4000), &random)
            case 1:
                content.bytes = Array(content.bytes.prefix(content.bytes.count / 2))
                content.holes = content.holes.map { $0.clamped(to: 0..<content.bytes.count) }.filter { !$0.isEmpty }
            default:
                let place = random.below(max(1, content.bytes.count))
                if !content.holes.contains(where: { $0.contains(place) }), place < content.bytes.count {
                    content.bytes[place] ^= 0xFF
                }
            }
            entries[index].kind = .file(content)
            entries[index].modified += 1 + changes
        }
        guard isFolder else { return }
        let name = "new \(changes).txt"
        let new = Content(bytes: Self.noise(random.below(30_000), &random))
        entries.append(Entry(parent: 0, name: name, kind: .file(new), modified: 1_400_000_000 + changes))
        if random.chance(2), let gone = files.dropFirst().randomElement(using: &random), !isLinkTarget(gone) {
            remove(gone)
        }
    }

    private mutating func remove(_ gone: Int) {
        entries.remove(at: gone)
        for index in entries.indices {
            if entries[index].parent > gone { entries[index].parent -= 1 }
            if case .hardLink(let target) = entries[index].kind, target > gone {
                entries[index].kind = .hardLink(target - 1)
            }
        }
    }
}

extension SeededGenerator {
    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    mutating func chance(_ one: Int) -> Bool { below(one) == 0 }
}
