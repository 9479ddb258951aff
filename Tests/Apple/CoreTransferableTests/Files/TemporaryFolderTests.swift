import Glibc
import Synchronization
import Testing

@testable import CoreTransferable

private struct Stop: Error {}

/// A value whose file a test's closure handles.
private struct Guest: Transferable {
    @TaskLocal static var importing: @Sendable (URL) async throws -> Void = { _ in }

    var file: URL?

    static var transferRepresentation: some TransferRepresentation {
        FileRepresentation(contentType: .mp3) { guest in
            guard let file = guest.file else { throw Stop() }
            return SentTransferredFile(file)
        } importing: { received in
            try await importing(received.file)
            return Guest()
        }
    }
}

@Suite("Temporary files")
struct TemporaryFolderTests {
    /// Runs `work` with its own temporary directory, and returns the remaining entries.
    private func leftovers(_ work: @Sendable (URL) async throws -> Void) async throws -> [String] {
        let base = try ScratchFolder()
        let source = try ScratchFolder()
        let file = try source.file("a.mp3", [1, 2, 3])
        try await TemporaryFolder.$base.withValue(base.url) { try await work(file) }
        #expect(try source.names == ["a.mp3"])
        return try base.names
    }

    @Test("are gone when an import has succeeded, from a file and from data")
    func success() async throws {
        let left = try await leftovers { file in
            let seen = Mutex<[String]>([])
            try await Guest.$importing.withValue({ file in seen.withLock { $0.append(file.path) } }) {
                _ = try await Guest(importing: file, contentType: .mp3)
                _ = try await Guest(importing: Data([1]), contentType: .mp3)
                _ = try await Guest(importing: .data(Data([1])), offeredAs: .mp3)
            }
            #expect(seen.withLock(\.count) == 3)
            #expect(seen.withLock { $0.allSatisfy { !FileManager.default.fileExists(atPath: $0) } })
            let exported = try await Guest(file: file).withExportedFile(contentType: nil) { $0 }
            #expect(!FileManager.default.fileExists(atPath: exported.path))
        }
        #expect(left == [])
    }

