import Glibc

/// The names in one directory, read once, in byte order.
///
/// A directory may hold a million names, so they lie one after another in one buffer.
struct DirectoryListing: Sendable, Sequence {
    struct Entry {
        /// Without a closing NUL.
        let name: ArraySlice<UInt8>
        /// The directory's own word for what it is, where it has one.
        let kind: FileStatus.Kind?
    }

    /// Each name with a closing NUL.
    private var names: [UInt8] = []
    private var places: [Place] = []

    private struct Place {
        let start: UInt32
        let length: UInt16
        let kind: UInt8
    }

    var count: Int { places.count }

    /// Reads through a descriptor of its own, so that `directory` keeps no position.
    init(of directory: Descriptor) throws(SystemFailure) {
        let number = retrying { openat(directory.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard number >= 0 else { throw .last }
        guard let stream = fdopendir(number) else {
            let failure = SystemFailure.last
            close(number)
            throw failure
        }
        defer { closedir(stream) }
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno != 0 { throw .last }
                break
            }
            // Places count in 32 bits; a directory with more names than that fits in no memory of ours.
            guard let start = UInt32(exactly: names.count) else { throw SystemFailure(EOVERFLOW) }
            append(entry, at: start)
        }
        sort()
    }

    private mutating func append(_ entry: UnsafeMutablePointer<dirent>, at start: UInt32) {
        let kind = entry.pointee.d_type
        withUnsafePointer(to: &entry.pointee.d_name) { field in
            // The record is as long as its name, which can be less than the field; only the bytes up to NUL are there.
            let name = UnsafeRawPointer(field).assumingMemoryBound(to: UInt8.self)
            let length = strlen(UnsafeRawPointer(field).assumingMemoryBound(to: CChar.self))
            let bytes = UnsafeBufferPointer(start: name, count: length)
            if length == 1, bytes[0] == UInt8(ascii: ".") { return }
            if length == 2, bytes[0] == UInt8(ascii: "."), bytes[1] == UInt8(ascii: ".") { return }
            places.append(Place(start: start, length: UInt16(clamping: length), kind: kind))
            names.append(contentsOf: bytes)
            names.append(0)
        }
    }

    private mutating func sort() {
        names.withUnsafeBufferPointer { names in
            guard let base = names.baseAddress else { return }
            places.sort { one, other in
                let shared = Int(Swift.min(one.length, other.length))
                let order = memcmp(base + Int(one.start), base + Int(other.start), shared)
                return order < 0 || (order == 0 && one.length < other.length)
            }
        }
    }

    subscript(_ index: Int) -> Entry {
        let place = places[index]
        let start = Int(place.start)
        return Entry(name: names[start..<start + Int(place.length)], kind: Self.kind(place.kind))
    }

    /// The name as the system takes it.
    func withName<Result, Failure: Error>(
        _ index: Int, _ body: (UnsafePointer<CChar>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let start = Int(places[index].start)
        return try names.withUnsafeBufferPointer { bytes throws(Failure) in
            let name = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[start...])
            // Each name is followed by its NUL, so there is at least that one byte.
            guard let first = name.baseAddress else { preconditionFailure("a listing without its names") }
            return try body(first.assumingMemoryBound(to: CChar.self))
        }
    }

    func makeIterator() -> AnyIterator<Entry> {
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
