/// What a peer may send at most (PORTOLAN.md, "Limits"). Refused beyond it, before anything is allocated for it.
public enum Limits {
    /// One frame of the handshake, in bytes, its two length bytes not counted.
    package static let handshakeFrame = 4096
    /// The plaintext of one control record, in bytes.
    package static let control = 256 << 10
    /// The data in one payload record, in bytes, its header not counted.
    package static let payload = 1 << 20

    /// Items in one offer.
    public static let items = 1024
    /// Representations of one item.
    public static let representations = 32
    /// Ancestors, extensions and MIME types of one content type, each.
    public static let ancestors = 64
    /// A type identifier, extension or MIME type, in bytes of UTF-8.
    public static let identifier = 255
    /// A file or device-local name, in bytes.
    public static let name = 255
    /// A title, description or detail, in bytes of UTF-8.
    public static let text = 1024
    /// A picture of a preview, in bytes.
    public static let picture = 32 << 10
    /// Folders inside one another below an item, its root counted.
    public static let depth = 128
    /// The target of a symbolic link and the path of an omission, in bytes.
    package static let path = 4095
    /// Teams in one Hello.
    package static let teams = 16
    /// Heads of one team's roster.
    package static let heads = 8
    /// The roster of one head, in bytes.
    package static let roster = 224 << 10
    /// The rosters of all heads that one side sends in one session, in bytes.
    package static let rosters = 4 << 20
    /// Suites that a responder may offer.
    package static let suites = 16
    /// What is listed of the omissions of one item, in bytes of their paths; the others are counted.
    package static let omissionBytes = 32 << 10
    /// Omissions that are listed; the others are counted.
    package static let omissions = 1024
    /// The size of anything: what a signed 64-bit file offset can say.
    package static let size = UInt64(Int64.max)
}
