import CPortolanLinux
import Glibc

/// Storage on the machine's real disks.
package struct KernelStorage: Storage {
    let features: KernelFeatures

    init(features: KernelFeatures = .detected) { self.features = features }

    package init() { self.init(features: .detected) }

    package func makeFile(_ name: String, in folder: Descriptor, mode: UInt32) throws(SystemFailure) -> Descriptor {
        try Beneath.open(name, in: folder, O_RDWR | O_CREAT | O_EXCL, mode: mode, features: features)
    }

    package func reopenFile(_ name: String, in folder: Descriptor) throws(SystemFailure) -> Descriptor {
        let file = try Beneath.open(name, in: folder, O_RDWR | O_NONBLOCK, features: features)
        let status = try file.status()
        guard status.kind == .file, status.links == 1 else { throw SystemFailure(EEXIST) }
        return file
    }

    package func makeFolder(_ name: String, in folder: Descriptor, mode: UInt32) throws(SystemFailure) {
        guard mkdirat(folder.number, name, mode) == 0 else { throw .last }
    }

    package func makeLink(_ name: String, to target: String, in folder: Descriptor) throws(SystemFailure) {
        guard symlinkat(target, folder.number, name) == 0 else { throw .last }
    }

    package func link(
        _ name: String, in folder: Descriptor, as other: String, in otherFolder: Descriptor
    ) throws(SystemFailure) {
        guard features.hardLinks else { throw SystemFailure(EPERM) }
        guard linkat(folder.number, name, otherFolder.number, other, 0) == 0 else { throw .last }
    }

    package func move(
        _ name: String, in folder: Descriptor, to other: String, in otherFolder: Descriptor, _ manner: MoveManner
    ) throws(SystemFailure) {
        let result: Int32
        switch manner {
        case .replacing: result = renameat(folder.number, name, otherFolder.number, other)
        case _ where !features.renameWithoutReplacing: throw SystemFailure(EINVAL)
        case .withoutReplacing:
            result = portolan_rename_without_replacing(folder.number, name, otherFolder.number, other)
        case .exchanging: result = portolan_exchange(folder.number, name, otherFolder.number, other)
        }
        if result == 0 { return }
        throw errno == ENOSYS ? SystemFailure(EINVAL) : .last
    }

    package func remove(_ name: UnsafePointer<CChar>, in folder: Descriptor, isFolder: Bool) throws(SystemFailure) {
        guard unlinkat(folder.number, name, isFolder ? AT_REMOVEDIR : 0) == 0 else { throw .last }
    }

    package func write(_ bytes: UnsafeRawBufferPointer, to file: Descriptor, at offset: UInt64) throws(SystemFailure) {
        try file.write(bytes, at: offset)
    }

    package func resize(_ file: Descriptor, to size: UInt64) throws(SystemFailure) {
        guard let length = off_t(exactly: size) else { throw SystemFailure(EFBIG) }
        guard retrying({ ftruncate(file.number, length) }) == 0 else { throw .last }
    }

    package func share(
        _ range: Range<UInt64>, of source: Descriptor, with file: Descriptor, at offset: UInt64
    ) -> Bool {
        portolan_clone_range(
            source.number, range.lowerBound, range.upperBound - range.lowerBound, file.number, offset) == 0
    }

    package func clear(_ range: Range<UInt64>, of file: Descriptor) throws(SystemFailure) {
        guard let start = Int64(exactly: range.lowerBound),
            let count = Int64(exactly: range.upperBound - range.lowerBound)
        else { throw SystemFailure(EFBIG) }
        if retrying({ portolan_punch_hole(file.number, start, count) }) == 0 { return }
        guard errno == ENOTSUP || errno == ENOSYS else { throw .last }
        let zeros = [UInt8](repeating: 0, count: 64 << 10)
        try zeros.withUnsafeBufferPointer { zeros throws(SystemFailure) in
            let zeros = UnsafeRawBufferPointer(zeros)
            var next = range.lowerBound
            while next < range.upperBound {
                let part = UnsafeRawBufferPointer(
                    rebasing: zeros[..<Int(min(UInt64(zeros.count), range.upperBound - next))])
                try file.write(part, at: next)
                next += UInt64(part.count)
            }
        }
    }

    package func setModified(_ time: FileTime, of file: Descriptor) throws(SystemFailure) { try file.setModified(time) }

    package func setModified(_ time: FileTime, ofLink name: String, in folder: Descriptor) throws(SystemFailure) {
        let result = time.withTimes { utimensat(folder.number, name, $0, AT_SYMLINK_NOFOLLOW) }
        guard result == 0 else { throw .last }
    }

    package func setPermissions(_ mode: UInt16, of file: Descriptor) throws(SystemFailure) {
        guard fchmod(file.number, mode_t(mode)) == 0 else { throw .last }
    }

    package func setAttribute(
        _ name: String, _ value: UnsafeRawBufferPointer, of file: Descriptor
    ) throws(SystemFailure) {
        guard portolan_set_attribute(file.number, name, value.baseAddress, UInt64(value.count)) == 0 else {
            throw .last
        }
    }

    package func sync(_ file: Descriptor) throws(SystemFailure) { try file.sync() }

    package func syncAll(_ file: Descriptor) throws(SystemFailure) {
        guard portolan_sync_file_system(file.number) == 0 else { throw .last }
    }

    package func isInMemory(_ file: Descriptor) -> Bool { portolan_is_in_memory(file.number) != 0 }
}

extension Descriptor {
    /// Writes all of `bytes` at `offset`: one call, unless the system takes less.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(SystemFailure) {
        var rest = bytes[...]
        var position = off_t(offset)
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let count = retrying { pwrite(number, part.baseAddress, part.count, position) }
            if count < 0 { throw .last }
            // Some file systems report a full disk by writing 0 bytes without an error.
            if count == 0 { throw SystemFailure(ENOSPC) }
            rest = rest.dropFirst(count)
            position += off_t(count)
        }
    }
}
