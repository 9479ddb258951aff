import PortolanValues

/// Entry that a walk through a source carries.
struct FoundEntry {
    let name: FileName
    let place: SourcePlace
    /// The index of the folder that it lies in.
    let parent: UInt32
    let status: FileStatus
    /// Nil for an entry that was only looked at.
    let descriptor: Descriptor?
    /// Restriction of the entry itself, with those of the folders above it and of the item.
    let restriction: Restriction
    /// Bytes of a file that are sent.
    let size: UInt64
    let attributeNames: AttributeNames

    init(
        _ name: FileName, at place: SourcePlace, in parent: UInt32, _ status: FileStatus,
        opened descriptor: Descriptor?, for restriction: Restriction, size: UInt64? = nil,
        _ attributeNames: AttributeNames = .unknown
    ) {
        self.attributeNames = attributeNames
        self.name = name
        self.place = place
        self.parent = parent
        self.status = status
        self.descriptor = descriptor
        self.restriction = restriction
        self.size = size ?? status.size
    }
}
