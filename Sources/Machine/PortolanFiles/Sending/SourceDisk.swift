/// The file system that sources are read from.
package struct SourceDisk: Sendable {
    let storage: any ReadableStorage
    /// Time for which a read mark stays valid while its file is sent; nil for the whole transfer.
    let markLifetime: Duration?
    /// Only allowed source of a path; nil if any is allowed.
    let held: HeldSource?
    /// Files that are sent to nobody.
    let own: OwnFiles

    /// - Parameter storage: system calls for reading sources.
    init(
        storage: any ReadableStorage, markLifetime: Duration? = nil, held: HeldSource? = nil, own: OwnFiles = .none
    ) {
        self.own = own
        self.storage = storage
        self.markLifetime = markLifetime
        self.held = held
    }

    /// The file systems of this machine, for content that stays here.
    package static let local = SourceDisk(storage: KernelStorage(), markLifetime: .seconds(1))

    /// Returns the file systems of this machine, for content that goes to others.
    ///
    /// - Parameter held: the only source, at its known place; nil for any.
    package static func local(holding held: HeldSource? = nil, without own: OwnFiles) -> SourceDisk {
        SourceDisk(storage: KernelStorage(), markLifetime: .seconds(1), held: held, own: own)
    }
}
