/// Set of the names of a large directory, or of other short byte strings, for detecting repetitions.
///
/// The system may list a name twice if a program replaces the file during the listing; an item with a repeated name is
/// invalid. A name takes 8 to 16 bytes; many names are in several tables that grow one at a time, so that growth takes
/// little extra memory.
struct SeenNames: Sendable {
    /// Most names in the set for one walk or one arriving item: 16 MiB, if all of them are in one folder.
    static let maximum = 3 << 19
    /// Number of slots at which the first table is divided.
    private static let undividedPlaces = 1 << 16

    /// Tables of digests: a single table, or 16 by the highest bits of the digests.
    private var tables: [Table] = []
    private(set) var count = 0

    /// Memory of the tables, in bytes.
    var bytes: Int { tables.reduce(0) { $0 + $1.places.count * MemoryLayout<UInt64>.stride } }

    /// Slots of each table; 0 is free.
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
        /// Digests of names, each in the first free slot from its own position; 0 is free.
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
