@testable import PortolanFiles

/// The disk itself, but for the calls that a conforming type answers on its own.
protocol PassThroughStorage: Storage {}

extension PassThroughStorage {
    var disk: KernelStorage { KernelStorage() }

    func makeFile(_ name: String, in folder: Descriptor, mode: UInt32) throws(SystemFailure) -> Descriptor {
        try disk.makeFile(name, in: folder, mode: mode)
    }

    func makeFolder(_ name: String, in folder: Descriptor, mode: UInt32) throws(SystemFailure) {
        try disk.makeFolder(name, in: folder, mode: mode)
    }

    func makeLink(_ name: String, to target: String, in folder: Descriptor) throws(SystemFailure) {
        try disk.makeLink(name, to: target, in: folder)
    }

    func link(
        _ name: String, in folder: Descriptor, as other: String, in otherFolder: Descriptor
    ) throws(SystemFailure) {
        try disk.link(name, in: folder, as: other, in: otherFolder)
    }

    func move(
        _ name: String, in folder: Descriptor, to other: String, in otherFolder: Descriptor, _ manner: MoveManner
    ) throws(SystemFailure) {
        try disk.move(name, in: folder, to: other, in: otherFolder, manner)
    }

    func remove(_ name: UnsafePointer<CChar>, in folder: Descriptor, isFolder: Bool) throws(SystemFailure) {
        try disk.remove(name, in: folder, isFolder: isFolder)
    }

    func write(_ bytes: UnsafeRawBufferPointer, to file: Descriptor, at offset: UInt64) throws(SystemFailure) {
        try disk.write(bytes, to: file, at: offset)
    }

    func resize(_ file: Descriptor, to size: UInt64) throws(SystemFailure) { try disk.resize(file, to: size) }

    func clear(_ range: Range<UInt64>, of file: Descriptor) throws(SystemFailure) {
        try disk.clear(range, of: file)
    }

    func setModified(_ time: FileTime, of file: Descriptor) throws(SystemFailure) {
        try disk.setModified(time, of: file)
    }

    func setModified(_ time: FileTime, ofLink name: String, in folder: Descriptor) throws(SystemFailure) {
        try disk.setModified(time, ofLink: name, in: folder)
    }

    func setPermissions(_ mode: UInt16, of file: Descriptor) throws(SystemFailure) {
        try disk.setPermissions(mode, of: file)
    }

    func setAttribute(
        _ name: String, _ value: UnsafeRawBufferPointer, of file: Descriptor
    ) throws(SystemFailure) {
        try disk.setAttribute(name, value, of: file)
    }

    func sync(_ file: Descriptor) throws(SystemFailure) { try disk.sync(file) }

    func syncAll(_ file: Descriptor) throws(SystemFailure) { try disk.syncAll(file) }

    func isInMemory(_ file: Descriptor) -> Bool { disk.isInMemory(file) }
}
