import Foundation
import NodeTestSupport
import Portolan
import PortolanControls
import Synchronization
import Testing

@Suite struct PasteboardTests {
    @Test("a copied value can be pasted as every type that can be made of it, and as no other")
    func copiesAndPastes() async throws {
        let pasteboard = Pasteboard()
        #expect(!pasteboard.canPaste(String.self))
        try pasteboard.copy([Recipe(title: "Soup", steps: []), Recipe(title: "Bread", steps: ["Knead."])])
        #expect(pasteboard.canPaste(Recipe.self) && pasteboard.canPaste(String.self))
        #expect(!pasteboard.canPaste(URL.self))
        #expect(try await pasteboard.paste(String.self) == ["Soup", "Bread"])
        #expect(try await pasteboard.paste(Recipe.self).map(\.steps) == [[], ["Knead."]])
        await #expect(throws: NodeError.self) { try await pasteboard.paste(URL.self) }
    }

    @Test("a form is produced only when it is pasted")
    func producesLate() async throws {
        let pasteboard = Pasteboard()
        let counter = Note.Counter()
        try pasteboard.copy([Note(text: "plain", counter: counter)])
        #expect(try await pasteboard.paste(String.self) == ["plain"])
        #expect(counter.count == 0)
        #expect(try await pasteboard.paste(Data.self) == [Data()])
        #expect(counter.count == 1)
    }

    @Test("copying nothing leaves the contents; cutting takes the value from its place")
    func cuts() async throws {
        let pasteboard = Pasteboard()
        let shelf = Mutex(["one", "two"])
        try pasteboard.cut { shelf.withLock { shelf in [shelf.removeLast()] } }
        #expect(shelf.withLock(\.self) == ["one"])
        try pasteboard.copy([] as [String])
        #expect(try await pasteboard.paste(String.self) == ["two"])
        let cuttable = pasteboard.cuttable(for: String.self) {
            shelf.withLock { shelf in shelf.popLast().map { [$0] } ?? [] }
        }
        #expect(try cuttable.perform())
        #expect(try !cuttable.perform())
        #expect(try await pasteboard.paste(String.self) == ["one"])
    }

    @Test("a copyable is asked at each Copy for the selection of that moment")
    func asksWhenCopied() async throws {
        let pasteboard = Pasteboard()
        let selection = Mutex<[String]>([])
        let copyable = pasteboard.copyable(selection.withLock(\.self))
        #expect(try !copyable.perform())
        selection.withLock { $0 = ["chosen"] }
        #expect(try copyable.perform())
        #expect(try await pasteboard.paste(String.self) == ["chosen"])
    }

    @Test("37. the validator runs first, filters and orders, and an empty result is no paste")
    func validates() async throws {
        let pasteboard = Pasteboard()
        try pasteboard.copy(["b", "", "a"])
        let pasted = Mutex<[[String]]>([])
        let destination = pasteboard.pasteDestination(for: String.self) { values in
            pasted.withLock { $0.append(values) }
        } validator: {
            $0.filter { !$0.isEmpty }.sorted()
        }
        #expect(try await destination.paste())
        try pasteboard.copy([""])
        #expect(destination.canPaste)
        #expect(try await !destination.paste())
        #expect(pasted.withLock(\.self) == [["a", "b"]])
    }

