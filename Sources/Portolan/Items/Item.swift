import CoreTransferable
import Foundation
import PortolanProtocol
import PortolanTrust
import UniformTypeIdentifiers

/// A thing to share: a title and its representations, the one to prefer first.
///
/// ```swift
/// let note = try Item(note)                       // any Transferable value
/// let photo = try Item.file(at: "photo.png")      // a file or a folder
/// let greeting = Item.text("see you at 5")
/// ```
public struct Item: Sendable {
    /// What a person calls it. Shown to the receiver before anything is sent.
    public var title: String
    /// In order of preference, richest first.
    public var representations: [ItemRepresentation]
    /// What a person is shown of it beside the title, before anything is sent. Everyone who is shown the item sees it.
    public var preview: ItemPreview?

    public init(title: String, representations: [ItemRepresentation], preview: ItemPreview? = nil) {
        self.title = title
        self.representations = representations
        self.preview = preview
    }

    /// The forms a value can take, in the order in which its type declares them. None of them is produced before a peer takes it.
    ///
    /// - Parameter title: nil takes the value's suggested file name, or the name of its type.
    /// - Throws: when the type's representations refer to each other without end.
    public init<Value: Transferable>(_ value: Value, title: String? = nil) throws {
        self.title = title ?? value.suggestedFilename ?? String(describing: Value.self)
        representations = try value.exportableRepresentations().map(ItemRepresentation.init)
    }

    /// A file or a folder, with the type that its name tells.
    ///
    /// - Throws: `NodeError` when nothing is there or it cannot be read.
    public static func file(at path: String) throws(NodeError) -> Item {
        let representation = try ItemRepresentation.file(at: path)
        return Item(title: representation.suggestedName ?? path, representations: [representation])
    }

    /// - Parameter title: nil takes the first line.
    public static func text(_ text: String, title: String? = nil) -> Item {
        Item(
            title: title ?? text.title,
            representations: [.data(Data(text.utf8), contentType: .utf8PlainText, suggestedName: "text.txt")])
    }

    /// What can be read from a descriptor, such as standard input, until it ends. It can be sent once.
    ///
    /// - Parameter descriptor: stays open and is the caller's to close.
    public static func stream(
        _ descriptor: CInt, contentType: UTType, suggestedName: String, visibility: Visibility = .all
    ) -> Item {
        Item(
            title: suggestedName,
            representations: [
                ItemRepresentation(
                    contentType: contentType, visibility: visibility, suggestedName: suggestedName,
                    content: .stream(descriptor))
            ])
    }
}

extension String {
    /// What a text is called: its first line, as far as a person takes it in at a glance.
    var title: String {
        split(whereSeparator: \.isNewline).first.map { String($0.prefix(60)) } ?? "text"
    }
}
