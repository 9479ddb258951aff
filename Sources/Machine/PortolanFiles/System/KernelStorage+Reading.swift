import CPortolanLinux
import Glibc
import PortolanValues

extension KernelStorage {
    package var readsAttributesByName: Bool { features.attributesByName }

    // MARK: Paths

    package func resolve(_ path: String) throws(SystemFailure) -> [CChar] {
        guard let resolved = realpath(path.pathBytes, nil) else { throw .last }
        defer { free(resolved) }
        return Array(UnsafeBufferPointer(start: resolved, count: strlen(resolved) + 1))
    }

    package func status(ofPath path: String) throws(SystemFailure) -> FileStatus {
        var status = stat()
        guard stat(path.pathBytes, &status) == 0 else { throw .last }
        return FileStatus(status)
    }

    package func open(path: String) throws(SystemFailure) -> Descriptor {
        let number = retrying { Glibc.open(path.pathBytes, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) }
        guard number >= 0 else { throw .last }
        return Descriptor(owning: number)
    }

    package func openFolder(path: String) throws(SystemFailure) -> Descriptor {
        let number = retrying { Glibc.open(path.pathBytes, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
        guard number >= 0 else { throw .last }
        return Descriptor(owning: number)
    }

    package func readAttribute(
        _ attribute: UnsafePointer<CChar>, ofPath path: UnsafePointer<CChar>,
        into value: UnsafeMutableRawBufferPointer
    ) throws(SystemFailure) -> Int {
        try Self.count(portolan_get_attribute_of_path(path, attribute, value.baseAddress, UInt64(value.count)))
    }

    // MARK: Names in an open folder

    package func openFile(_ name: UnsafePointer<CChar>, in folder: Descriptor) throws(SystemFailure) -> Descriptor {
        try Beneath.openToRead(name, in: folder, features: features)
    }

    package func openFolder(_ name: UnsafePointer<CChar>, in folder: Descriptor) throws(SystemFailure) -> Descriptor {
        try Beneath.open(name, in: folder, O_RDONLY | O_DIRECTORY, features: features)
    }

    package func status(of name: UnsafePointer<CChar>, in folder: Descriptor) throws(SystemFailure) -> FileStatus {
        try folder.status(of: name)
    }

    package func linkTarget(of name: UnsafePointer<CChar>, in folder: Descriptor) throws(SystemFailure) -> [UInt8] {
        try folder.linkTarget(of: name)
    }

    package func readAttribute(
        _ attribute: UnsafePointer<CChar>, of name: UnsafePointer<CChar>, in folder: Descriptor,
        into value: UnsafeMutableRawBufferPointer
    ) throws(SystemFailure) -> Int {
        try Self.count(
            portolan_get_attribute_below(
                folder.number, name, attribute, value.baseAddress, UInt32(clamping: value.count)))
    }

    package func listAttributes(
        of name: UnsafePointer<CChar>, in folder: Descriptor, into names: UnsafeMutableRawBufferPointer
    ) throws(SystemFailure) -> Int {
        try Self.count(
            portolan_list_attributes_below(folder.number, name, names.baseAddress, UInt64(names.count)))
    }

    package func list(_ folder: Descriptor, into records: UnsafeMutableRawBufferPointer) throws(SystemFailure) -> Int {
        try Self.count(
            retrying { portolan_list_directory(folder.number, records.baseAddress, UInt64(records.count)) })
    }

    // MARK: Open files

    package func status(of file: Descriptor) throws(SystemFailure) -> FileStatus { try file.status() }

    package func readAttribute(
        _ attribute: UnsafePointer<CChar>, of file: Descriptor, into value: UnsafeMutableRawBufferPointer
    ) throws(SystemFailure) -> Int {
        try Self.count(portolan_get_attribute(file.number, attribute, value.baseAddress, UInt64(value.count)))
    }

    package func listAttributes(
        of file: Descriptor, into names: UnsafeMutableRawBufferPointer
    ) throws(SystemFailure) -> Int {
        try Self.count(portolan_list_attributes(file.number, names.baseAddress, UInt64(names.count)))
    }

    package func read(
        _ file: Descriptor, into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
    ) throws(SystemFailure) -> Int {
        let count = retrying { pread(file.number, buffer.baseAddress, buffer.count, off_t(offset)) }
        guard count >= 0 else { throw .last }
        return count
    }

    package func find(_ edge: DataSegments.Edge, in file: Descriptor, from offset: UInt64) -> DataSegments.Found {
        let start = Int64(clamping: offset)
        let place =
            switch edge {
            case .data: portolan_find_data(file.number, start)
            case .hole: portolan_find_hole(file.number, start)
            }
        if place >= 0 { return .at(UInt64(place)) }
        return errno == ENXIO ? .nothing : .unknown
    }

    package func generation(of file: Descriptor) -> UInt64 {
        var number = 0
        return ioctl(file.number, Self.getVersion, &number) == 0 ? UInt64(UInt32(truncatingIfNeeded: number)) : 0
    }

    /// FS_IOC_GETVERSION; its number encodes a result of type long.
    private static let getVersion = UInt(0x8000_7601 | MemoryLayout<Int>.size << 16)

    package func birth(of file: Descriptor) -> Int64? {
        let time = portolan_birth(file.number)
        return time == 0 ? nil : time
    }

    package func keepsNumbers(_ file: Descriptor) -> Bool { portolan_keeps_numbers(file.number) != 0 }

    package func isWritten(_ file: Descriptor) -> Bool? {
        switch portolan_is_written(file.number) {
        case 0: false
        case 1: true
        default: nil
        }
    }

    package func fileSystem(of file: Descriptor) -> UInt64 {
        var status = statvfs()
        return fstatvfs(file.number, &status) == 0 ? UInt64(status.f_fsid) : 0
    }

    package func isMountRoot(_ folder: Descriptor) -> Bool { portolan_is_mount_root(folder.number) != 0 }

    package func listsAllAttributes(in folder: Descriptor) -> Bool { portolan_lists_attributes(folder.number) != 0 }

    /// Returns the result of a call that counts bytes.
    private static func count(_ result: Int64) throws(SystemFailure) -> Int {
        guard result >= 0 else { throw .last }
        return Int(result)
    }
}
