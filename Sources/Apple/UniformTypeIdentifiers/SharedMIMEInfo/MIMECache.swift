/// `mime.cache`, the form of a folder's files in which single questions are answered without reading the others.
///
/// It is read as the specification of shared-mime-info describes version 1.2. Numbers are big-endian and take four
/// bytes, offsets count from the beginning, strings end with a zero. All that an offset leads to is checked before the
/// first question, so that one with any damage counts as none.
struct MIMECache: MIMEFolder {
    /// Longer strings are damage.
    private static let maximumLength = 1024
    /// The longest ending of a name that is looked for.
    private static let maximumDepth = 256
    private static let headerSize = 40
    private static let version: [UInt8] = [0, 1, 0, 2]
    private static let caseCounts = 0x100

    private struct Table {
        var start: Int
        var count: Int
    }

    private let bytes: [UInt8]
    private let aliases: Table
    private let parents: Table
    private let literals: Table
    private let roots: Table
    private(set) var closedTypes: Set<String> = []

    /// Nil for bytes that are no such file, or a damaged one.
    init?(_ bytes: [UInt8]) {
        var check = Check(bytes: bytes)
        guard bytes.count >= Self.headerSize, bytes.starts(with: Self.version),
            let aliases = check.list(at: 4, size: 8), let parents = check.list(at: 8, size: 8),
            let literals = check.list(at: 12, size: 12), let roots = check.roots(at: 16),
            check.strings(of: aliases, size: 8, at: [0, 4]), check.parents(parents),
            check.strings(of: literals, size: 12, at: [0, 4]), check.tree(roots)
        else { return nil }
        self.bytes = bytes
        self.aliases = aliases
        self.parents = parents
        self.literals = literals
        self.roots = roots
        closedTypes = Set(
            entries(of: literals, size: 12, named: MIMEGlob.closing).compactMap { string(word($0 + 4)) })
    }

    /// Opens the cache of a folder; nil if there is no valid one, for example because the patterns have changed since
    /// it was made.
    init?(folder: String) {
        let path = TypePlaces.path(folder, "mime.cache")
        guard let made = Self.modified(path),
            Self.modified(TypePlaces.path(folder, "globs2")).map({ $0 <= made }) ?? true,
            let bytes = try? BoundedFile.bytes(path, maximumSize: SharedMIMEInfo.maximumFileSize)
        else { return nil }
        self.init(bytes)
    }

    private static func modified(_ path: String) -> (Int, Int)? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    }
}

// MARK: - Asking

extension MIMECache {
    func types(ofExtension filenameExtension: String) -> [MIMEGlob] {
        guard MIMEGlob.isLiteral(filenameExtension) else { return [] }
        var nodes = roots
        for character in ".\(filenameExtension)".unicodeScalars.reversed() {
            guard let node = child(Int(character.value), among: nodes) else { return [] }
            nodes = Table(start: word(node + 8), count: word(node + 4))
        }
        return leaves(among: nodes).compactMap { glob(string(word($0 + 4)), word($0 + 8)) }
    }

    func types(ofFileNamed name: String) -> [MIMEGlob] {
        guard MIMEGlob.isLiteral(name) else { return [] }
        return entries(of: literals, size: 12, named: name).compactMap { glob(string(word($0 + 4)), word($0 + 8)) }
    }

    func extensions(of type: String) -> [MIMEGlob] {
        let type = Array(type.utf8)
        var found: [MIMEGlob] = []
        /// Nodes to visit, each with the path of its parent, the last character first.
        var waiting: [(nodes: Table, path: [Unicode.Scalar])] = [(roots, [])]
        while let (nodes, path) = waiting.popLast() {
            for node in starts(of: nodes, size: 12) {
                if let character = Unicode.Scalar(UInt32(word(node))), character.value != 0 {
                    guard path.count < Self.maximumDepth else { continue }
                    waiting.append((Table(start: word(node + 8), count: word(node + 4)), path + [character]))
                } else if path.last == ".", order(of: type, andStringAt: word(node + 4)) == 0 {
                    let ending = String(String.UnicodeScalarView(path.dropLast().reversed()))
                    let isForCapitals = word(node + 8) & Self.caseCounts != 0 && ending.lowercased() != ending
                    guard !isForCapitals, let known = MIMEGlob.filenameExtension(ofPattern: "*.\(ending)") else {
                        continue
                    }
                    found += [glob(known, word(node + 8))].compactMap(\.self)
                }
            }
        }
        return found
    }

    func type(ofAlias alias: String) -> String? {
        entries(of: aliases, size: 8, named: alias).first.flatMap { string(word($0 + 4)) }
    }

    func aliases(of type: String) -> [String] {
        let type = Array(type.utf8)
        return starts(of: aliases, size: 8).filter { order(of: type, andStringAt: word($0 + 4)) == 0 }
            .compactMap { string(word($0)) }
    }

    func parents(of type: String) -> [String] {
        entries(of: parents, size: 8, named: type).flatMap { entry in
            let list = word(entry + 4)
            return starts(of: Table(start: list + 4, count: word(list)), size: 4).compactMap { string(word($0)) }
        }
    }
}

// MARK: - Reading of the checked file

