import PortolanProtocol

/// Defect that makes a parcel unusable, in one sentence.
public enum ParcelError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Another version of this program wrote it.
    case unknownVersion(Int)
    /// - Parameter reason: a clause.
    case damaged(reason: String)
    /// Document larger than the limit for reading.
    case tooLarge(bytes: Int)

    public var description: String {
        switch self {
        case .unknownVersion(let version):
            "The parcel has version \(version), and this program reads versions 1 to \(Parcel.version)."
        case .damaged(let reason): "The parcel is damaged: \(reason)."
        case .tooLarge(let bytes): "A parcel has at most \(Parcel.sizeLimit) bytes; this one has \(bytes)."
        }
    }
}

extension Parcel {
    /// The largest document, in bytes: far more than the longest command line makes.
    package static let sizeLimit = 4 << 20
    /// Version 2 has outcomes of each member of a team.
    static let version = 2
    private static let format = "portolan parcel"

    /// True if the document cannot reach the size limit, even with the largest growth in JSON: a text may grow sixfold.
    var isSmall: Bool {
        let forms = items.lazy.flatMap(\.forms)
        guard previews.isEmpty, items.count <= 16, forms.count <= 64, forms.allSatisfy({ $0.restriction == .everyone })
        else { return false }
        let interfaces = options.interfaces ?? []
        guard interfaces.count <= 64 else { return false }
        let texts = [target.text] + items.compactMap(\.title) + interfaces
        let bytes =
            texts.reduce(0) { $0 + $1.utf8.count }
            + forms.reduce(0) { sum, form in
                let content =
                    switch form.content {
                    // With what the file was, which has the path twice.
                    case .path(let path): 3 * path.utf8.count + 512
                    case .data(let data): data.count
                    }
                return sum + content + form.type.identifier.utf8.count + (form.name?.utf8.count ?? 0)
            }
        return bytes <= Self.sizeLimit / 16
    }

    /// The parcel as a JSON document that a person can read.
    ///
    /// - Throws: ``ParcelError/tooLarge(bytes:)``
    public func document() throws(ParcelError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        let document: [UInt8]
        do {
            document = try Array(encoder.encode(self)) + [UInt8(ascii: "\n")]
        } catch {
            // Texts, bytes and whole numbers always encode.
            preconditionFailure("A parcel could not be encoded: \(error)")
        }
        guard document.count <= Self.sizeLimit else { throw .tooLarge(bytes: document.count) }
        return document
    }

    /// Reads what ``document()`` wrote. Files of the parcel are not opened.
    ///
    /// - Throws: ``ParcelError`` for a document of another version, and for anything that is no parcel.
    public init(document: [UInt8]) throws(ParcelError) {
        guard document.count <= Self.sizeLimit else { throw .tooLarge(bytes: document.count) }
        guard document.last == UInt8(ascii: "\n") else { throw .damaged(reason: "its end is missing") }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        do {
            self = try decoder.decode(Self.self, from: Data(document))
        } catch let error as ParcelError {
            throw error
        } catch {
            throw .noParcel
        }
    }
}

extension ParcelError {
    fileprivate static let noParcel = damaged(reason: "it is no parcel")

    /// Error that names the path of the first mistake.
    fileprivate init(_ error: DecodingError) {
        let (context, key): (DecodingError.Context?, (any CodingKey)?) =
            switch error {
            case .keyNotFound(let key, let context): (context, key)
            case .dataCorrupted(let context), .typeMismatch(_, let context), .valueNotFound(_, let context):
                (context, nil)
            @unknown default: (nil, nil)
            }
        let path = (context?.codingPath ?? []) + (key.map { [$0] } ?? [])
        let place = path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
        guard !place.isEmpty else {
            self = .noParcel
            return
        }
        self = .damaged(reason: "“\(DisplayText(place, limit: 200))” is missing or is not what it should be")
    }
}

extension Parcel: Codable {
    private struct Header: Codable {
        let format: String
        let version: Int
    }

    private struct Body: Codable {
        let id: RandomID
        let created: Date
        let target: ParcelTarget
        let items: [ParcelItem]
        let previews: [ParcelPreview]
        let options: ParcelOptions
        let settled: [Int: ParcelSettlement]
    }

    /// Settlements of single members, since version 2.
    private struct Members: Codable {
        let members: [String: [Int: ParcelSettlement]]
    }

    /// Reads a parcel inside another document.
    ///
    /// - Throws: ``ParcelError``
    public init(from decoder: any Decoder) throws {
        do {
            try self.init(partsFrom: decoder)
        } catch let error as DecodingError {
            throw ParcelError(error)
        }
    }

    private init(partsFrom decoder: any Decoder) throws {
        let header = try Header(from: decoder)
        guard header.format == Self.format else { throw ParcelError.noParcel }
        guard (1...Self.version).contains(header.version) else { throw ParcelError.unknownVersion(header.version) }
        let members = header.version < 2 ? [:] : try Members(from: decoder).members
        let body = try Body(from: decoder)
        try self.init(
            id: body.id, created: body.created, target: body.target, items: body.items, previews: body.previews,
            options: body.options, settled: body.settled, settledByMember: Self.byFingerprint(members))
    }

    /// - Throws: ``ParcelError`` for a key that is not a fingerprint, or that occurs twice.
    private static func byFingerprint(
        _ members: [String: [Int: ParcelSettlement]]
    ) throws(ParcelError) -> [Fingerprint: [Int: ParcelSettlement]] {
        var settled: [Fingerprint: [Int: ParcelSettlement]] = [:]
        for (text, outcomes) in members {
            guard let member = Fingerprint(parsing: text), settled.updateValue(outcomes, forKey: member) == nil else {
                throw .damaged(reason: "an item is settled with a member that has no fingerprint")
            }
        }
        return settled
    }

    public func encode(to encoder: any Encoder) throws {
        try Header(format: Self.format, version: Self.version).encode(to: encoder)
        try Body(
            id: id, created: created, target: target, items: items, previews: previews, options: options,
            settled: settled
        ).encode(to: encoder)
        let members = settledByMember.map { ($0.key.description, $0.value) }
        try Members(members: Dictionary(uniqueKeysWithValues: members)).encode(to: encoder)
    }

    /// Checks that the parts fit together, so that every number is within its range.
    func check() throws(ParcelError) {
        // More than one offer has are sent by several; the size of the document is the limit.
        guard !items.isEmpty else { throw .damaged(reason: "it has no items") }
        for (number, item) in items.enumerated() {
            guard (1...Limits.representations).contains(item.forms.count) else {
                throw .damaged(reason: "item \(number) has \(item.forms.count) forms")
            }
            guard item.preview.map(previews.indices.contains) ?? true else {
                throw .damaged(reason: "item \(number) has a preview that is not there")
            }
            for case .path(let path) in item.forms.map(\.content) {
                guard path.utf8.first == UInt8(ascii: "/"), !path.utf8.contains(0) else {
                    throw .damaged(reason: "item \(number) lies at no absolute path")
                }
            }
        }
        let numbers = [settled] + settledByMember.values
        guard numbers.allSatisfy({ $0.keys.allSatisfy(items.indices.contains) }) else {
            throw .damaged(reason: "an item is settled that is not there")
        }
        let seconds = [options.retrySeconds, options.stallSeconds].compactMap(\.self)
        guard options.rateLimit != 0, seconds.allSatisfy((0...ParcelOptions.longestRetry).contains) else {
            throw .damaged(reason: "a rate or a time in its options is out of bounds")
        }
    }
}
