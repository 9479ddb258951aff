import Foundation

/// JSON form of a file of this device, readable by a person. In addition to the members of its body, a document has its
/// format and version.
///
/// ```swift
/// static let form = DocumentForm("portolan known peers", versions: 1...3)
/// try directory.replace("known-peers.json", with: form.text(of: body))
/// let (body, version) = try form.read(Body.self, from: contents)
/// ```
package struct DocumentForm: Sendable {
    /// Value of the member `format`; nil for a document that states only its version.
    package let format: String?
    /// Versions that are read. The last one is written.
    package let versions: ClosedRange<Int>

    package init(_ format: String?, versions: ClosedRange<Int>) {
        self.format = format
        self.versions = versions
    }

    /// Encodes a document, with a line feed at its end. Dates are to the second.
    ///
    /// - Parameter body: encodes without an error to an object without a member `format`.
    package func text(of body: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .document
        do {
            let document = Written(format: format, version: versions.upperBound, body: body)
            return try Array(encoder.encode(document)) + [UInt8(ascii: "\n")]
        } catch {
            preconditionFailure("A document could not be encoded: \(error)")
        }
    }

    /// Reads a document of this form: its body and its version. Differences between versions are left to the caller.
    package func read<Body: Decodable>(
        _: Body.Type, from text: [UInt8]
    ) throws(DocumentDefect) -> (body: Body, version: Int) {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .document
        let document = try translating(decoder.decode(Read<Body>.self, from: Data(text))) { (error: any Error) in
            DocumentDefect.unreadable(error)
        }
        guard format == nil || document.format == format else { throw .otherFormat }
        guard versions.contains(document.version) else {
            throw .otherVersion(document.version, written: versions.upperBound)
        }
        let body = try translating(document.body.get()) { (error: any Error) in DocumentDefect.unreadable(error) }
        return (body, document.version)
    }
}

/// Reason why a file is not a document of a form.
package enum DocumentDefect: Error {
    /// The file, or its body, is not valid JSON.
    case unreadable(any Error)
    case otherFormat
    case otherVersion(Int, written: Int)

    /// Returns the error as a clause for a person.
    ///
    /// - Parameter name: name of the expected document, such as “a list of known peers”.
    package func clause(_ name: String) -> String {
        switch self {
        case .unreadable, .otherFormat: "it is not \(name)"
        case .otherVersion(let version, let written):
            "it has version \(version), and this program writes version \(written)"
        }
    }
}

private enum HeaderKey: String, CodingKey {
    case format, version
}

private struct Written<Body: Encodable>: Encodable {
    let format: String?
    let version: Int
    let body: Body

    func encode(to encoder: any Encoder) throws {
        try body.encode(to: encoder)
        var container = encoder.container(keyedBy: HeaderKey.self)
        try container.encodeIfPresent(format, forKey: .format)
        try container.encode(version, forKey: .version)
    }
}

private struct Read<Body: Decodable>: Decodable {
    let format: String?
    let version: Int
    /// The body of a later version may not decode here, so the version is compared first.
    let body: Result<Body, any Error>

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: HeaderKey.self)
        format = try container.decodeIfPresent(String.self, forKey: .format)
        version = try container.decode(Int.self, forKey: .version)
        body = Result { try Body(from: decoder) }
    }
}
