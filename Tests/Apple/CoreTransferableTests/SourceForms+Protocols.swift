// Representations that come from protocols, extensions, classes and actors' isolation.
@preconcurrency import CoreTransferable

// A payload of an Optional type in an enum: the case is nevertheless the importer.
enum Shelf: Transferable {
    case bookmark(String?)
    case link(URL?)

    static var transferRepresentation: some TransferRepresentation {
        ProxyRepresentation { .link($0) }
        ProxyRepresentation { .bookmark($0) }
    }
}

// Both directions of an enum.
enum Entry: Transferable {
    case text(String)
    case none

    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    static var transferRepresentation: some TransferRepresentation {
        ProxyRepresentation { (text: String) in Entry.text(text) }
        ProxyRepresentation { entry in
            guard let text = entry.text else { throw CocoaError(.featureUnsupported) }
            return text
        }
    }
}

// A protocol that fixes the representation of its conformers, with a proxy that each chooses.
protocol Represented: Transferable where Representation == ProxyRepresentation<Self, Stand> {
    associatedtype Stand: Transferable
    var stand: Stand { get }
    init(stand: Stand) throws
}

extension Represented {
    static var transferRepresentation: ProxyRepresentation<Self, Stand> {
        ProxyRepresentation(exporting: { $0.stand }, importing: { try Self(stand: $0) })
    }
}

struct Figure: Represented {
    let stand: URL
}

// Protocol over Codable.
protocol Stored: Codable, Transferable {
    static var type: UTType { get }
}

extension Stored {
    static var transferRepresentation: some TransferRepresentation {
        CodableRepresentation(for: Self.self, contentType: type)
    }
}

struct Receipt: Stored {
    static let type = UTType.json
    var sum: Int
}

// Extensions over the proxy's parameter, which has its name from the module.
extension ProxyRepresentation where ProxyRepresentation == URL {
    static func link(_ url: @escaping @Sendable (Item) -> URL) -> Self {
        Self(exporting: url)
    }
}

struct Page: Transferable {
    let url: URL
    static var transferRepresentation: some TransferRepresentation {
        ProxyRepresentation<Page, URL>.link { $0.url }
    }
}

// A class, and its subclasses.
final class Document: Codable, Transferable, Sendable {
    let text: String

    init(text: String) {
        self.text = text
    }

    static var transferRepresentation: some TransferRepresentation {
        CodableRepresentation(for: Document.self, contentType: .json)
        ProxyRepresentation(exporting: \.text, importing: { Document(text: $0) })
    }
}

// A class of the main actor.
@MainActor
final class Editor: Transferable {
    var text: String

    init(text: String) {
        self.text = text
    }

    nonisolated static var transferRepresentation: some TransferRepresentation {
        DataRepresentation(contentType: .utf8PlainText) { @MainActor editor in
            Data(editor.text.utf8)
        } importing: { @MainActor data in
            Editor(text: String(decoding: data, as: UTF8.self))
        }
    }
}

// Generic over its content.
struct Box<Content: Transferable>: Transferable {
    let content: Content
    static var transferRepresentation: some TransferRepresentation {
        ProxyRepresentation(exporting: \.content, importing: { Box(content: $0) })
    }
}

// Generic functions with the builder's attribute, free and in extensions.
@TransferRepresentationBuilder<Item>
func plain<Item: Transferable & CustomStringConvertible>(_ type: Item.Type) -> some TransferRepresentation<Item> {
    ProxyRepresentation(exporting: \.description)
    DataRepresentation(exportedContentType: .html) { Data($0.description.utf8) }
}

extension Transferable where Self: CustomStringConvertible {
    @TransferRepresentationBuilder<Self>
    static func described<Other: TransferRepresentation>(
        after other: Other
    ) -> some TransferRepresentation<Self> where Other.Item == Self {
        other
        ProxyRepresentation(exporting: \.description)
    }
}

struct Described: Transferable, CustomStringConvertible {
    var description: String
    static var transferRepresentation: some TransferRepresentation {
        plain(Described.self)
        described(after: DataRepresentation(exportedContentType: .png) { _ in Data() })
    }
}

// The coders that are Combine's on Apple's systems.
struct Reversing: TopLevelEncoder, TopLevelDecoder, Sendable {
    func encode<T: Encodable>(_ value: T) throws -> Data { try Data(JSONEncoder().encode(value).reversed()) }

    func decode<T: Decodable>(_ type: T.Type, from input: Data) throws -> T {
        try JSONDecoder().decode(type, from: Data(input.reversed()))
    }
}

struct Secret: Codable, Transferable {
    var word: String
    static var transferRepresentation: some TransferRepresentation {
        CodableRepresentation(contentType: .data, encoder: Reversing(), decoder: Reversing())
    }
}
