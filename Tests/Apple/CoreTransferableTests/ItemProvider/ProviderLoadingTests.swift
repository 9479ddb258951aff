import CoreTransferable
import Testing

@Suite("Loading from an item provider")
struct ProviderLoadingTests {
    @Test("takes the first form that conforms to the type asked for")
    func takesTheFirstConformingForm() async throws {
        let provider = NSItemProvider()
        provider.registerBytes(.utf8PlainText, "text")
        provider.registerBytes(.png, "png")
        provider.registerBytes(.jpeg, "jpeg")
        #expect(try await provider.loadDataRepresentation(for: .image) == Data("png".utf8))
        #expect(try await provider.loadDataRepresentation(for: .jpeg) == Data("jpeg".utf8))
        #expect(try await provider.loadDataRepresentation(forTypeIdentifier: "public.data") == Data("text".utf8))
        let image = NSItemProvider()
        image.registerBytes(.image, "some image")
        let error = await #expect(throws: (any Error).self) { try await image.loadDataRepresentation(for: .png) }
        #expect(code(error) == NSItemProvider.ErrorCode.itemUnavailableError.rawValue)
        let sentence = try #require(error.map { ($0 as NSError).localizedDescription })
        #expect(sentence.contains("public.png") && sentence.contains("public.image"))
    }

    @Test("calls back in the background after the method has returned, and completes its progress")
    func callsBackLater() async throws {
        let provider = NSItemProvider()
        provider.registerBytes(.png, "1")
        let hasReturned = Gate()
        let calls = Calls<(Bool, Data?)>()
        let progress = provider.loadDataRepresentation(for: .png) { data, error in
            #expect(error == nil)
            calls.add((hasReturned.pass(), data))
        }
        hasReturned.open()
        let (wasLater, data) = try await calls.first()
        #expect(wasLater && data == Data("1".utf8))
        #expect(progress.completedUnitCount == progress.totalUnitCount && progress.isFinished)
        #expect(progress.fractionCompleted == 1 && !progress.isCancelled)
        // A load that fails at once is treated in the same way.
        let failed = Calls<Bool>()
        let mayFail = Gate()
        provider.loadDataRepresentation(forTypeIdentifier: "public.jpeg") { data, error in
            #expect(data == nil && code(error) == -1000)
            failed.add(mayFail.pass())
        }
        mayFail.open()
        #expect(try await failed.first())
    }

    @Test("17, 21. gives data as a file with the suggested name, gone when the handler returns")
    func dataAsFile() async throws {
        let provider = NSItemProvider()
        provider.registerBytes(.png, "1")
        provider.suggestedName = "holiday"
        let calls = Calls<URL?>()
        provider.loadFileRepresentation(for: .image) { file, isInPlace, error in
            #expect(!isInPlace && error == nil)
            #expect(file.flatMap { try? Data(contentsOf: $0) } == Data("1".utf8))
            #expect(file?.lastPathComponent == "holiday.png")
            calls.add(file)
        }
        let file = try #require(try await calls.first())
        try await eventually { !exists(file) && !exists(file.deletingLastPathComponent()) }
    }

    @Test(
        "names files without a double extension and never outside the folder",
        arguments: [
            ("holiday.png", "holiday.png"), ("v1.2", "v1.2.png"), ("holiday.PNG", "holiday.PNG"),
            ("../up", "item.png"), ("/etc/x", "item.png"), ("a\0b", "item.png"), (".", "item.png"), ("", "item.png"),
            ("a\u{1B}[2J", "item.png"),
            (String(repeating: "x", count: 256), String(repeating: "x", count: 251) + ".png"),
        ])
    func names(_ name: String, _ expected: String) async throws {
        let provider = NSItemProvider()
        provider.registerBytes(.png, "1")
        provider.suggestedName = name
        let folder = try await provider.withFileRepresentation(for: .png) { file, _ in
            #expect(file.lastPathComponent == expected)
            return file.deletingLastPathComponent()
        }
        #expect(!exists(folder))
    }

    @Test("keeps the file's name where none is suggested, and its extension where the type has none")
    func fileNames() async throws {
        let scratch = try ScratchFolder()
        let provider = NSItemProvider()
        provider.registerFile(.utf8PlainText, try scratch.file("notes.md", [1]))
        func name() async throws -> String {
            try await provider.withFileRepresentation(for: .text) { file, _ in file.lastPathComponent }
        }
        #expect(try await name() == "notes.md")
        provider.suggestedName = "essay"
        #expect(try await name() == "essay.md")
        provider.suggestedName = "essay.md"
        #expect(try await name() == "essay.md")
    }

