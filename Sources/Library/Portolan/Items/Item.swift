import PortolanFiles
import PortolanProtocol
import PortolanTransport

/// Item to share: a title, and its representations in order of preference.
///
/// ```swift
/// let note = try Item(note)                         // any Transferable value
/// let photo = try await Item.file(at: "photo.png")  // a file or a folder
/// let greeting = Item.text("see you at 5")
/// ```
public struct Item: Sendable {
    /// Title that is shown to every receiver before anything is sent. With nil each receiver is shown the name of the
    /// first representation that it may see, so that the name of a hidden one stays hidden.
    public var givenTitle: String?
    /// Representations in order of preference, richest first.
    public var representations: [ItemRepresentation]
    /// Message and pictures that are shown beside the title, before anything is sent.
    public var preview: CandidatePreview?
    /// Title if `givenTitle` is nil and no representation has a name.
    let fallbackTitle: String

    /// - Parameter title: nil shows each receiver the name of the first representation that it may see.
    public init(title: String?, representations: [ItemRepresentation], preview: CandidatePreview? = nil) {
        self.init(title: title, or: "item", representations: representations, preview: preview)
    }

    init(
        title: String?, or fallbackTitle: String, representations: [ItemRepresentation],
        preview: CandidatePreview? = nil
    ) {
        givenTitle = title
        self.fallbackTitle = fallbackTitle
        self.representations = representations
        self.preview = preview
    }

    /// Title for this device's own user.
    public var title: String {
        givenTitle ?? representations.lazy.compactMap(\.suggestedName).first ?? fallbackTitle
    }

    /// Makes an item of a value. Its representations have the order in which the type declares them; each is produced
    /// only when a peer takes it.
    ///
    /// - Parameter title: nil takes the file name of the first representation that a receiver may see, or the name of
    ///   the value's type.
    /// - Throws: an error if the type's representations refer to each other without end.
    public init<Value: Transferable>(_ value: Value, title: String? = nil) throws {
        self.init(
            title: title, or: String(describing: Value.self),
            representations: try value.exportableRepresentations().map(ItemRepresentation.init))
    }

    /// Makes an item of a file or folder, with the content type of its name.
    ///
    /// - Throws: `NodeError` when nothing is there or it cannot be read.
    public static func file(at path: String) async throws -> Item {
        Item(title: nil, representations: [try await .file(at: path)])
    }

    /// Words, which are no file: a receiver may show them, or store them under their title.
    ///
    /// - Parameter title: nil takes the first line.
    public static func text(_ text: String, title: String? = nil) -> Item {
        Item(
            title: title ?? text.title,
            representations: [.data(Data(text.utf8), contentType: .utf8PlainText)])
    }

    /// Makes an item of the bytes that a descriptor, such as standard input, delivers until its end. It can be sent
    /// once.
    ///
    /// An open file that was received for a team or group keeps that restriction, whatever `visibility` says.
    /// - Parameter descriptor: remains open; the caller closes it.
    /// - Throws: `NodeError` when the descriptor is not open, or the restriction that is kept with its file cannot be
    ///   read.
    public static func stream(
        _ descriptor: CInt, contentType: UTType, suggestedName: String, visibility: Visibility = .all
    ) async throws -> Item {
        let kept: Restriction
        do {
            kept = try await withBlockingThread { try StoredVisibility.read(ofOpen: descriptor) }
        } catch {
            throw NodeError(.noInput, "\(error)")
        }
        return Item(
            title: nil,
            representations: [
                ItemRepresentation(
                    contentType: contentType, requested: .level(visibility), suggestedName: suggestedName,
                    keptFor: kept, content: .stream(descriptor))
            ])
    }
}

extension String {
    /// Title of a text: the beginning of its first line.
    package var title: String {
        split(whereSeparator: \.isNewline).first.map { String($0.prefix(60)) } ?? "text"
    }
}
