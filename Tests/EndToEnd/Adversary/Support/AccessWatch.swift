import Foundation
import Glibc

/// Counts accesses to a folder by any process: opening and listing it, and opening its entries.
final class AccessWatch {
    struct Accesses: Equatable {
        /// The folder or something in it was opened.
        var opened = 0
        /// The folder was listed. Parts of one listing that follow each other count once.
        var listed = 0
    }

    private let descriptor: CInt
    private var counted = Accesses()

    init(_ folder: URL) {
        descriptor = inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC))
        let events = UInt32(IN_OPEN) | UInt32(IN_ACCESS)
        guard descriptor >= 0, inotify_add_watch(descriptor, folder.path, events) >= 0 else {
            fatalError("the kernel does not watch \(folder.path)")
        }
    }

    deinit { close(descriptor) }

    /// Accesses so far.
    func count() -> Accesses {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while case let length = read(descriptor, &buffer, buffer.count), length > 0 {
            var place = 0
            while place < length {
                let event = buffer.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: inotify_event.self) }
                if event.mask & UInt32(IN_OPEN) != 0 { counted.opened += 1 }
                if event.mask & UInt32(IN_ACCESS) != 0, event.mask & UInt32(IN_ISDIR) != 0 { counted.listed += 1 }
                place += MemoryLayout<inotify_event>.size + Int(event.len)
            }
        }
        return counted
    }
}
