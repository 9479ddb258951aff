/// First bytes of an SQLite database, by its file format (sqlite.org/fileformat2.html, section 1.3).
package struct DatabaseHeader: Hashable, Sendable {
    /// Length of the header, in bytes.
    package static let bytes = 100
    private static let magic = Array("SQLite format 3\0".utf8)
    /// Fields that count commits, and name the version of the library: they differ between equal databases.
    private static let counters = [24..<28, 40..<44, 92..<100]
    private static let sizeField = 28..<32

    /// Size of a page, in bytes.
    package let pageBytes: Int
    /// True if changes go to a write-ahead log beside the file.
    package let usesLog: Bool
    /// Number of pages, as far as the header tells it.
    let pages: UInt32?

    /// - Returns: nil for the beginning of another file.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= Self.bytes, bytes.prefix(Self.magic.count).elementsEqual(Self.magic) else { return nil }
        let size = Int(bytes[16]) << 8 | Int(bytes[17])
        pageBytes = size == 1 ? 65_536 : size
        guard pageBytes >= 512, pageBytes <= 65_536, pageBytes & (pageBytes - 1) == 0, 1...2 ~= bytes[18],
            1...2 ~= bytes[19]
        else { return nil }
        usesLog = bytes[19] == 2
        let pages = bytes.bigEndian(at: Self.sizeField.lowerBound)
        // The number counts only if the library that wrote last knew it.
        pages == 0 || bytes.bigEndian(at: 24) != bytes.bigEndian(at: 92) ? (self.pages = nil) : (self.pages = pages)
    }

    /// Number of pages of a file.
    func pages(ofFileWith size: UInt64) -> UInt64 {
        let whole = size / UInt64(pageBytes)
        return pages.map { min(UInt64($0), whole) } ?? whole
    }

    /// Removes from a first page what differs between equal databases, and sets its number of pages.
    ///
    /// - Parameter page: at least ``bytes`` bytes from the beginning.
    static func level(_ page: UnsafeMutableRawBufferPointer, pages: UInt64) {
        for field in counters { for place in field { page[place] = 0 } }
        let count = UInt32(truncatingIfNeeded: pages)
        for (place, shift) in zip(sizeField, [24, 16, 8, 0]) {
            page[place] = UInt8(truncatingIfNeeded: count >> UInt32(shift))
        }
    }
}

/// Files beside a database that belong to it.
package enum DatabaseFiles {
    /// Write-ahead log, and journal of a transaction.
    package static let log = "-wal"
    package static let journal = "-journal"
    /// Index of the log, for the processes of one machine.
    static let memory = "-shm"
    private static let suffixes = [log, journal, memory]

    /// Returns the name of the database to which a file of this name would belong; nil for other names.
    package static func owner(of name: String) -> String? {
        suffixes.first { name.hasSuffix($0) && name.utf8.count > $0.utf8.count }.map { String(name.dropLast($0.count)) }
    }
}

extension UnsafeRawBufferPointer {
    func bigEndian(at place: Int) -> UInt32 { UInt32(bigEndian: loadUnaligned(fromByteOffset: place, as: UInt32.self)) }
}
