/// System calls for reading a source.
///
/// Each function is one call, so that a simulated disk can fail any of them, or change files between two of them.
/// ``KernelStorage`` is the implementation for real disks.
package protocol ReadableStorage: Sendable {
    /// True if attributes of a file can be read by its name, without opening the file.
    var readsAttributesByName: Bool { get }

    // MARK: Paths, of which links are followed

    /// Returns the absolute path without links and dots, with a closing NUL.
    func resolve(_ path: String) throws(SystemFailure) -> [CChar]
    func status(ofPath path: String) throws(SystemFailure) -> FileStatus
    /// Opens a file or folder for reading. Does not wait for the other end of a pipe.
    func open(path: String) throws(SystemFailure) -> Descriptor
    /// Opens a folder; of the path, a link at the last step is not followed.
    func openFolder(path: String) throws(SystemFailure) -> Descriptor
    /// - Returns: number of bytes of the value; fails with ERANGE if they do not fit.
    func readAttribute(
        _ attribute: UnsafePointer<CChar>, ofPath path: UnsafePointer<CChar>,
        into value: UnsafeMutableRawBufferPointer
    ) throws(SystemFailure) -> Int

    // MARK: Names in an open folder, of which links are not followed

    /// Opens a file for reading. Does not wait for the other end of a pipe.
    func openFile(_ name: UnsafePointer<CChar>, in folder: Descriptor) throws(SystemFailure) -> Descriptor
    func openFolder(_ name: UnsafePointer<CChar>, in folder: Descriptor) throws(SystemFailure) -> Descriptor
    func status(of name: UnsafePointer<CChar>, in folder: Descriptor) throws(SystemFailure) -> FileStatus
    func linkTarget(of name: UnsafePointer<CChar>, in folder: Descriptor) throws(SystemFailure) -> [UInt8]
    /// Reads an attribute by name, like ``readAttribute(_:ofPath:into:)``; needs ``readsAttributesByName``.
    func readAttribute(
        _ attribute: UnsafePointer<CChar>, of name: UnsafePointer<CChar>, in folder: Descriptor,
        into value: UnsafeMutableRawBufferPointer
    ) throws(SystemFailure) -> Int
    /// Lists attributes by name, like ``listAttributes(of:into:)``; needs ``readsAttributesByName``.
    func listAttributes(
        of name: UnsafePointer<CChar>, in folder: Descriptor, into names: UnsafeMutableRawBufferPointer
    ) throws(SystemFailure) -> Int
    /// Reads the next names of a folder, as getdents64(2) does.
    ///
    /// - Returns: bytes of their records; 0 at the end.
    func list(_ folder: Descriptor, into records: UnsafeMutableRawBufferPointer) throws(SystemFailure) -> Int

    // MARK: Open files

    func status(of file: Descriptor) throws(SystemFailure) -> FileStatus
    /// Reads an attribute of an open file, like ``readAttribute(_:ofPath:into:)``.
    func readAttribute(
        _ attribute: UnsafePointer<CChar>, of file: Descriptor, into value: UnsafeMutableRawBufferPointer
    ) throws(SystemFailure) -> Int
    /// - Returns: number of bytes of all names, each with a closing NUL; fails with ERANGE if they do not fit.
    func listAttributes(
        of file: Descriptor, into names: UnsafeMutableRawBufferPointer
    ) throws(SystemFailure) -> Int
    /// - Returns: bytes read; 0 at the end of the file.
    func read(
        _ file: Descriptor, into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
    ) throws(SystemFailure) -> Int
    /// Returns the next data or hole at or after an offset.
    func find(_ edge: DataSegments.Edge, in file: Descriptor, from offset: UInt64) -> DataSegments.Found
    /// Returns the number that distinguishes a file from an earlier one with the same inode; 0 if the file system has
    /// none.
    func generation(of file: Descriptor) -> UInt64
    /// Returns the time when a file was made, in nanoseconds since 1970; nil if the file system has none.
    func birth(of file: Descriptor) -> Int64?
    /// Returns false if the file system numbers its files anew at each mount.
    func keepsNumbers(_ file: Descriptor) -> Bool
    /// Returns if some process has an open file open for writing; nil if the system does not tell.
    func isWritten(_ file: Descriptor) -> Bool?
    /// Returns the identifier of a file's file system, which is the same after a restart; 0 if it has none.
    func fileSystem(of file: Descriptor) -> UInt64
    /// Returns true if another file system, or a part of one, is mounted at a folder.
    func isMountRoot(_ folder: Descriptor) -> Bool
    /// Returns true if the file system of a folder is known to list each attribute that it can read.
    func listsAllAttributes(in folder: Descriptor) -> Bool
}

extension ReadableStorage {
    package func generation(of file: Descriptor) -> UInt64 { 0 }
    package func openFolder(path: String) throws(SystemFailure) -> Descriptor { try open(path: path) }
    package func birth(of file: Descriptor) -> Int64? { nil }
    package func keepsNumbers(_ file: Descriptor) -> Bool { true }
    package func isWritten(_ file: Descriptor) -> Bool? { nil }
    package func fileSystem(of file: Descriptor) -> UInt64 { 0 }
    package func isMountRoot(_ folder: Descriptor) -> Bool { false }
    package func listsAllAttributes(in folder: Descriptor) -> Bool { false }
}
