import CPortolanLinux
import Foundation
import Glibc
import PortolanFiles
import Synchronization

/// Folders for one execution each, below the one for temporary files.
enum Scratch {
    private static let count = Atomic<Int>(0)

    /// Runs `body` with a folder that is removed afterwards.
    static func with(_ body: (_ path: String) -> Void) {
        let number = count.wrappingAdd(1, ordering: .relaxed).newValue
        let path = NSTemporaryDirectory() + "/portolan-fuzz-\(getpid())-\(number)"
        require(mkdir(path, 0o700) == 0, "No folder can be made at \(path): \(String(cString: strerror(errno)))")
        body(path)
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // Removal covers any entries that a peer has made.
        if folder >= 0 { Removal.empty(Descriptor(owning: folder)) }
        rmdir(path)
    }

    static func write(_ bytes: [UInt8], to path: String) {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        _ = Glibc.write(file, bytes, bytes.count)
        close(file)
    }

    static func setAttribute(_ name: String, _ value: [UInt8], of path: String) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        _ = portolan_set_attribute(file, name, value, UInt64(value.count))
        close(file)
    }
}
