import FilesTestSupport
import Foundation
import PortolanFiles

/// Extended attributes of files.
extension SyncFolders {
    func set(_ number: Int, _ name: String, _ attribute: String, _ value: String) throws {
        try set("user.\(attribute)", Array(value.utf8), of: self(number, name))
    }

    private func set(_ attribute: String, _ value: [UInt8], of path: String) throws {
        let disk = KernelStorage()
        try disk.setAttribute(attribute, value, of: try disk.open(path: path))
    }

    /// Puts a file with the same content and no attributes in the place of another.
    func dropAttributes(_ number: Int, _ name: String) throws {
        try write(number, "new", text(number, name) ?? "")
        move(number, "new", to: name)
    }

    /// Names without `user.`, and values as text.
    func attributes(_ number: Int, _ name: String) throws -> [String: String] {
        let disk = KernelStorage()
        let found = SourceAttributes(of: try disk.open(path: self(number, name)), by: disk).attributes
        return Dictionary(uniqueKeysWithValues: found.map { ($0.name, String(decoding: $0.value, as: UTF8.self)) })
    }
}

/// The machine's disk without extended attributes, or without values that are longer than some number of bytes.
struct PlainStorage: PassThroughStorage {
    var longest: Int?

    func setAttribute(
        _ name: String, _ value: UnsafeRawBufferPointer, of file: Descriptor
    ) throws(SystemFailure) {
        guard let longest else { throw SystemFailure(ENOTSUP) }
        guard value.count <= longest else { throw SystemFailure(ENOSPC) }
        try disk.setAttribute(name, value, of: file)
    }

    func listAttributes(of file: Descriptor, into names: UnsafeMutableRawBufferPointer) throws(SystemFailure) -> Int {
        if longest == nil { throw SystemFailure(ENOTSUP) }
        return try disk.listAttributes(of: file, into: names)
    }
}
