/// The file system that sources are read from.
package struct SourceDisk: Sendable {
    let storage: any ReadableStorage
    /// Time for which a mark stays valid while its file is sent; nil for all of the transfer.
    let markLifetime: Duration?
    /// The only source that a path may lead to; nil if it may lead anywhere.
    let held: HeldSource?

    /// - Parameter storage: the calls by which sources are looked at and read.
    init(storage: any ReadableStorage, markLifetime: Duration? = nil, held: HeldSource? = nil) {
        self.storage = storage
        self.markLifetime = markLifetime
        self.held = held
    }

    /// The file systems of this machine.
    package static let local = SourceDisk(storage: KernelStorage(), markLifetime: .seconds(1))

    /// Returns the file systems of this machine, from which one source is read, and only at its known place.
    package static func local(holding held: HeldSource) -> SourceDisk {
        SourceDisk(storage: KernelStorage(), markLifetime: .seconds(1), held: held)
    }
}