    @Test("are gone when an importer, an exporter or a handler has thrown")
    func failure() async throws {
        let left = try await leftovers { file in
            await Guest.$importing.withValue({ _ in throw Stop() }) {
                for work in [
                    { _ = try await Guest(importing: file, contentType: .mp3) },
                    { _ = try await Guest(importing: Data([1]), contentType: .mp3) },
                ] {
                    let error = await #expect(throws: TransferError.self) { try await work() }
                    #expect(error?.underlying is Stop)
                }
            }
            await #expect(throws: Stop.self) { try await Guest(file: nil).withExportedFile(contentType: nil) { _ in } }
            await #expect(throws: Stop.self) {
                try await Guest(file: file).withExportedFile(contentType: nil) { _ in throw Stop() }
            }
        }
        #expect(left == [])
    }

    @Test("are gone when an import was cancelled, and the cancellation stays one")
    func cancellation() async throws {
        let left = try await leftovers { file in
            let (started, begun) = AsyncStream.makeStream(of: Void.self)
            let task = Task {
                try await Guest.$importing.withValue({ _ in
                    begun.yield()
                    try await Task.sleep(for: .seconds(3600))
                }) { try await Guest(importing: file, contentType: .mp3) }
            }
            for await _ in started { break }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        #expect(left == [])
    }

    @Test("of an importer that does not heed its cancellation stay until it ends, without a wait for it")
    func deafImporter() async throws {
        let base = try ScratchFolder()
        let source = try ScratchFolder()
        let file = try source.file("a.mp3", [1])
        let (started, begun) = AsyncStream.makeStream(of: Void.self)
        let gate = Mutex<CheckedContinuation<Void, Never>?>(nil)
        let task = Task {
            try await TemporaryFolder.$base.withValue(base.url) {
                try await Guest.$importing.withValue({ _ in
                    await withCheckedContinuation { continuation in
                        gate.withLock { $0 = continuation }
                        begun.yield()
                    }
                }) { try await Guest(importing: file, contentType: .mp3) }
            }
        }
        for await _ in started { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try base.names.count == 1)
        gate.withLock { $0?.resume() }
        for _ in 0..<1000 where try !base.names.isEmpty { try await Task.sleep(for: .milliseconds(20)) }
        #expect(try base.names == [])
    }

    @Test(
        "An exporter that does not heed its cancellation is not waited for; one that is cancelled before is not asked")
    func deafExporter() async throws {
        struct Deaf: Transferable {
            @TaskLocal static var exporting: @Sendable () async -> Void = {}

            static var transferRepresentation: some TransferRepresentation {
                DataRepresentation(exportedContentType: .png) { _ in
                    await exporting()
                    return Data()
                }
            }
        }
        let (started, begun) = AsyncStream.makeStream(of: Void.self)
        let gate = Mutex<CheckedContinuation<Void, Never>?>(nil)
        let task = Task {
            try await Deaf.$exporting.withValue({
                await withCheckedContinuation { continuation in
                    gate.withLock { $0 = continuation }
                    begun.yield()
                }
            }) { try await Deaf().exported(as: .png) }
        }
        for await _ in started { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        gate.withLock { $0?.resume() }

        let late = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await Deaf.$exporting.withValue({ Issue.record("was asked") }) {
                try await Deaf().exported(as: .png)
            }
        }
        late.cancel()
        await #expect(throws: CancellationError.self) { try await late.value }
    }

    @Test("An importer that is not done in its time is an error that names it")
    func timeOut() async throws {
        let left = try await leftovers { file in
            await Guest.$importing.withValue({ _ in try await Task.sleep(for: .seconds(3600)) }) {
                let error = await #expect(throws: TransferError.self) {
                    try await Guest(
                        importing: .data(Data([1])), offeredAs: .mp3, within: .milliseconds(50))
                }
                #expect(error?.kind == .timedOut && error?.contentType == .mp3)
                #expect(error?.description.contains("Guest") == true)
            }
            // The task is cancelled, and ends.
            let base = try #require(TemporaryFolder.base)
            for _ in 0..<1000 {
                if try FileManager.default.contentsOfDirectory(atPath: base.path).isEmpty { return }
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        #expect(left == [])
    }

    @Test("lie in a folder that only this user can look into")
    func privacy() throws {
        let base = try ScratchFolder()
        let folder = try TemporaryFolder.$base.withValue(base.url) { try TemporaryFolder() }
        var status = stat()
        for url in [folder.url, folder.url.deletingLastPathComponent()] {
            #expect(lstat(url.path, &status) == 0)
            #expect(status.st_mode & 0o7777 == 0o700 && status.st_uid == geteuid())
        }
        #expect(TemporaryFolder.holds(folder.url.appending(path: "a")) && !TemporaryFolder.holds(base.url))
        folder.remove()
        #expect(try base.names == [] && !TemporaryFolder.holds(folder.url))
    }

    @Test("do not go where another user made, linked or opened that folder")
    func takenName() throws {
        let name = "portolan-transfer-\(geteuid())"
        let elsewhere = try ScratchFolder()
        for prepare in [
            { (path: String) in symlink(elsewhere.url.path, path) }, { mkdir($0, 0o777) | chmod($0, 0o777) },
            { close(creat($0, 0o600)) },
        ] {
            let base = try ScratchFolder()
            let taken = base.url.appending(path: name).path
            #expect(prepare(taken) == 0)
            let folder = try TemporaryFolder.$base.withValue(base.url) { try TemporaryFolder() }
            #expect(!folder.url.path.hasPrefix(taken + "/"))
            #expect(try elsewhere.names == [])
            folder.remove()
            #expect(try base.names == [name])
        }
    }

    @Test("of a killed process are removed by a later one; those in use, young ones and links are not")
    func sweeping() throws {
        let base = try ScratchFolder()
        let elsewhere = try ScratchFolder()
        _ = try elsewhere.file("keep", [1])
        let parent = base.url.appendingPathComponent("portolan-transfer-\(geteuid())", isDirectory: true)
        #expect(mkdir(parent.path, 0o700) == 0)
        func make(_ name: String, age: Int) throws {
            let folder = parent.appendingPathComponent(name, isDirectory: true)
            #expect(mkdir(folder.path, 0o700) == 0)
            try Data([1]).write(to: folder.appendingPathComponent("payload"))
            let sealed = folder.appendingPathComponent("sealed", isDirectory: true).path
            #expect(mkdir(sealed, 0o700) == 0)
            #expect(symlink(elsewhere.url.path, sealed + "/link") == 0)
            #expect(chmod(sealed, 0o500) == 0)
            let then = [timespec(tv_sec: time(nil) - age, tv_nsec: 0), timespec(tv_sec: time(nil) - age, tv_nsec: 0)]
            #expect(utimensat(AT_FDCWD, folder.path, then, 0) == 0)
        }
        try make("left", age: 7200)
        try make("young", age: 60)
        try make("used", age: 7200)
        #expect(symlink(elsewhere.url.path, parent.path + "/link") == 0)
        let lock = open(parent.path + "/used", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)

        TemporaryFolder.sweep(parent.path)
        #expect(try FileManager.default.contentsOfDirectory(atPath: parent.path).sorted() == ["link", "used", "young"])
        #expect(try elsewhere.names == ["keep"])
        close(lock)
        // A child that is being started elsewhere in this process holds each descriptor, and so the lock, for a moment.
        let deadline = ContinuousClock.now + .seconds(300)
        func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: parent.path).sorted() }
        repeat {
            TemporaryFolder.sweep(parent.path)
        } while try names().contains("used") && ContinuousClock.now < deadline
        #expect(try names() == ["link", "young"])

        // A folder that others can write keeps its files, too.
        try make("other", age: 7200)
        #expect(chmod(parent.path, 0o755) == 0)
        TemporaryFolder.sweep(parent.path)
        #expect(FileManager.default.fileExists(atPath: parent.path + "/other"))
        removeTree(parent.path)
        #expect(try base.names == [])
    }
}
