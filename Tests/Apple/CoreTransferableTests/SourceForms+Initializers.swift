// Every initialiser and modifier with each of its labels, in the notations that programs use.
import CoreTransferable

struct Recipe: Codable, Transferable {
    var title = ""
    var file = URL(filePath: "/")
    var note: String?

    static var transferRepresentation: some TransferRepresentation {
        Coded()
        Bytes()
        Files()
        Proxies()
        Modified()
    }

    struct Coded: TransferRepresentation {
        typealias Item = Recipe
        var body: some TransferRepresentation {
            CodableRepresentation(contentType: .json)
            CodableRepresentation(for: Recipe.self, contentType: .json)
            CodableRepresentation(contentType: .json, encoder: JSONEncoder(), decoder: JSONDecoder())
            CodableRepresentation(
                for: Recipe.self, contentType: .propertyList, encoder: PropertyListEncoder(),
                decoder: PropertyListDecoder())
        }
    }

    struct Bytes: TransferRepresentation {
        typealias Item = Recipe
        var body: some TransferRepresentation {
            DataRepresentation(contentType: .rtf, exporting: { try $0.data() }, importing: Recipe.init(data:))
            DataRepresentation(contentType: .rtf) { recipe in
                try await recipe.slowData()
            } importing: { data in
                try Recipe(data: data)
            }
            DataRepresentation(exportedContentType: .pdf, exporting: Recipe.data(of:))
            DataRepresentation(exportedContentType: .pdf) { try $0.data() }
            DataRepresentation(importedContentType: .html, importing: Recipe.init)
            DataRepresentation(importedContentType: .html) { _ in .init() }
        }
    }

    struct Files: TransferRepresentation {
        typealias Item = Recipe
        var body: some TransferRepresentation {
            FileRepresentation(contentType: .text, exporting: { .init($0.file) }, importing: Recipe.init(received:))
            FileRepresentation(contentType: .text, shouldAttemptToOpenInPlace: true) { recipe in
                SentTransferredFile(recipe.file, allowAccessingOriginalFile: true)
            } importing: { received in
                try await Recipe(slowly: received)
            }
            FileRepresentation(exportedContentType: .text) { SentTransferredFile($0.file) }
            FileRepresentation(
                exportedContentType: .text, shouldAllowToOpenInPlace: true, exporting: { .init($0.file) })
            FileRepresentation(importedContentType: .text) { Recipe(file: $0.file) }
            FileRepresentation(
                importedContentType: .text, shouldAttemptToOpenInPlace: true, importing: Recipe.init(received:))
        }
    }

    struct Proxies: TransferRepresentation {
        typealias Item = Recipe
        var body: some TransferRepresentation {
            ProxyRepresentation(exporting: \.title)
            ProxyRepresentation(exporting: \.file.absoluteString)
            ProxyRepresentation(exporting: { $0.file })
            ProxyRepresentation(exporting: Recipe.text(of:))
            ProxyRepresentation(importing: { Recipe(title: $0) })
            ProxyRepresentation(importing: { (url: URL) async throws in Recipe(file: url) })
            ProxyRepresentation(exporting: \.title, importing: { Recipe(title: $0) })
            ProxyRepresentation {
                $0.file
            } importing: {
                Recipe(file: $0)
            }
            ProxyRepresentation { recipe in
                recipe.title
            } importing: { text in
                await Task.yield()
                return Recipe(title: text)
            }
            ProxyRepresentation(\.title)
        }
    }

    struct Modified: TransferRepresentation {
        typealias Item = Recipe
        var body: some TransferRepresentation {
            ProxyRepresentation(exporting: \.title).exportingCondition { !$0.title.isEmpty }
            ProxyRepresentation(exporting: \.title).visibility(.all)
            ProxyRepresentation(exporting: \.title).visibility(.team)
            ProxyRepresentation(exporting: \.title).visibility(.group)
            ProxyRepresentation(exporting: \.title).visibility(.ownProcess)
            ProxyRepresentation(exporting: \.title).suggestedFileName("recipe.txt")
            ProxyRepresentation(exporting: \.title).suggestedFileName { "\($0.title).txt" }
            ProxyRepresentation(exporting: \.title).suggestedFileName(\.note)
        }
    }
}

extension Recipe {
    init(data: Data) throws {
        self.init(title: String(decoding: data, as: UTF8.self))
    }

    init(received: ReceivedTransferredFile) throws {
        self.init(file: received.isOriginalFile ? received.file : URL(filePath: "/"))
    }

    init(slowly received: ReceivedTransferredFile) async throws {
        await Task.yield()
        try self.init(received: received)
    }

    func data() throws -> Data { Data(title.utf8) }

    func slowData() async throws -> Data {
        await Task.yield()
        return try data()
    }

    @Sendable static func data(of recipe: Recipe) throws -> Data { try recipe.data() }

    @Sendable static func text(of recipe: Recipe) throws -> String { recipe.title }
}

// Asynchronous exporters of proxies are deprecated, and there.
@available(*, deprecated)
struct Deprecated: Transferable {
    static var transferRepresentation: some TransferRepresentation {
        ProxyRepresentation(exporting: { (_: Deprecated) async throws -> String in await text() })
        ProxyRepresentation(
            exporting: { (_: Deprecated) async throws -> String in await text() },
            importing: { (_: String) async throws -> Deprecated in Deprecated() })
        ProxyRepresentation { @MainActor (_: Deprecated) async in
            URL(filePath: "/")
        } importing: { @MainActor (_: URL) async in
            Deprecated()
        }
    }

    static func text() async -> String { "text" }
}

// Closures on the main actor if two closures are given, and in importers of proxies, where they are marked as
// asynchronous: otherwise the synchronous initialiser is chosen, which accepts none.
struct Board: Transferable {
    var file = URL(filePath: "/")

    static var transferRepresentation: some TransferRepresentation {
        FileRepresentation(contentType: .png, shouldAttemptToOpenInPlace: true) { @MainActor board in
            SentTransferredFile(board.file)
        } importing: { @MainActor received in
            Board(file: received.file)
        }
        ProxyRepresentation(importing: { @MainActor (url: URL) async in Board(file: url) })
        ProxyRepresentation(exporting: \.file, importing: { @MainActor (url: URL) async in Board(file: url) })
    }
}

// Several statements in the builder: declarations beside representations.
struct Deliberate: Transferable {
    static var transferRepresentation: some TransferRepresentation {
        let type = UTType.png
        DataRepresentation(exportedContentType: type) { _ in Data() }
        DataRepresentation(exportedContentType: .gif) { _ in Data() }
    }
}
