import Glibc

/// Counts the openings of files in some directories by name, by this process or any other.
///
/// Hidden files are omitted, such as temporary ones that replace others.
public final class FileOpenings {
    private let descriptor: CInt
    private var counted: [String: Int] = [:]

    public init(in directories: [String]) {
        descriptor = inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC))
        // The kernel merges equal consecutive events, so closings are watched, too: they separate two openings.
        let events = UInt32(IN_OPEN) | UInt32(IN_CLOSE_NOWRITE) | UInt32(IN_CLOSE_WRITE)
        for directory in directories where inotify_add_watch(descriptor, directory, events) < 0 {
            fatalError("the kernel does not watch \(directory)")
        }
    }

    deinit { close(descriptor) }

    /// Openings so far.
    public func counts() -> [String: Int] {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let header = MemoryLayout<inotify_event>.size
        while case let length = read(descriptor, &buffer, buffer.count), length > 0 {
            var place = 0
            while place < length {
                let event = buffer.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: inotify_event.self) }
                let name = buffer[(place + header)..<(place + header + Int(event.len))].prefix { $0 != 0 }
                place += header + Int(event.len)
                guard event.mask & UInt32(IN_OPEN) != 0, event.mask & UInt32(IN_ISDIR) == 0,
                    name.first != UInt8(ascii: ".")
                else { continue }
                counted[String(decoding: name, as: UTF8.self), default: 0] += 1
            }
        }
        return counted
    }
}
