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

extension ValueError {
    /// - Parameter reason: a clause.
    fileprivate static func damaged(_ reason: String) -> ValueError {
        ValueError("The shared item cannot be read: \(reason).")
    }

    fileprivate static func tooLarge(bytes: Int) -> ValueError {
        ValueError(
            "What is kept of a shared item beside its files has at most \(KeptItem.sizeLimit) bytes; this one has \(bytes)."
        )
    }
}

extension KeptItem {
    /// The largest document, in bytes. In base64 it fits into a request of the local API.
    package static let sizeLimit = 700 << 10
    static let version = 1
    private static let format = "portolan shared item"

    /// The item as a JSON document.
    ///
    /// - Throws: ``ValueError`` for one that is too large.
    package func document() throws(ValueError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let document: [UInt8]
        do {
            document = Array(try encoder.encode(self))
        } catch {
            throw .damaged("a path of it is no text")
        }
        guard document.count <= Self.sizeLimit else { throw .tooLarge(bytes: document.count) }
        return document
    }

    /// Reads what ``document()`` wrote. Files of the item are not opened.
    ///
    /// - Throws: ``ValueError``
    package init(document: [UInt8]) throws(ValueError) {
        guard document.count <= Self.sizeLimit else { throw .tooLarge(bytes: document.count) }
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(document))
        } catch let error as ValueError {
            throw error
        } catch {
            throw .damaged("it has not the form of one")
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
        guard header.format == Self.format else { throw ValueError.damaged("it is no shared item") }
        guard header.version == Self.version else {
            throw ValueError(
                "The shared item has version \(header.version), and this program reads version \(Self.version).")
        }
        let body = try Body(from: decoder)
        title = body.title
        forms = body.forms
        preview = body.preview
        guard (1...Limits.representations).contains(forms.count) else {
            throw ValueError.damaged("it has \(forms.count) forms")
        }
        for form in forms {
            let isWhole =
                switch form.form.content {
                case .path(let path): form.source?.resolvedPath == path && form.source?.isFolder == form.form.isFolder
                case .data: form.source == nil && !form.form.isFolder
                }
            guard isWhole else { throw ValueError.damaged("a form of it has another source than it says") }
        }
    }

    package func encode(to encoder: any Encoder) throws {
        try Header(format: Self.format, version: Self.version).encode(to: encoder)
        try Body(title: title, forms: forms, preview: preview).encode(to: encoder)
    }
}
