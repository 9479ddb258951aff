import Glibc
import Synchronization

@testable import PortolanFiles

/// Calls that read. They change nothing, so they do not count in ``calls``; after the end of the process they fail.
extension SimulatedDisk {
    /// A reading call.
    enum Look: Hashable, Sendable {
        /// Look-up of a path.
        case path(String)
        /// Look-up of a name in an open folder.
        case name(String)
        /// Reading of the next names of an open folder.
        case names
        /// Reading of the status or attributes of an open file or folder.
        case properties
        /// Reading of the content of an open file, from an offset.
        case content(UInt64)
    }

    /// Hook before each reading call.
    struct LookHook {
        var body: @Sendable (Look) throws(SystemFailure) -> Void = { _ in }
    }

    /// Calls a function before each reading call, which fails if it throws.
    func onLook(_ body: @escaping @Sendable (Look) throws(SystemFailure) -> Void) {
        lookHook.withLock { $0.body = body }
    }

    private func look<Result>(
        _ look: Look, _ body: () throws(SystemFailure) -> Result
    ) throws(SystemFailure) -> Result {
        try lookHook.withLock(\.body)(look)
        if isDead { throw SystemFailure(EIO) }
        return try body()
    }

    private func look<Result>(
        _ name: UnsafePointer<CChar>, _ body: () throws(SystemFailure) -> Result
    ) throws(SystemFailure) -> Result {
        try look(.name(String(cString: name)), body)
    }

    var readsAttributesByName: Bool { disk.readsAttributesByName }

    // MARK: Paths

    func resolve(_ path: String) throws(SystemFailure) -> [CChar] {
        try look(.path(path)) { () throws(SystemFailure) in try disk.resolve(path) }
    }

    func status(ofPath path: String) throws(SystemFailure) -> FileStatus {
        try look(.path(path)) { () throws(SystemFailure) in try disk.status(ofPath: path) }
    }

    func open(path: String) throws(SystemFailure) -> Descriptor {
        try look(.path(path)) { () throws(SystemFailure) in try disk.open(path: path) }
    }

    func readAttribute(
        _ attribute: UnsafePointer<CChar>, ofPath path: UnsafePointer<CChar>,
        into value: UnsafeMutableRawBufferPointer
    ) throws(SystemFailure) -> Int {
        try look(.path(String(cString: path))) { () throws(SystemFailure) in
            try disk.readAttribute(attribute, ofPath: path, into: value)
        }
    }

    // MARK: Names

    func openFile(_ name: UnsafePointer<CChar>, in folder: Descriptor) throws(SystemFailure) -> Descriptor {
        try look(name) { () throws(SystemFailure) in try disk.openFile(name, in: folder) }
    }

    func openFolder(_ name: UnsafePointer<CChar>, in folder: Descriptor) throws(SystemFailure) -> Descriptor {
        try look(name) { () throws(SystemFailure) in try disk.openFolder(name, in: folder) }
    }

    func status(of name: UnsafePointer<CChar>, in folder: Descriptor) throws(SystemFailure) -> FileStatus {
        try look(name) { () throws(SystemFailure) in try disk.status(of: name, in: folder) }
    }

    func linkTarget(of name: UnsafePointer<CChar>, in folder: Descriptor) throws(SystemFailure) -> [UInt8] {
        try look(name) { () throws(SystemFailure) in try disk.linkTarget(of: name, in: folder) }
    }

    func readAttribute(
        _ attribute: UnsafePointer<CChar>, of name: UnsafePointer<CChar>, in folder: Descriptor,
        into value: UnsafeMutableRawBufferPointer
    ) throws(SystemFailure) -> Int {
        try look(name) { () throws(SystemFailure) in
            try disk.readAttribute(attribute, of: name, in: folder, into: value)
        }
    }

    func listAttributes(
        of name: UnsafePointer<CChar>, in folder: Descriptor, into names: UnsafeMutableRawBufferPointer
    ) throws(SystemFailure) -> Int {
        try look(name) { () throws(SystemFailure) in try disk.listAttributes(of: name, in: folder, into: names) }
    }

    func list(_ folder: Descriptor, into records: UnsafeMutableRawBufferPointer) throws(SystemFailure) -> Int {
        try look(.names) { () throws(SystemFailure) in try disk.list(folder, into: records) }
    }

    // MARK: Open files

    func status(of file: Descriptor) throws(SystemFailure) -> FileStatus {
        try look(.properties) { () throws(SystemFailure) in try disk.status(of: file) }
    }

    func readAttribute(
        _ attribute: UnsafePointer<CChar>, of file: Descriptor, into value: UnsafeMutableRawBufferPointer
    ) throws(SystemFailure) -> Int {
        try look(.properties) { () throws(SystemFailure) in try disk.readAttribute(attribute, of: file, into: value) }
    }

    func listAttributes(
        of file: Descriptor, into names: UnsafeMutableRawBufferPointer
    ) throws(SystemFailure) -> Int {
        try look(.properties) { () throws(SystemFailure) in try disk.listAttributes(of: file, into: names) }
    }

    func read(
        _ file: Descriptor, into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
    ) throws(SystemFailure) -> Int {
        try look(.content(offset)) { () throws(SystemFailure) in try disk.read(file, into: buffer, at: offset) }
    }

    func find(_ edge: DataSegments.Edge, in file: Descriptor, from offset: UInt64) -> DataSegments.Found {
        let found = try? look(.content(offset)) { () throws(SystemFailure) in
            disk.find(edge, in: file, from: offset)
        }
        return found ?? .unknown
    }
}
