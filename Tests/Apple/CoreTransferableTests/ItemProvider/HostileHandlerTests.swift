import CoreTransferable
import Testing

@Suite("Load handlers that misbehave")
struct HostileHandlerTests {
    private struct Broken: Error, Equatable {}

    @Test("a handler's error is passed on unchanged")
    func handlerErrorIsPassedOn() async throws {
        let provider = NSItemProvider()
        provider.registerDataRepresentation(for: .png) { done in
            done(nil, Broken())
            return nil
        }
        provider.registerFileRepresentation(for: .jpeg) { done in
            done(nil, false, Broken())
            return nil
        }
        provider.registerItem(forTypeIdentifier: UTType.gif.identifier) { done, _, _ in done?(nil, Broken()) }
        await #expect(throws: Broken()) { try await provider.loadDataRepresentation(for: .png) }
        await #expect(throws: Broken()) { try await provider.loadDataRepresentation(for: .jpeg) }
        await #expect(throws: Broken()) { try await provider.loadDataRepresentation(for: .gif) }
        await #expect(throws: Broken()) { try await provider.loadItem(forTypeIdentifier: UTType.gif.identifier) }
        let calls = Calls<(any Error)?>()
        provider.loadFileRepresentation(for: .jpeg) { file, _, error in
            #expect(file == nil)
            calls.add(error)
        }
        #expect(try await calls.first() is Broken)
    }

    @Test("a handler that gives neither content nor an error has made the item unavailable")
    func handlerWithoutContentOrErrorIsAnError() async throws {
        let provider = NSItemProvider()
        provider.registerDataRepresentation(for: .png) { done in
            done(nil, nil)
            return nil
        }
        provider.registerFileRepresentation(for: .jpeg) { done in
            done(nil, false, nil)
            return nil
        }
        provider.registerItem(forTypeIdentifier: UTType.gif.identifier) { done, _, _ in done?(nil, nil) }
        for type in [UTType.png, .jpeg, .gif] {
            let error = await #expect(throws: ItemProviderError.self) {
                try await provider.loadDataRepresentation(for: type)
            }
            #expect(error?.kind == .itemUnavailableError && error?.description.contains(type.identifier) == true)
        }
    }

    @Test("only the first answer of a handler counts")
    func secondAnswerIsIgnored() async throws {
        try await leavingNothing { scratch in
            let file = try scratch.file("a.png", [1])
            let answered = Calls<Void>()
            let provider = NSItemProvider()
            provider.registerFileRepresentation(for: .png) { done in
                done(file, false, nil)
                done(file, false, nil)
                done(nil, false, Broken())
                answered.add(())
                return nil
            }
            let calls = Calls<Bool>()
            provider.loadFileRepresentation(for: .png) { _, _, error in calls.add(error == nil) }
            _ = try await answered.first()
            #expect(try await calls.first())
            #expect(calls.all.count == 1)
        }
    }

    @Test("a URL of a missing file, of no file or of another machine's file is an error that says so")
    func badFiles() async throws {
        try await leavingNothing { scratch in
            let pipe = scratch.url.appending(path: "pipe")
            try #require(mkfifo(pipe.path, 0o600) == 0)
            for file in [
                scratch.url.appending(path: "gone.png"), pipe, try #require(URL(string: "https://example.org/a")),
            ] {
                let provider = NSItemProvider()
                provider.registerFile(.png, file, openInPlace: true)
                for inPlace in [true, false] {
                    let error = await #expect(throws: ItemProviderError.self) {
                        try await provider.withFileRepresentation(for: .png, openInPlace: inPlace) { _, _ in }
                    }
                    #expect(error?.kind == .itemUnavailableError && error?.underlying is TransferError)
                    #expect(error?.description.contains("public.png") == true)
                }
                await #expect(throws: ItemProviderError.self) { try await provider.loadDataRepresentation(for: .png) }
            }
        }
    }

    @Test("13. a handler that never calls back times out, and its later result is ignored")
    func timeout() async throws {
        try await leavingNothing { scratch in
            let file = try scratch.file("a.png", [1])
            // The time runs from the request. A busy machine may not call the handler in it: then the load is tried
            // with more time.
            for seconds in [3, 30, 300] {
                let late = Calls<@Sendable () -> Void>()
                let inner = Progress(totalUnitCount: 5)
                let provider = NSItemProvider()
                #expect(provider.loadTimeout == .seconds(60))
                provider.loadTimeout = .seconds(seconds)
                provider.registerFileRepresentation(for: .png) { done in
                    late.add { done(file, false, nil) }
                    return inner
                }
                let calls = Calls<(any Error)?>()
                let progress = provider.loadFileRepresentation(for: .png) { _, _, error in calls.add(error) }
                let error = try await calls.first()
                #expect(code(error) == -1000)
                #expect(error?.localizedDescription.contains("public.png") == true)
                #expect(progress.isFinished && !progress.isCancelled)
                guard !late.all.isEmpty || seconds == 300 else { continue }
                // The owner's end is concurrent with the report.
                try await eventually { inner.isCancelled }
                try await late.first()()
                #expect(calls.all.count == 1)
                return
            }
        }
    }

    @Test("every kind of load times out")
    func timeouts() async throws {
        let kept = Calls<any Sendable>()
        let provider = NSItemProvider()
        // Long enough for a busy machine to call the handler.
        provider.loadTimeout = .seconds(3)
        provider.registerDataRepresentation(for: .utf8PlainText) { done in
            kept.add(done)
            return nil
        }
        provider.registerItem(forTypeIdentifier: UTType.gif.identifier) { done, _, _ in kept.add(done) }
        provider.previewImageHandler = { done, _, _ in kept.add(done) }
        await #expect(throws: ItemProviderError.self) { try await provider.loadDataRepresentation(for: .text) }
        await #expect(throws: ItemProviderError.self) { try await provider.loadObject(ofClass: String.self) }
        await #expect(throws: ItemProviderError.self) {
            try await provider.loadItem(forTypeIdentifier: UTType.gif.identifier)
        }
        await #expect(throws: ItemProviderError.self) { try await provider.loadPreviewImage() }
        await #expect(throws: ItemProviderError.self) { try await provider.loadTransferable(type: String.self) }
        await #expect(throws: ItemProviderError.self) {
            try await provider.withFileRepresentation(for: .text) { _, _ in }
        }
        #expect(kept.all.count == 6)
    }

    @Test("a handler whose progress moves is waited for")
    func slowButMoving() async throws {
        let provider = NSItemProvider()
        provider.loadTimeout = .seconds(6)
        let inner = Progress(totalUnitCount: 10)
        let shown = Calls<Double>()
        let load = Calls<Progress>()
        provider.registerDataRepresentation(for: .png) { done in
            Task {
                let progress = try await load.first()
                for step in 1...8 {
                    inner.completedUnitCount = Int64(step)
                    try await Task.sleep(for: .seconds(1))
                    shown.add(progress.fractionCompleted)
                }
                done(Data("slow".utf8), nil)
            }
            return inner
        }
        let calls = Calls<Data?>()
        load.add(provider.loadDataRepresentation(for: .png) { data, _ in calls.add(data) })
        #expect(try await calls.first() == Data("slow".utf8))
        #expect(shown.all == shown.all.sorted() && shown.all.contains { $0 > 0 && $0 < 1 })
    }
}