extension MIMECache {
    private func word(_ offset: Int) -> Int { bytes.word(at: offset) }

    private func glob(_ value: String?, _ flags: Int) -> MIMEGlob? {
        value.map { MIMEGlob(value: $0, weight: flags & 0xFF) }
    }

    private func starts(of table: Table, size: Int) -> [Int] {
        (0..<table.count).map { table.start + $0 * size }
    }

    /// Returns the text at an offset; nil if it is no text.
    private func string(_ offset: Int) -> String? {
        String(validating: bytes[offset...].prefix { $0 != 0 }, as: UTF8.self)
    }

    /// Compares a string with the one at an offset: negative if the wanted one comes first, positive if it comes after.
    private func order(of wanted: [UInt8], andStringAt offset: Int) -> Int {
        for (position, byte) in wanted.enumerated() {
            let difference = Int(byte) - Int(bytes[offset + position])
            if difference != 0 { return difference }
        }
        return bytes[offset + wanted.count] == 0 ? 0 : -1
    }

    /// Returns the entries of a sorted table that begin with a string.
    private func entries(of table: Table, size: Int, named name: String) -> [Int] {
        let name = Array(name.utf8)
        let first = partition(table, size: size) { order(of: name, andStringAt: word($0)) <= 0 }
        return (first..<table.count).lazy.map { table.start + $0 * size }
            .prefix { order(of: name, andStringAt: word($0)) == 0 }
    }

    /// Siblings are sorted by their characters; those with zero are leaves.
    private func child(_ character: Int, among nodes: Table) -> Int? {
        let first = partition(nodes, size: 12) { word($0) >= character }
        guard first < nodes.count, word(nodes.start + first * 12) == character else { return nil }
        return nodes.start + first * 12
    }

    private func leaves(among nodes: Table) -> [Int] {
        (0..<nodes.count).lazy.map { nodes.start + $0 * 12 }.prefix { word($0) == 0 }
    }

    /// Returns the number of the first entry for which the condition holds; it holds for all later ones, too.
    private func partition(_ table: Table, size: Int, _ holds: (Int) -> Bool) -> Int {
        var (low, high) = (0, table.count)
        while low < high {
            let middle = (low + high) / 2
            if holds(table.start + middle * size) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

// MARK: - Checking

extension MIMECache {
    /// Follows every offset once. In a valid cache no two offsets lead to the same place, so the total is bounded by
    /// the file's size; a loop of suffixes is detected by that bound.
    private struct Check {
        let bytes: [UInt8]
        private var rest: Int

        init(bytes: [UInt8]) {
            self.bytes = bytes
            rest = bytes.count
        }

        /// Returns a table whose offset stands at a place, and its count before its entries.
        mutating func list(at place: Int, size: Int) -> Table? {
            guard place + 4 <= bytes.count else { return nil }
            let offset = bytes.word(at: place)
            guard offset + 4 <= bytes.count else { return nil }
            return table(start: offset + 4, count: bytes.word(at: offset), size: size)
        }

        /// Returns the nodes that begin the tree of endings, whose offset stands at a place.
        mutating func roots(at place: Int) -> Table? {
            let offset = bytes.word(at: place)
            guard offset + 8 <= bytes.count else { return nil }
            return table(start: bytes.word(at: offset + 4), count: bytes.word(at: offset), size: 12)
        }

        private mutating func table(start: Int, count: Int, size: Int) -> Table? {
            guard count * size <= rest, start + count * size <= bytes.count else { return nil }
            rest -= count * size
            return Table(start: start, count: count)
        }

        func strings(of table: Table, size: Int, at places: [Int]) -> Bool {
            (0..<table.count).allSatisfy { entry in
                places.allSatisfy { isString(bytes.word(at: table.start + entry * size + $0)) }
            }
        }

        mutating func parents(_ table: Table) -> Bool {
            for entry in 0..<table.count {
                let start = table.start + entry * 8
                guard isString(bytes.word(at: start)), let list = list(at: start + 4, size: 4),
                    strings(of: list, size: 4, at: [0])
                else { return false }
            }
            return true
        }

        mutating func tree(_ roots: Table) -> Bool {
            var waiting = [roots]
            while let nodes = waiting.popLast() {
                for node in 0..<nodes.count {
                    let start = nodes.start + node * 12
                    if bytes.word(at: start) == 0 {
                        guard isString(bytes.word(at: start + 4)) else { return false }
                    } else {
                        let (first, count) = (bytes.word(at: start + 8), bytes.word(at: start + 4))
                        guard let children = table(start: first, count: count, size: 12) else { return false }
                        if count > 0 { waiting.append(children) }
                    }
                }
            }
            return true
        }

        private func isString(_ offset: Int) -> Bool {
            guard offset < bytes.count else { return false }
            return bytes.withUnsafeBytes { memory in
                guard let start = memory.baseAddress else { return false }
                return memchr(start + offset, 0, min(maximumLength, memory.count - offset)) != nil
            }
        }
    }
}

extension [UInt8] {
    fileprivate func word(at offset: Int) -> Int {
        Int(self[offset]) << 24 | Int(self[offset + 1]) << 16 | Int(self[offset + 2]) << 8 | Int(self[offset + 3])
    }
}
