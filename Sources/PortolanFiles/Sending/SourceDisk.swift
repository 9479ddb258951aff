/// The file system that sources are read from.
package struct SourceDisk: Sendable {
    let storage: any ReadableStorage

    /// - Parameter storage: the calls by which sources are looked at and read.
    init(storage: any ReadableStorage) { self.storage = storage }

    /// The file systems of this machine.
    package static let local = SourceDisk(storage: KernelStorage())
}
