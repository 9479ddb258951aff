import PortolanFiles
import PortolanProtocol

/// A shared item as data that another process can put on its shelf.
///
/// Restrictions are complete, so that a later change of the default team does not change the audience. Each file and
/// folder is identified by its handle: a later file at the same path is not used.
package struct KeptItem: Hashable, Sendable {
    /// Form of the item.
    struct Form: Codable, Hashable, Sendable {
        let form: ParcelForm
        /// File or folder that the form is; nil for data.
        let source: HeldSource?
    }

    /// Title for every receiver; nil shows each the name of the first form that it may see.
    let title: String?
    /// Forms in order of preference, richest first.
    let forms: [Form]
    let preview: ParcelPreview?

    /// Title for this device's own user.
    package var shownTitle: String { title ?? forms.lazy.compactMap(\.form.name).first ?? "item" }

    /// Path of the file or folder of its first form; nil if that is data.
    package var path: String? { forms.first?.source?.path }

    /// Audience in words; nil for all peers.
    ///
    /// - Parameter names: of the teams of this device.
    package func audience(naming names: [TeamID: TeamName]) -> String? {
        var words: [String] = []
        for form in forms {
            let restriction = form.form.restriction
            let word = restriction == .everyone ? "everybody" : restriction.description { names[$0] }
            if !words.contains(word) { words.append(word) }
        }
        return words == ["everybody"] ? nil : words.joined(separator: ", ")
    }
}

/// Reason why an item cannot be kept on the shelf, in one sentence.
package enum KeptItemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Another version of this program wrote it.
    case unknownVersion(Int)
    /// - Parameter reason: a clause.
    case damaged(reason: String)
    /// Document larger than the limit for keeping.
    case tooLarge(bytes: Int)

    package var description: String {
        switch self {
        case .unknownVersion(let version):
            "The shared item has version \(version), and this program reads version \(KeptItem.version)."
        case .damaged(let reason): "The shared item cannot be read: \(reason)."
        case .tooLarge(let bytes):
            "What is kept of a shared item beside its files has at most \(KeptItem.sizeLimit) bytes; this one has \(bytes)."
        }
    }
}

extension KeptItem {
    /// The largest document, in bytes. In base64 it fits into a request of the local API.
    package static let sizeLimit = 700 << 10
    static let version = 1
    private static let format = "portolan shared item"

    /// The item as a JSON document.
    ///
    /// - Throws: ``KeptItemError/tooLarge(bytes:)``
    package func document() throws(KeptItemError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let document: [UInt8]
        do {
            document = Array(try encoder.encode(self))
        } catch {
            throw .damaged(reason: "a path of it is no text")
        }
        guard document.count <= Self.sizeLimit else { throw .tooLarge(bytes: document.count) }
        return document
    }

    /// Reads what ``document()`` wrote. Files of the item are not opened.
    ///
    /// - Throws: ``KeptItemError``
    package init(document: [UInt8]) throws(KeptItemError) {
        guard document.count <= Self.sizeLimit else { throw .tooLarge(bytes: document.count) }
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(document))
        } catch let error as KeptItemError {
            throw error
        } catch {
            throw .damaged(reason: "it has not the form of one")
        }
    }
}

extension KeptItem: Codable {
    private struct Header: Codable {
        let format: String
        let version: Int
    }

    private struct Body: Codable {
        let title: String?
        let forms: [Form]
        let preview: ParcelPreview?
    }

    package init(from decoder: any Decoder) throws {
        let header = try Header(from: decoder)
        guard header.format == Self.format else { throw KeptItemError.damaged(reason: "it is no shared item") }
        guard header.version == Self.version else { throw KeptItemError.unknownVersion(header.version) }
        let body = try Body(from: decoder)
        title = body.title
        forms = body.forms
        preview = body.preview
        guard (1...Limits.representations).contains(forms.count) else {
            throw KeptItemError.damaged(reason: "it has \(forms.count) forms")
        }
        for form in forms {
            let isWhole =
                switch form.form.content {
                case .path(let path): form.source?.resolvedPath == path && form.source?.isFolder == form.form.isFolder
                case .data: form.source == nil && !form.form.isFolder
                }
            guard isWhole else { throw KeptItemError.damaged(reason: "a form of it has another source than it says") }
        }
    }

    package func encode(to encoder: any Encoder) throws {
        try Header(format: Self.format, version: Self.version).encode(to: encoder)
        try Body(title: title, forms: forms, preview: preview).encode(to: encoder)
    }
}