    @Test("gives a copy of a file, taken before its owner goes on")
    func fileIsCopied() async throws {
        let scratch = try ScratchFolder()
        let file = try scratch.file("a.png", [1, 2])
        let provider = NSItemProvider()
        provider.registerFileRepresentation(for: .png) { done in
            done(file, false, nil)
            try? FileManager.default.removeItem(at: file)
            return nil
        }
        let copy = try await provider.withFileRepresentation(for: .png, openInPlace: true) { copy, isInPlace in
            #expect(!isInPlace && copy.lastPathComponent == "a.png")
            let data = try Data(contentsOf: copy)
            #expect(data == Data([1, 2]))
            return copy
        }
        #expect(!exists(copy))
        // The owner continues concurrently with the load.
        let end = ContinuousClock.now + .seconds(300)
        while exists(file), .now < end { try await Task.sleep(for: .milliseconds(1)) }
        #expect(!exists(file))
    }

    @Test("20. opens in place where both sides want it, and else falls back to a copy")
    func openInPlace() async throws {
        let scratch = try ScratchFolder()
        let file = try scratch.file("a.png", [1])
        let open = NSItemProvider()
        open.registerFile(.png, file, openInPlace: true)
        let copied = NSItemProvider()
        copied.registerFile(.png, file)
        let calls = Calls<(String, URL?, Bool)>()
        open.loadInPlaceFileRepresentation(forTypeIdentifier: "public.png") { calls.add(("open", $0, $1 && $2 == nil)) }
        copied.loadInPlaceFileRepresentation(forTypeIdentifier: "public.png") { file, isInPlace, _ in
            calls.add(("copied", file, isInPlace))
        }
        open.loadFileRepresentation(forTypeIdentifier: "public.png") { calls.add(("unasked", $0, $1 != nil)) }
        try await eventually { calls.all.count == 3 }
        for (which, url, isInPlace) in calls.all {
            #expect(isInPlace == (which == "open"))
            #expect((url?.path == file.path) == (which == "open"))
        }
        #expect(exists(file))
    }

    @Test("21. gives a folder as a folder, and as data zipped")
    func folders() async throws {
        let scratch = try ScratchFolder()
        let provider = NSItemProvider(contentsOf: try scratch.folder("album", with: ["a", "b"]), contentType: nil)
        try await provider.withFileRepresentation(for: .folder) { folder, _ in
            #expect(folder.lastPathComponent == "album")
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(names.sorted() == ["a", "b"])
        }
        let zip = try await provider.loadDataRepresentation(for: .folder)
        #expect(zip.prefix(4) == Data([0x50, 0x4B, 3, 4]) && zip.range(of: Data("album/b".utf8)) != nil)
    }

    @Test("follows a link to a file")
    func links() async throws {
        let scratch = try ScratchFolder()
        let file = try scratch.file("a.png", [1])
        let link = scratch.url.appending(path: "link.png")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        let provider = NSItemProvider()
        provider.registerFile(.png, link)
        try await provider.withFileRepresentation(for: .png) { copy, _ in
            #expect(copy.lastPathComponent == "link.png")
            try Data([9]).write(to: copy)
        }
        #expect(try Data(contentsOf: file) == Data([1]))
    }

    @Test("keeps the file while an asynchronous handler runs, and removes it when that throws")
    func asynchronousHandler() async throws {
        struct Stop: Error { let file: URL }
        let provider = NSItemProvider()
        provider.registerBytes(.png, "1")
        let error = await #expect(throws: Stop.self) {
            try await provider.withFileRepresentation(for: .png) { file, _ in
                try await Task.sleep(for: .milliseconds(1))
                #expect(exists(file))
                throw Stop(file: file)
            }
        }
        #expect(try !exists(#require(error).file))
    }

    @Test("1000 times at once gives each its own", .timeLimit(.minutes(20)))
    func concurrency() async throws {
        try await leavingNothing { _ in
            let provider = NSItemProvider()
            let handled = Calls<Void>()
            provider.registerDataRepresentation(for: .png) { done in
                handled.add(())
                done(Data("1".utf8), nil)
                return nil
            }
            provider.registerBytes(.utf8PlainText, "text")
            let calls = Calls<String?>()
            await withTaskGroup { group in
                for number in 0..<1000 {
                    group.addTask {
                        switch number % 4 {
                        case 0:
                            provider.loadDataRepresentation(for: .png) { data, _ in
                                calls.add(data.map { "\($0.count)" })
                            }
                        case 1:
                            provider.loadFileRepresentation(for: .png) { file, _, _ in
                                calls.add(file.flatMap { try? Data(contentsOf: $0) }.map { "\($0.count)" })
                            }
                        case 2: provider.loadObject(ofClass: String.self) { text, _ in calls.add(text) }
                        default:
                            let progress = provider.loadDataRepresentation(for: .png) { _, _ in calls.add("any") }
                            progress.cancel()
                        }
                    }
                }
            }
            try await eventually { calls.all.count == 1000 }
            let counts = Dictionary(grouping: calls.all, by: \.self).mapValues(\.count)
            #expect(counts == ["1": 500, "text": 250, "any": 250])
            #expect(handled.all.count >= 500)
        }
    }
}
