/// The names of a large directory, or other short runs of bytes, that have been met, so that none comes twice.
///
/// The system may give a name again that was removed and made anew while the directory was being listed, as a program does
/// that replaces files; an item in which a name comes twice is none. Eight bytes a name, so up to twice that and a bit.
struct SeenNames: Sendable {
    /// Digests of names, each at the first free place from where it belongs; 0 is a free place.
    private(set) var places: [UInt64] = []
    private(set) var count = 0

    /// How much memory it takes.
    var bytes: Int { places.count * MemoryLayout<UInt64>.stride }

    /// - Parameter isGrowing: whether a name that is new is remembered.
    /// - Returns: whether the name is new.
    mutating func insert(_ name: UnsafeRawBufferPointer, isGrowing: Bool = true) -> Bool {
        if places.isEmpty { places = [UInt64](repeating: 0, count: 1 << 12) }
        let digest = Self.digest(of: name)
        let place = self.place(of: digest)
        if places[place] == digest { return false }
        guard isGrowing else { return true }
        places[place] = digest
        count += 1
        if count > places.count / 4 * 3 { grow() }
        return true
    }

    private static func digest(of name: UnsafeRawBufferPointer) -> UInt64 {
        // Keyed anew in every process, so that nobody can choose names that look like one another.
        var hasher = Hasher()
        hasher.combine(bytes: name)
        return max(UInt64(truncatingIfNeeded: hasher.finalize()), 1)
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
