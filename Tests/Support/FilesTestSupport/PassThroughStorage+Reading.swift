import PortolanFiles

extension PassThroughStorage {
    package var readsAttributesByName: Bool { disk.readsAttributesByName }

    // MARK: Paths

    package func resolve(_ path: String) throws(SystemFailure) -> [CChar] { try disk.resolve(path) }

    package func status(ofPath path: String) throws(SystemFailure) -> FileStatus { try disk.status(ofPath: path) }

    package func open(path: String) throws(SystemFailure) -> Descriptor { try disk.open(path: path) }

    package func openFolder(path: String) throws(SystemFailure) -> Descriptor { try disk.openFolder(path: path) }

    package func readAttribute(
        _ attribute: UnsafePointer<CChar>, ofPath path: UnsafePointer<CChar>,
        into value: UnsafeMutableRawBufferPointer
    ) throws(SystemFailure) -> Int {
        try disk.readAttribute(attribute, ofPath: path, into: value)
    }

    // MARK: Names

    package func openFile(_ name: UnsafePointer<CChar>, in folder: Descriptor) throws(SystemFailure) -> Descriptor {
        try disk.openFile(name, in: folder)
    }

    package func openFolder(_ name: UnsafePointer<CChar>, in folder: Descriptor) throws(SystemFailure) -> Descriptor {
        try disk.openFolder(name, in: folder)
    }

    package func status(of name: UnsafePointer<CChar>, in folder: Descriptor) throws(SystemFailure) -> FileStatus {
        try disk.status(of: name, in: folder)
    }

    package func linkTarget(of name: UnsafePointer<CChar>, in folder: Descriptor) throws(SystemFailure) -> [UInt8] {
        try disk.linkTarget(of: name, in: folder)
    }

    package func readAttribute(
        _ attribute: UnsafePointer<CChar>, of name: UnsafePointer<CChar>, in folder: Descriptor,
        into value: UnsafeMutableRawBufferPointer
    ) throws(SystemFailure) -> Int {
        try disk.readAttribute(attribute, of: name, in: folder, into: value)
    }

    package func listAttributes(
        of name: UnsafePointer<CChar>, in folder: Descriptor, into names: UnsafeMutableRawBufferPointer
    ) throws(SystemFailure) -> Int {
        try disk.listAttributes(of: name, in: folder, into: names)
    }

    package func list(_ folder: Descriptor, into records: UnsafeMutableRawBufferPointer) throws(SystemFailure) -> Int {
        try disk.list(folder, into: records)
    }

    // MARK: Open files

    package func isWritten(_ file: Descriptor) -> Bool? { disk.isWritten(file) }

    package func status(of file: Descriptor) throws(SystemFailure) -> FileStatus { try disk.status(of: file) }

    package func readAttribute(
        _ attribute: UnsafePointer<CChar>, of file: Descriptor, into value: UnsafeMutableRawBufferPointer
    ) throws(SystemFailure) -> Int {
        try disk.readAttribute(attribute, of: file, into: value)
    }

    package func listAttributes(
        of file: Descriptor, into names: UnsafeMutableRawBufferPointer
    ) throws(SystemFailure) -> Int {
        try disk.listAttributes(of: file, into: names)
    }

    package func read(
        _ file: Descriptor, into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
    ) throws(SystemFailure) -> Int {
        try disk.read(file, into: buffer, at: offset)
    }

    package func find(_ edge: DataSegments.Edge, in file: Descriptor, from offset: UInt64) -> DataSegments.Found {
        disk.find(edge, in: file, from: offset)
    }
}
