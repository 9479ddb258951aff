import Glibc
import Synchronization

@testable import FilesTestSupport
@testable import PortolanFiles

/// A simulated disk with a source on it.
final class SourceFolderOnDisk: Sendable {
    private let disk = SimulatedDisk(seed: 0)

    /// The disk, for senders.
    var place: SourceDisk { SourceDisk(storage: disk) }

    /// Fails one call that reads content or lists a folder. Calls that look at an entry are not counted: an entry whose
    /// properties cannot be read is left out, and the receiver is not told of it.
    ///
    /// - Parameter count: which such call from now on, from 1; nil for none.
    func failOnce(inCalls count: Int?) {
        let left = Mutex(count ?? 0)
        disk.onLook { look throws(SystemFailure) in
            switch look {
            case .path, .name, .properties: return
            case .names, .content: break
            }
            let isDue = left.withLock { left in
                left -= 1
                return left == 0
            }
            if isDue { throw SystemFailure(EIO) }
        }
    }

    /// Changes the source on the disk into this one.
    func put(_ source: SimulatedSource) throws {
        let number = open(disk.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw Trouble("The source's folder is gone") }
        Removal.empty(Descriptor(owning: number), features: .detected)
        for (index, path) in source.paths.enumerated() {
            let entry = source.entries[index]
            let full = self.path(of: source) + path
            switch entry.kind {
            case .folder: guard mkdir(full, 0o700) == 0 else { throw Trouble("\(path) cannot be made") }
            case .link(let target):
                guard symlink(target, full) == 0 else { throw Trouble("\(path) cannot be made") }
            case .hardLink: break
            case .file(let content): try write(content, to: full)
            }
        }
        // The targets may come later in the list.
        for (index, path) in source.paths.enumerated() {
            guard case .hardLink(let target) = source.entries[index].kind else { continue }
            let root = self.path(of: source)
            guard link(root + source.paths[target], root + path) == 0 else { throw Trouble("\(path) cannot be made") }
        }
        // The order is backwards: making entries in a folder changes its time.
        for (index, path) in source.paths.enumerated().reversed() {
            var entry = source.entries[index]
            if case .hardLink(let target) = entry.kind { entry = source.entries[target] }
            let time = timespec(tv_sec: Int(entry.modified), tv_nsec: 7)
            utimensat(AT_FDCWD, self.path(of: source) + path, [time, time], AT_SYMLINK_NOFOLLOW)
        }
    }

    func path(of source: SimulatedSource) -> String { "\(disk.path)/\(source.name)" }

    private func write(_ content: SimulatedSource.Content, to path: String) throws {
        let number = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard number >= 0 else { throw Trouble("\(path) cannot be made") }
        let file = Descriptor(owning: number)
        ftruncate(file.number, content.bytes.count)
        var place = 0
        while place < content.bytes.count {
            let (isHole, end) = content.extent(at: place)
            if !isHole {
                let count = content.bytes.withUnsafeBytes {
                    pwrite(file.number, $0.baseAddress.map { $0 + place }, end - place, place)
                }
                guard count == end - place else { throw Trouble("\(path) cannot be written") }
            }
            place = end
        }
    }
}
