import PortolanFiles

/// The real disk, except for calls that a conforming type implements.
package protocol PassThroughStorage: Storage {}

extension PassThroughStorage {
    package var disk: KernelStorage { KernelStorage() }

    package func makeFile(_ name: String, in folder: Descriptor, mode: UInt32) throws(SystemFailure) -> Descriptor {
        try disk.makeFile(name, in: folder, mode: mode)
    }

    package func makeFolder(_ name: String, in folder: Descriptor, mode: UInt32) throws(SystemFailure) {
        try disk.makeFolder(name, in: folder, mode: mode)
    }

    package func makeLink(_ name: String, to target: String, in folder: Descriptor) throws(SystemFailure) {
        try disk.makeLink(name, to: target, in: folder)
    }

    package func link(
        _ name: String, in folder: Descriptor, as other: String, in otherFolder: Descriptor
    ) throws(SystemFailure) {
        try disk.link(name, in: folder, as: other, in: otherFolder)
    }

    package func move(
        _ name: String, in folder: Descriptor, to other: String, in otherFolder: Descriptor, _ manner: MoveManner
    ) throws(SystemFailure) {
        try disk.move(name, in: folder, to: other, in: otherFolder, manner)
    }

    package func remove(_ name: UnsafePointer<CChar>, in folder: Descriptor, isFolder: Bool) throws(SystemFailure) {
        try disk.remove(name, in: folder, isFolder: isFolder)
    }

    package func write(_ bytes: UnsafeRawBufferPointer, to file: Descriptor, at offset: UInt64) throws(SystemFailure) {
        try disk.write(bytes, to: file, at: offset)
    }

    package func resize(_ file: Descriptor, to size: UInt64) throws(SystemFailure) { try disk.resize(file, to: size) }

    package func share(
        _ range: Range<UInt64>, of source: Descriptor, with file: Descriptor, at offset: UInt64
    ) -> Bool { disk.share(range, of: source, with: file, at: offset) }

    package func clear(_ range: Range<UInt64>, of file: Descriptor) throws(SystemFailure) {
        try disk.clear(range, of: file)
    }

    package func setModified(_ time: FileTime, of file: Descriptor) throws(SystemFailure) {
        try disk.setModified(time, of: file)
    }

    package func setModified(_ time: FileTime, ofLink name: String, in folder: Descriptor) throws(SystemFailure) {
        try disk.setModified(time, ofLink: name, in: folder)
    }

    package func setPermissions(_ mode: UInt16, of file: Descriptor) throws(SystemFailure) {
        try disk.setPermissions(mode, of: file)
    }

    package func setAttribute(
        _ name: String, _ value: UnsafeRawBufferPointer, of file: Descriptor
    ) throws(SystemFailure) {
        try disk.setAttribute(name, value, of: file)
    }

    package func sync(_ file: Descriptor) throws(SystemFailure) { try disk.sync(file) }

    package func syncAll(_ file: Descriptor) throws(SystemFailure) { try disk.syncAll(file) }

    package func isInMemory(_ file: Descriptor) -> Bool { disk.isInMemory(file) }
}
