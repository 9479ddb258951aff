// Notations in which programs write representations. The test is that this file compiles with only CoreTransferable
// imported; SourceFormTests use the values.
import CoreTransferable

struct Bookmark: Codable, Hashable {
    var title: String
    var url: URL
}

// Codable first, then text for everybody else: the commonest pattern.
extension Bookmark: Transferable {
    static var transferRepresentation: some TransferRepresentation {
        CodableRepresentation(contentType: .bookmarkForm)
        ProxyRepresentation(exporting: \.title)
    }
}

extension UTType {
    static var bookmarkForm: UTType { UTType(exportedAs: "com.example.forms.bookmark", conformingTo: .json) }
}

// `for:`, explicit coders.
struct Preferences: Codable, Transferable {
    var volume: Int
    static var transferRepresentation: some TransferRepresentation {
        CodableRepresentation(for: Preferences.self, contentType: .json)
        CodableRepresentation(
            for: Self.self, contentType: .propertyList, encoder: PropertyListEncoder(), decoder: PropertyListDecoder())
    }
}

// Several kinds on one drop: an importing proxy per case, chosen by the closure's type. One payload is optional.
enum Dropped: Transferable {
    case text(String)
    case url(URL)
    case bytes(Data?)

    static var transferRepresentation: some TransferRepresentation {
        ProxyRepresentation { .url($0) }
        ProxyRepresentation { .text($0) }
        ProxyRepresentation { .bytes($0) }
    }
}

// Trailing closures that export, unapplied initialisers, chained key paths, a key path with an importing closure.
struct Clip: Transferable {
    var file: URL
    var caption: String = ""

    init(file: URL) {
        self.file = file
    }

    static var transferRepresentation: some TransferRepresentation {
        FileRepresentation(contentType: .mpeg4Movie) { clip in
            SentTransferredFile(clip.file)
        } importing: { received in
            let copy = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try FileManager.default.copyItem(at: received.file, to: copy)
            return Self(file: copy)
        }
        FileRepresentation(exportedContentType: .movie, shouldAllowToOpenInPlace: true) { .init($0.file) }
        FileRepresentation(importedContentType: .quickTimeMovie, shouldAttemptToOpenInPlace: true) { received in
            Clip(file: received.file)
        }
        ProxyRepresentation { clip in
            return clip.file
        }
        ProxyRepresentation(exporting: \.file.absoluteString)
        ProxyRepresentation(exporting: \.file, importing: { Clip(file: $0) })
        ProxyRepresentation(exporting: URL.init(_:))
        ProxyRepresentation(\.caption)
    }
}

extension URL {
    init(_ clip: Clip) {
        self = clip.file
    }
}

// Closures on the main actor in every position.
struct Sketch: Transferable {
    var strokes: String

    static var transferRepresentation: some TransferRepresentation {
        DataRepresentation(contentType: .svg) { @MainActor item in
            Data(item.strokes.utf8)
        } importing: { @MainActor data in
            Sketch(strokes: String(decoding: data, as: UTF8.self))
        }
        DataRepresentation(exportedContentType: .png) { @MainActor sketch in Data(sketch.strokes.utf8) }
        DataRepresentation(importedContentType: .jpeg) { @MainActor _ in Sketch(strokes: "") }
        FileRepresentation(exportedContentType: .pdf) { @MainActor sketch in
            SentTransferredFile(URL(filePath: "/" + sketch.strokes))
        }
        FileRepresentation(importedContentType: .gif) { @MainActor received in
            Sketch(strokes: received.file.path)
        }
        DataRepresentation(exportedContentType: .rtf) { sketch in
            await MainActor.run { Data(sketch.strokes.utf8) }
        }
    }
}

@MainActor
struct Window: Transferable {
    nonisolated let title: String

    nonisolated static var transferRepresentation: some TransferRepresentation {
        MainActor.assumeIsolated { DataRepresentation(exportedContentType: .plainText) { Data($0.title.utf8) } }
    }
}

// The builder's attribute on functions of one's own, generic and static.
enum Shared {
    @TransferRepresentationBuilder<Item>
    static func textual<Item: Transferable>(
        _ text: @escaping @Sendable (Item) -> String
    ) -> some TransferRepresentation<Item> {
        ProxyRepresentation(exporting: text)
        DataRepresentation(exportedContentType: .html) { Data("<p>\(text($0))</p>".utf8) }
    }
}

struct Person: Transferable {
    var name: String
    static var transferRepresentation: some TransferRepresentation {
        Shared.textual { (person: Person) in person.name }
    }
}

// A representation of one's own, generic over its item.
protocol Titled: Transferable {
    var title: String { get }
}

struct TitleRepresentation<Item: Titled>: TransferRepresentation {
    var body: some TransferRepresentation {
        ProxyRepresentation(exporting: \Item.title)
    }
}

struct Chapter: Titled {
    var title: String
    static var transferRepresentation: some TransferRepresentation {
        DataRepresentation(exportedContentType: .utf8TabSeparatedText) { Data($0.title.utf8) }
        TitleRepresentation()
    }
}

// A protocol that gives its conformers a representation.
protocol Keyed: Transferable where Representation == ProxyRepresentation<Self, String> {
    var key: String { get }
    init(key: String) throws
}

extension Keyed {
    static var transferRepresentation: Representation {
        ProxyRepresentation(exporting: \.key, importing: { try Self(key: $0) })
    }
}

struct Reference: Keyed {
    let key: String

    init(key: String) throws {
        self.key = key
    }
}

// Modifiers, single and nested; a stored representation of an explicit type.
struct Report: Transferable {
    var name: String
    var isFinal: Bool

    static var transferRepresentation: some TransferRepresentation {
        DataRepresentation(exportedContentType: .pdf) { Data($0.name.utf8) }
            .exportingCondition { $0.isFinal }
            .suggestedFileName { "\($0.name).pdf" }
            .visibility(.team)
        DataRepresentation(exportedContentType: .plainText) { Data($0.name.utf8) }
            .suggestedFileName("report.txt")
            .visibility(.all)
            .exportingCondition(\.isFinal)
    }
}

struct Plain: Transferable {
    static let transferRepresentation = DataRepresentation<Plain>(exportedContentType: .data) { _ in Data() }
}

// Ten in a block; asynchronous importers beside synchronous exporters; a codable representation by its full name.
struct Everything: Codable, Transferable {
    var text = ""

    static var transferRepresentation: some TransferRepresentation {
        CodableRepresentation<Everything, JSONEncoder, JSONDecoder>(contentType: .json)
        DataRepresentation(exportedContentType: .png) { _ in Data() }
        DataRepresentation(exportedContentType: .gif) { _ in Data() }
        DataRepresentation(exportedContentType: .tiff) { _ in Data() }
        DataRepresentation(exportedContentType: .bmp) { _ in Data() }
        DataRepresentation(exportedContentType: .heic) { _ in Data() }
        DataRepresentation(exportedContentType: .webP) { _ in Data() }
        DataRepresentation(exportedContentType: .svg) { _ in Data() }
        DataRepresentation(exportedContentType: .pdf) { _ in Data() }
        ProxyRepresentation(exporting: \.text) { text in
            await Task.yield()
            return Everything(text: text)
        }
    }
}
