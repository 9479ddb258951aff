import PortolanFiles

/// Content of a file that was received for a team or group: enough to recognise a copy that lost its attribute.
struct RestrictedContent: Hashable, Sendable {
    static let digestLength = 32

    /// Bytes; never 0, which all empty files have in common.
    let size: UInt64
    /// SHA-256 of the whole content.
    let digest: [UInt8]
    let restriction: Restriction
}

/// File format of the records: size (8 bytes, little-endian), digest (32), length of the restriction's text (2,
/// little-endian) and the text (``RestrictionText``), one record after another.
extension RestrictedContent {
    var record: [UInt8] {
        let text = RestrictionText.bytes(of: restriction)
        return (0..<8).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) } + digest
            + [UInt8(truncatingIfNeeded: text.count), UInt8(truncatingIfNeeded: text.count >> 8)] + text
    }

    /// Reads records. A damaged record ends the list; only warnings are lost by that.
    static func records(in bytes: [UInt8]) -> [RestrictedContent] {
        var records: [RestrictedContent] = []
        var rest = bytes[...]
        while rest.count >= 8 + digestLength + 2 {
            let size = rest.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            let digest = Array(rest.dropFirst(8).prefix(digestLength))
            let lengths = rest.dropFirst(8 + digestLength).prefix(2)
            let length = Int(lengths[lengths.startIndex]) | Int(lengths[lengths.startIndex + 1]) << 8
            let text = rest.dropFirst(8 + digestLength + 2).prefix(length)
            guard text.count == length, let restriction = RestrictionText.restriction(in: text) else { break }
            records.append(RestrictedContent(size: size, digest: digest, restriction: restriction))
            rest = rest.dropFirst(8 + digestLength + 2 + length)
        }
        return records
    }
}

/// Restricted content by size: a file's digest is only computed where its size is in here.
struct RestrictedContents: Sendable {
    private let bySize: [UInt64: [RestrictedContent]]

    init(_ contents: some Sequence<RestrictedContent>) {
        bySize = Dictionary(grouping: contents, by: \.size)
    }

    var isEmpty: Bool { bySize.isEmpty }

    func holds(size: UInt64) -> Bool { bySize[size] != nil }

    /// Restrictions under which the same content was received, each once.
    func restrictions(size: UInt64, digest: [UInt8]) -> [Restriction] {
        var known: Set<Restriction> = []
        return (bySize[size] ?? []).filter { $0.digest == digest && known.insert($0.restriction).inserted }
            .map(\.restriction)
    }
}
