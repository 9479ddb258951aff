import FilesTestSupport
import Synchronization

@testable import PortolanFiles

/// The real disk, except that it refuses Portolan's extended attributes with an error after a number of them.
final class RefusingStorage: PassThroughStorage {
    private let number: Int32
    private let left: Mutex<Int>

    init(_ number: Int32, after count: Int) {
        self.number = number
        left = Mutex(count)
    }

    func setAttribute(
        _ name: String, _ value: UnsafeRawBufferPointer, of file: Descriptor
    ) throws(SystemFailure) {
        let isRefused = left.withLock { left in
            guard name == StoredVisibility.attribute else { return false }
            left -= 1
            return left < 0
        }
        if isRefused { throw SystemFailure(number) }
        try disk.setAttribute(name, value, of: file)
    }
}
