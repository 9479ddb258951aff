import Glibc

/// Names of one directory in byte order, each once: all of them, or a chunk of ``DirectoryReader``.
///
/// A directory may have a million names, so they are stored one after another in one buffer.
package struct DirectoryListing: Sendable, Sequence {
    package struct Entry {
        /// Without a closing NUL.
        package let name: ArraySlice<UInt8>
        /// Kind in the directory's entry, if it has one.
        package let kind: FileStatus.Kind?
    }

    /// Each name with a closing NUL.
    private var names: [UInt8] = []
    private var places: [Place] = []

    private struct Place {
        let start: UInt32
        let length: UInt16
        let kind: UInt8
    }

    package var count: Int { places.count }
    /// Memory of the listing, in bytes.
    var bytes: Int { names.count + places.count * MemoryLayout<Place>.stride }

    /// No names.
    init() {}

    /// Reads all names through a separate descriptor, so that the position of `directory` does not change.
    init(of directory: Descriptor) throws(SystemFailure) {
        var reader = try DirectoryReader(of: directory)
        self = try reader.next(.max, through: DirectoryReader.Buffer())
    }

    /// Adds a name at the end, unless it is `.` or `..`.
    mutating func append(_ name: UnsafeRawBufferPointer, kind: UInt8) throws(SystemFailure) {
        let dot = UInt8(ascii: ".")
        if name.count <= 2, name.first == dot, name.last == dot { return }
        // Positions have 32 bits; a directory with more names does not fit in memory.
        guard let start = UInt32(exactly: names.count) else { throw SystemFailure(EOVERFLOW) }
        places.append(Place(start: start, length: UInt16(clamping: name.count), kind: kind))
        names.append(contentsOf: name)
        names.append(0)
    }

    /// Sorts the names into byte order. A name that the system returned twice, as it may when the directory changes,
    /// stays once.
    mutating func sort() {
        names.withUnsafeBufferPointer { names in
            guard let base = names.baseAddress else { return }
            func order(_ one: Place, _ other: Place) -> Int32 {
                let shared = Int(Swift.min(one.length, other.length))
                let order = memcmp(base + Int(one.start), base + Int(other.start), shared)
                return order != 0 ? order : Int32(one.length) - Int32(other.length)
            }
            places.sort { order($0, $1) < 0 }
            var kept = 0
            for place in places.indices where kept == 0 || order(places[kept - 1], places[place]) != 0 {
                places[kept] = places[place]
                kept += 1
            }
            places.removeLast(places.count - kept)
        }
    }

    /// Keeps the names for which `isKept` returns true.
    mutating func keep(where isKept: (UnsafeRawBufferPointer) -> Bool) {
        names.withUnsafeBytes { names in
            places.removeAll { place in
                let start = Int(place.start)
                return !isKept(UnsafeRawBufferPointer(rebasing: names[start..<start + Int(place.length)]))
            }
        }
    }

    package subscript(_ index: Int) -> Entry {
        let place = places[index]
        let start = Int(place.start)
        return Entry(name: names[start..<start + Int(place.length)], kind: Self.kind(place.kind))
    }

    /// Returns the kind in the directory's entry, if it has one.
    package func kind(_ index: Int) -> FileStatus.Kind? { Self.kind(places[index].kind) }

    /// - Throws: ``NameRefusal`` for a name that is not carried.
    package func fileName(_ index: Int) throws(NameRefusal) -> FileName {
        let start = Int(places[index].start)
        let end = start + Int(places[index].length)
        return try names.withUnsafeBufferPointer { names throws(NameRefusal) in
            try FileName(UnsafeBufferPointer(rebasing: names[start..<end]))
        }
    }

    /// Calls `body` with the bytes of a name, without a closing NUL.
    func withBytes<Result>(_ index: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let start = Int(places[index].start)
        let end = start + Int(places[index].length)
        return names.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[start..<end])) }
    }

    /// Calls `body` with the name in the form of system calls.
    package func withName<Result, Failure: Error>(
        _ index: Int, _ body: (UnsafePointer<CChar>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let start = Int(places[index].start)
        return try names.withUnsafeBufferPointer { bytes throws(Failure) in
            let name = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[start...])
            // Each name is followed by its NUL, so at least one byte exists.
            guard let first = name.baseAddress else { preconditionFailure("a listing without its names") }
            return try body(first.assumingMemoryBound(to: CChar.self))
        }
    }

    package func makeIterator() -> AnyIterator<Entry> {
        var next = 0
        return AnyIterator {
            guard next < count else { return nil }
            defer { next += 1 }
            return self[next]
        }
    }

    private static func kind(_ type: UInt8) -> FileStatus.Kind? {
        switch Int(type) {
        case DT_REG: .file
        case DT_DIR: .folder
        case DT_LNK: .symbolicLink
        case DT_FIFO: .pipe
        case DT_SOCK: .socket
        case DT_CHR, DT_BLK: .device
        default: nil
        }
    }
}
