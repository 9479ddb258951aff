import CoreTransferable
import Testing

@Suite("Cancelling a load from an item provider")
struct ProviderCancellationTests {
    @Test("cancels the handler's progress and calls back once, as cancelled by the user")
    func cancelsInner() async throws {
        let provider = NSItemProvider()
        let inner = Progress(totalUnitCount: 5)
        let started = Calls<@Sendable () -> Void>()
        let cancelled = Calls<Void>()
        inner.cancellationHandler = { cancelled.add(()) }
        provider.registerDataRepresentation(for: .png) { done in
            started.add { done(Data(), nil) }
            return inner
        }
        let calls = Calls<(any Error)?>()
        let progress = provider.loadDataRepresentation(for: .png) { _, error in calls.add(error) }
        let answerLate = try await started.first()
        progress.cancel()
        progress.cancel()
        #expect(isUserCancelled(try await calls.first()))
        _ = try await cancelled.first()
        #expect(inner.isCancelled && progress.isCancelled && !progress.isFinished)
        answerLate()
        #expect(calls.all.count == 1)
    }

    @Test("also when it is done at once, or when a parent of the progress is cancelled")
    func immediateCancellation() async throws {
        let provider = NSItemProvider()
        provider.registerDataRepresentation(for: .png) { _ in Progress(totalUnitCount: 1) }
        let calls = Calls<(any Error)?>()
        provider.loadDataRepresentation(for: .png) { _, error in calls.add(error) }.cancel()
        let parent = Progress(totalUnitCount: 1)
        parent.addChild(
            provider.loadFileRepresentation(for: .png) { _, _, error in calls.add(error) }, withPendingUnitCount: 1)
        parent.cancel()
        try await eventually { calls.all.count == 2 }
        #expect(calls.all.allSatisfy(isUserCancelled))
    }

    @Test("after it is done changes nothing")
    func cancellationAfterTheEnd() async throws {
        let provider = NSItemProvider()
        provider.registerBytes(.png, "1")
        let calls = Calls<Data?>()
        let progress = provider.loadDataRepresentation(for: .png) { data, _ in calls.add(data) }
        #expect(try await calls.first() == Data("1".utf8))
        progress.cancel()
        #expect(progress.isFinished && calls.all.count == 1)
    }

    @Test("leaves no file behind, whenever it comes", arguments: 0..<8)
    func leavesNothing(_ round: Int) async throws {
        try await leavingNothing { scratch in
            let folder = try scratch.folder("album", with: (0..<200).map { "\($0)" })
            let provider = NSItemProvider(contentsOf: folder, contentType: nil)
            let calls = Calls<Bool>()
            let progress = provider.loadFileRepresentation(for: .folder) { file, _, error in
                calls.add(file != nil || isUserCancelled(error))
            }
            try await Task.sleep(for: .milliseconds(round))
            progress.cancel()
            #expect(try await calls.first())
            #expect(calls.all.count == 1)
        }
    }

    @Test("by way of its task ends an asynchronous load")
    func asynchronous() async throws {
        let provider = NSItemProvider()
        let inner = Progress(totalUnitCount: 5)
        let started = Calls<Void>()
        provider.registerDataRepresentation(for: .png) { _ in
            started.add(())
            return inner
        }
        let task = Task { try await provider.loadDataRepresentation(for: .png) }
        _ = try await started.first()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await eventually { inner.isCancelled }
    }

    @Test("cancels the exporter and the importer of a Transferable value")
    func transferable() async throws {
        let events = Calls<String>()
        let provider = NSItemProvider()
        provider.register(Slow(events: events, exports: false))
        let export = provider.loadTransferable(type: Data.self) { result in
            events.add(isUserCancelled(result.error) ? "export cancelled" : "exported")
        }
        try await eventually { events.all.contains("exporting") }
        export.cancel()
        try await eventually { events.all.contains("exporter stopped") && events.all.contains("export cancelled") }
        let quick = NSItemProvider()
        quick.registerBytes(.pdf, "x")
        let load = quick.loadTransferable(type: Hanging.self) { result in
            events.add(isUserCancelled(result.error) ? "import cancelled" : "imported")
        }
        try await eventually { Hanging.events.all.contains("importing") }
        load.cancel()
        try await eventually {
            Hanging.events.all.contains("importer stopped") && events.all.contains("import cancelled")
        }
    }
}

extension Result {
    fileprivate var error: (any Error)? {
        if case .failure(let error) = self { error } else { nil }
    }
}

private struct Slow: Transferable {
    let events: Calls<String>
    let exports: Bool

    static var transferRepresentation: some TransferRepresentation {
        DataRepresentation(exportedContentType: .pdf) { item in
            item.events.add("exporting")
            do { try await Task.sleep(for: .seconds(600)) } catch { item.events.add("exporter stopped") }
            throw CancellationError()
        }
    }
}

private struct Hanging: Transferable {
    static let events = Calls<String>()

    static var transferRepresentation: some TransferRepresentation {
        DataRepresentation(importedContentType: .pdf) { _ in
            events.add("importing")
            do { try await Task.sleep(for: .seconds(600)) } catch { events.add("importer stopped") }
            throw CancellationError()
        }
    }
}
