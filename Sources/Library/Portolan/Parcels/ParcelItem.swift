import PortolanFiles
import PortolanProtocol

/// Item of a parcel.
public struct ParcelItem: Codable, Hashable, Sendable {
    /// Title for every receiver; nil shows each the name of the first form that it may see.
    public let title: String?
    /// Forms in order of preference, richest first; never empty.
    public let forms: [ParcelForm]
    /// Index in the parcel's previews.
    public let preview: Int?

    /// Title for this device's own user.
    public var shownTitle: String { title ?? forms.lazy.compactMap(\.name).first ?? "item" }

    /// The item without what its files were.
    var unheld: ParcelItem { ParcelItem(title: title, forms: forms.map(\.unheld), preview: preview) }
}

/// Form of an item of a parcel.
public struct ParcelForm: Hashable, Sendable {
    public enum Content: Hashable, Sendable {
        /// Absolute path without symbolic links.
        case path(String)
        case data(Data)
    }

    public let type: UTType
    /// Name, with extension, under which a receiver may store it.
    public let name: String?
    public let isFolder: Bool
    /// Restriction at the time the parcel was made. A narrower restriction of the file at the time of sending prevails.
    public let restriction: Restriction
    public let content: Content
    /// The file or folder that its path led to when the parcel was made; nil for data, in a parcel of an earlier
    /// version, and for a path that is no text.
    package var held: HeldSource?
}

extension ParcelForm: Codable {
    private struct Body: Codable {
        let type: UTType
        let name: String?
        let folder: Bool
        let restriction: Restriction
        /// Either the path or the data is there.
        let path: String?
        let data: Data?
        let held: HeldSource?
    }

    public init(from decoder: any Decoder) throws {
        let body = try Body(from: decoder)
        type = body.type
        name = body.name
        isFolder = body.folder
        restriction = body.restriction
        switch (body.path, body.data) {
        case (let path?, nil): content = .path(path)
        case (nil, let data?): content = .data(data)
        default: throw ParcelError.damaged(reason: "a form of an item has either a path or data")
        }
        held = body.held
        guard held.map({ $0.path == body.path && $0.isFolder == isFolder }) ?? true else {
            throw ParcelError.damaged(reason: "a form of an item has one path, and the file that is noted another")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        let (path, data): (String?, Data?) =
            switch content {
            case .path(let path): (path, nil)
            case .data(let data): (nil, data)
            }
        try Body(
            type: type, name: name, folder: isFolder, restriction: restriction, path: path, data: data, held: held
        ).encode(to: encoder)
    }

    /// The form without what its file was.
    var unheld: ParcelForm {
        var form = self
        form.held = nil
        return form
    }
}

/// Message and pictures that are shown beside the titles of items, before anything is sent.
public struct ParcelPreview: Codable, Hashable, Sendable {
    public struct Picture: Codable, Hashable, Sendable {
        /// Identifier of its type, such as `public.png`.
        public let type: String
        public let data: Data
        /// Peers that may see it.
        public let restriction: Restriction
    }

    public let message: String
    public let image: Picture?
    public let icon: Picture?
}

extension ParcelPreview {
    init(_ preview: CandidatePreview) {
        self.init(
            message: preview.message, image: preview.image.map(Picture.init), icon: preview.icon.map(Picture.init))
    }

    /// - Throws: ``NodeError`` for an invalid preview.
    func opened() throws(NodeError) -> CandidatePreview {
        do throws(InvalidValue) {
            return try CandidatePreview(message: message, image: image?.candidate(), icon: icon?.candidate())
        } catch {
            throw NodeError(.badInput, error.description)
        }
    }
}

extension ParcelPreview.Picture {
    init(_ picture: CandidatePreview.Picture) {
        self.init(type: picture.picture.type, data: picture.picture.data, restriction: picture.restriction)
    }

    func candidate() throws(InvalidValue) -> CandidatePreview.Picture {
        CandidatePreview.Picture(try ItemPreview.Picture(type: type, data: data), restriction: restriction)
    }
}
