/// Metadata of a partial: used to resume it and to list it.
package struct PartialAbout: Hashable, Sendable, Codable {
    /// The format of this record; one with another number is not read.
    package static let currentVersion = 1

    package let version: Int
    package let identity: ItemIdentity
    /// Name that the sender announced, and fingerprint of its key.
    package let peerName: String
    package let peerFingerprint: String
    package let title: String
    /// Proposed name of the item.
    package let name: String
    package let typeIdentifier: String
    /// Size in bytes, if announced.
    package let size: UInt64?
    /// The size that was accepted, in bytes, holes counted; nil where none was offered.
    package let acceptedSize: UInt64?
    package let isFolder: Bool
    /// Start of its first transfer, in seconds since 1970.
    package let created: Int64

    package init(
        identity: ItemIdentity, peerName: String, peerFingerprint: String, title: String, name: FileName,
        typeIdentifier: String, size: UInt64?, acceptedSize: UInt64? = nil, isFolder: Bool, created: FileTime = .now
    ) {
        version = Self.currentVersion
        self.identity = identity
        self.peerName = peerName
        self.peerFingerprint = peerFingerprint
        self.title = title
        self.name = name.text
        self.typeIdentifier = typeIdentifier
        self.size = size
        self.acceptedSize = acceptedSize
        self.isFolder = isFolder
        self.created = created.seconds
    }
}

extension PartialAbout: PartialRecord {
    static let fileName = "about"
    static let maximumBytes = 64 << 10

    /// - Returns: nil if there is none that this version understands.
    static func read(from folder: Descriptor, features: KernelFeatures) -> PartialAbout? {
        switch load(from: folder, features: features) {
        case .record(let about): about
        case .none, .unusable: nil
        }
    }
}
