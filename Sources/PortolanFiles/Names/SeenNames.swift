/// The names of a large directory, or other short runs of bytes, that have been met, so that none comes twice.
///
/// The system may give a name again that was removed and made anew while the directory was being listed, as a program
/// does that replaces files; an item in which a name comes twice is none. Eight bytes a name, so up to twice that and a
/// bit; many names are in tables that grow one by one, so that growing takes little more.
struct SeenNames: Sendable {
    /// Most names that are remembered of a walk, or of an item that arrives: 16 MiB, if all of them lie in one folder.
    static let maximum = 3 << 19
    /// The first table is divided when it has so many places.
    private static let undividedPlaces = 1 << 16

    /// Tables of digests: a single table, or 16 by the highest bits of the digests.
    private var tables: [Table] = []
    private(set) var count = 0

    /// Memory of the tables, in bytes.
    var bytes: Int { tables.reduce(0) { $0 + $1.places.count * MemoryLayout<UInt64>.stride } }

    /// The places of each table; 0 is a free one.
    var places: [[UInt64]] { tables.map(\.places) }

    /// - Parameter isGrowing: true if a name that is new is remembered.
    /// - Returns: true if the name is new.
    mutating func insert(_ name: UnsafeRawBufferPointer, isGrowing: Bool = true) -> Bool {
        if tables.isEmpty { tables = [Table(places: 64)] }
        let digest = Self.digest(of: name)
        let isNew = tables[table(of: digest)].insert(digest, isGrowing: isGrowing)
        guard isNew, isGrowing else { return isNew }
        count += 1
        if tables.count == 1, tables[0].places.count >= Self.undividedPlaces { divide() }
        return true
    }

    private static func digest(of name: UnsafeRawBufferPointer) -> UInt64 {
        // Keyed anew in every process, so that a peer cannot choose names with equal digests.
        var hasher = Hasher()
        hasher.combine(bytes: name)
        return max(UInt64(truncatingIfNeeded: hasher.finalize()), 1)
    }

    private func table(of digest: UInt64) -> Int { tables.count == 1 ? 0 : Int(digest >> 60) }

    private mutating func divide() {
        let old = tables[0].places
        tables = (0..<16).map { _ in Table(places: old.count / 16) }
        for digest in old where digest != 0 { _ = tables[table(of: digest)].insert(digest, isGrowing: true) }
    }

    private struct Table {
        /// Digests of names, each at the first free place from where it belongs; 0 is a free place.
        private(set) var places: [UInt64]
        private var count = 0

        /// - Parameter count: a power of two.
        init(places count: Int) { places = [UInt64](repeating: 0, count: count) }

        mutating func insert(_ digest: UInt64, isGrowing: Bool) -> Bool {
            let place = self.place(of: digest)
            if places[place] == digest { return false }
            guard isGrowing else { return true }
            places[place] = digest
            count += 1
            if count > places.count / 4 * 3 { grow() }
            return true
        }

        private func place(of digest: UInt64) -> Int {
            let mask = places.count - 1
            var place = Int(truncatingIfNeeded: digest) & mask
            while places[place] != 0, places[place] != digest { place = (place + 1) & mask }
            return place
        }

        private mutating func grow() {
            let old = places
            places = [UInt64](repeating: 0, count: old.count * 2)
            for digest in old where digest != 0 { places[place(of: digest)] = digest }
        }
    }
}