    @Test("37. a paste button is disabled when nothing importable is there, and says when that changes")
    func enablesAndDisables() async throws {
        let pasteboard = Pasteboard()
        let pasted = Mutex<[String]>([])
        let button = PasteButton(payloadType: String.self, pasteboard: pasteboard) { values in
            pasted.withLock { $0 += values }
        }
        var states = button.enabledStates.makeAsyncIterator()
        #expect(await states.next() == false)
        try await button.press()
        try pasteboard.copy([try #require(URL(string: "https://example.com"))])
        #expect(!button.isEnabled)
        try pasteboard.copy(["text"])
        #expect(await states.next() == true)
        try await button.press()
        #expect(pasted.withLock(\.self) == ["text"])
        pasteboard.clear()
        #expect(await states.next() == false)
    }

    @Test("the change count grows with every change, and watchers are told")
    func notifies() async throws {
        let pasteboard = Pasteboard()
        var changes = pasteboard.changes.makeAsyncIterator()
        #expect(await changes.next() == 0)
        try pasteboard.copy(["one"])
        #expect(await changes.next() == 1)
        try pasteboard.copy(["two"])
        pasteboard.clear()
        #expect(await changes.next() == 3)
        #expect(pasteboard.changeCount == 3)
    }

    @Test("an item of which one form fails is pasted from the next; one that fails whole is passed over")
    func passesOverFailures() async throws {
        let pasteboard = Pasteboard()
        pasteboard.copy([
            Item(
                title: "half",
                representations: [
                    .produced(.utf8PlainText) { throw Broken() }, .data(Data("good".utf8), contentType: .utf8PlainText),
                ]),
            Item(title: "broken", representations: [.produced(.utf8PlainText) { throw Broken() }]),
        ])
        #expect(try await pasteboard.paste(String.self) == ["good"])
        pasteboard.copy([Item(title: "broken", representations: [.produced(.utf8PlainText) { throw Broken() }])])
        await #expect(throws: Broken.self) { try await pasteboard.paste(String.self) }
    }

    @Test("a file that was copied is pasted as a copy of it, and stays")
    func pastesFiles() async throws {
        try await Pair.with { pair in
            try FileManager.default.createDirectory(at: pair.root, withIntermediateDirectories: true)
            let file = pair.root.appending(path: "note.txt")
            try Data("words".utf8).write(to: file)
            let pasteboard = Pasteboard()
            pasteboard.copy([try await .file(at: file.path)])
            #expect(try await pasteboard.paste(Data.self) == [Data("words".utf8)])
            #expect(FileManager.default.fileExists(atPath: file.path))
        }
    }

    @Test("a paste button for types hands over providers, in which every form can be loaded")
    func pastesProviders() async throws {
        let pasteboard = Pasteboard()
        let pasted = Mutex<[NSItemProvider]>([])
        let button = PasteButton(supportedContentTypes: [.json], pasteboard: pasteboard) { providers in
            pasted.withLock { $0 = providers }
        }
        try pasteboard.copy(["text"])
        #expect(!button.isEnabled)
        pasteboard.copy([.text("text"), try Item(Recipe(title: "Soup", steps: []))])
        try await button.press()
        let provider = try #require(pasted.withLock(\.self).first)
        #expect(pasted.withLock(\.count) == 1)
        #expect(provider.registeredContentTypes == [Recipe.type, .utf8PlainText])
        let title = await withCheckedContinuation { continuation in
            _ = provider.loadTransferable(type: String.self) { continuation.resume(returning: try? $0.get()) }
        }
        #expect(title == "Soup")
    }

    @Test("a provider is an item, in the order of its registrations, and loaded when it is pasted")
    func takesProviders() async throws {
        let provider = NSItemProvider()
        provider.register(Recipe(title: "Soup", steps: ["Boil."]))
        let item = Item(provider, title: "dinner")
        #expect(item.title == "dinner")
        #expect(item.representations.map(\.contentType) == [Recipe.type, .utf8PlainText])
        let pasteboard = Pasteboard()
        pasteboard.copy([item])
        #expect(try await pasteboard.paste(Recipe.self).map(\.steps) == [["Boil."]])
    }

    @Test("5, 6, 7. pasting matches by conformance: data takes text, text and URLs do not take each other")
    func matchesByConformance() async throws {
        let pasteboard = Pasteboard()
        try pasteboard.copy(["text"])
        #expect(pasteboard.canPaste(Data.self) && !pasteboard.canPaste(URL.self))
        #expect(try await pasteboard.paste(Data.self) == [Data("text".utf8)])
        try pasteboard.copy([try #require(URL(string: "https://example.com"))])
        #expect(!pasteboard.canPaste(String.self))
        pasteboard.copy([Item(title: "some picture", representations: [.data(Data([1]), contentType: .image)])])
        #expect(!pasteboard.canPaste(PNG.self), "what is offered as an image need be no PNG")
        pasteboard.copy([Item(title: "a PNG", representations: [.data(Data([1]), contentType: .png)])])
        #expect(pasteboard.canPaste(PNG.self) && pasteboard.canPaste(Picture.self))
    }
}

private struct PNG: Transferable {
    static var transferRepresentation: some TransferRepresentation {
        DataRepresentation(importedContentType: .png) { _ in PNG() }
    }
}

private struct Picture: Transferable {
    static var transferRepresentation: some TransferRepresentation {
        DataRepresentation(importedContentType: .image) { _ in Picture() }
    }
}
