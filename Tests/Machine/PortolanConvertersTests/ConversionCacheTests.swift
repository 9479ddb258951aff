import Foundation
import Testing
import UniformTypeIdentifiers

@testable import PortolanConverters

/// Cached results, their eviction, and shared runs.
@Suite struct ConversionCacheTests {
    let workshop = Workshop()

    /// Makes a program whose result differs in every run.
    private func makeToolThatNeverRepeatsItself() {
        workshop.tool("tool", #"od -An -N16 -tx1 /dev/urandom > "$2""#)
    }

    /// Shell command with which a program waits for the test.
    private var untilToldToGoOn: String { "while [ ! -e \(workshop.path)/outside/go ]; do sleep 0.05; done" }

    private func tellToGoOn() { workshop.file("outside/go") }

    @Test func theSameContentIsConvertedOnce() async throws {
        makeToolThatNeverRepeatsItself()
        let first = try await workshop.conversions().convert(
            workshop.file("one", "same"), of: .plainText, by: converter())
        // By another file, and another process as far as that shows.
        let second = try await workshop.conversions().convert(
            workshop.file("two", "same"), of: .plainText, by: converter())
        #expect(!first.wasKept && second.wasKept)
        #expect(first.path == second.path && first.size == second.size)
        // The cached result is found even if the program is missing.
        unlink("\(workshop.path)/tools/tool")
        #expect(
            try await workshop.conversions().convert(
                workshop.file("two", "same"), of: .plainText, by: converter()
            ).wasKept)
    }

    @Test func otherContentOtherCommandsAndOtherTypesAreConvertedAnew() async throws {
        makeToolThatNeverRepeatsItself()
        let conversions = workshop.conversions()
        var paths: Set<String> = []
        for (content, command, from, to) in [
            ("a", ["tool", "{input}", "{output}"], UTType.plainText, UTType.html),
            ("b", ["tool", "{input}", "{output}"], .plainText, .html),
            ("a", ["tool", "{input}", "{output}", "x"], .plainText, .html),
            ("a", ["tool", "{input}", "{output}", "", "x"], .plainText, .html),
            ("a", ["tool", "{input}", "{output}"], .plainText, .rtf),
            ("a", ["tool", "{input}", "{output}"], .json, .html),
        ] {
            let made = try await conversions.convert(
                workshop.file("source", content), of: from, by: converter(command, from: from, to: to))
            #expect(!made.wasKept)
            paths.insert(made.path)
        }
        #expect(paths.count == 6)
        #expect(workshop.kept.count == 6)
    }

    @Test func onlyFilesOfThisUserAreServed() async throws {
        makeToolThatNeverRepeatsItself()
        let file = workshop.file("source")
        func convert() async throws -> ConvertedFile {
            try await workshop.conversions().convert(file, of: .plainText, by: converter())
        }
        let path = try await convert().path
        #expect(try await convert().wasKept)
        let spoilings: [() -> Void] = [
            {
                unlink(path); symlink("/etc/passwd", path)
            },
            {
                unlink(path); mkfifo(path, 0o600)
            },
            { truncate(path, 0) },
            { chmod(path, 0o666) },
            {
                unlink(path); link(file, path)
            },
        ]
        for spoil in spoilings {
            spoil()
            let made = try await convert()
            #expect(!made.wasKept && made.path == path)
            #expect(try text(made).count > 30)
            #expect(try await convert().wasKept)
        }
        #expect(FileManager.default.contents(atPath: file) == Data("content".utf8))
    }

    @Test("a kept result keeps its modification time, by which receivers recognise it")
    func useLeavesTheModificationTime() async throws {
        makeToolThatNeverRepeatsItself()
        let file = workshop.file("source")
        var statuses: [stat] = []
        for _ in 0..<2 {
            let made = try await workshop.conversions().convert(file, of: .plainText, by: converter())
            var status = stat()
            #expect(stat(made.path, &status) == 0)
            statuses.append(status)
            setUsed(made.path, secondsAgo: 10_000)
        }
        #expect(statuses[0].st_mtim.tv_sec == statuses[1].st_mtim.tv_sec)
        #expect(statuses[0].st_mtim.tv_nsec == statuses[1].st_mtim.tv_nsec)
        #expect(statuses[0].st_atim.tv_sec <= statuses[1].st_atim.tv_sec)
    }

    @Test("a result has the permissions of its source, and none to execute it or for others to write it")
    func permissionsAreThoseOfTheSource() async throws {
        workshop.tool("tool", #"echo words > "$2""#)
        let file = workshop.file("source")
        for (given, expected) in [(0o600, 0o600), (0o755, 0o644), (0o666, 0o644), (0o640, 0o640)] as [(mode_t, mode_t)]
        {
            #expect(chmod(file, given) == 0)
            let made = try await workshop.conversions().convert(file, of: .plainText, by: converter())
            var status = stat()
            #expect(stat(made.path, &status) == 0 && status.st_mode & 0o777 == expected)
        }
    }

    @Test func leastRecentlyUsedResultIsEvictedFirst() async throws {
        workshop.tool("tool", #"head -c 1000 /dev/zero > "$2""#)
        let conversions = workshop.conversions(limits: .init(bytes: 3500, age: .seconds(86_400)))
        func convert(_ content: String) async throws -> ConvertedFile {
            try await conversions.convert(workshop.file("source", content), of: .plainText, by: converter())
        }
        var paths: [String] = []
        for (index, content) in ["a", "b", "c"].enumerated() {
            paths.append(try await convert(content).path)
            setUsed(paths[index], secondsAgo: 10_000 - index)
        }
        #expect(try await convert("a").wasKept)
        _ = try await convert("d")
        #expect(workshop.kept.count == 3)
        #expect(access(paths[0], F_OK) == 0 && access(paths[1], F_OK) != 0)
        // Results that are too old are evicted regardless of space; foreign files stay.
        let foreign = workshop.file("cache/converted/foreign")
        setUsed(paths[2], secondsAgo: 90_000)
        setUsed(foreign, secondsAgo: 90_000)
        _ = try await convert("d")
        _ = try await convert("e")
        #expect(access(paths[2], F_OK) != 0 && access(foreign, F_OK) == 0)
    }

    @Test func aResultLargerThanAllTheRoomIsStillServed() async throws {
        workshop.tool("tool", #"head -c 5000 /dev/zero > "$2""#)
        let conversions = workshop.conversions(limits: .init(bytes: 1000, age: .seconds(86_400)))
        let made = try await conversions.convert(workshop.file("source"), of: .plainText, by: converter())
        #expect(access(made.path, R_OK) == 0)
    }

    @Test func equalRequestsShareOneRun() async throws {
        workshop.tool("tool", "echo run >> \(workshop.path)/outside/runs\n\(untilToldToGoOn)\necho done > \"$2\"")
        let conversions = workshop.conversions(layers: [])
        let files = (0..<8).map { workshop.file("source \($0)") }
        let made = try await withThrowingTaskGroup(of: ConvertedFile.self) { group in
            for file in files { group.addTask { try await conversions.convert(file, of: .plainText, by: converter()) } }
            #expect(try await eventually { !workshop.leftovers.isEmpty })
            try await Task.sleep(for: .milliseconds(200))
            tellToGoOn()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(made.count == 8 && Set(made.map(\.path)).count == 1)
        #expect(FileManager.default.contents(atPath: "\(workshop.path)/outside/runs") == Data("run\n".utf8))
        #expect(workshop.kept.count == 1 && workshop.leftovers.isEmpty)
    }

    @Test func manyConcurrentConversionsComplete() async throws {
        workshop.tool("tool", #"cp "$1" "$2""#)
        let conversions = workshop.conversions(concurrency: 3)
        let other = workshop.conversions()
        let files = (0..<24).map { workshop.file("source \($0)", "\($0)") }
        try await withThrowingTaskGroup(of: (Int, ConvertedFile).self) { group in
            for (index, file) in files.enumerated() {
                for conversions in [conversions, other] {
                    group.addTask { (index, try await conversions.convert(file, of: .plainText, by: converter())) }
                }
            }
            for try await (index, made) in group { #expect(try text(made) == "\(index)") }
        }
        #expect(workshop.kept.count == 24 && workshop.leftovers.isEmpty)
    }

    @Test func cancelledRequestDoesNotStopOthers() async throws {
        workshop.tool("tool", "\(untilToldToGoOn)\necho done > \"$2\"")
        let conversions = workshop.conversions()
        let file = workshop.file("source")
        let impatient = Task { try await conversions.convert(file, of: .plainText, by: converter()) }
        let patient = Task { try await conversions.convert(file, of: .plainText, by: converter()) }
        #expect(try await eventually { !workshop.leftovers.isEmpty })
        try await Task.sleep(for: .milliseconds(200))
        impatient.cancel()
        await #expect { try await impatient.value } throws: { ($0 as? ConverterError)?.kind == .cancelled }
        tellToGoOn()
        #expect(try await text(patient.value) == "done\n")
    }

    @Test func runWithoutWaitersIsStopped() async throws {
        let time = "1000.\(UInt32.random(in: 1...UInt32.max))"
        workshop.tool("tool", "sleep \(time)")
        let conversions = workshop.conversions(concurrency: 1)
        let file = workshop.file("source")
        let tasks = (0..<2).map { _ in Task { try await conversions.convert(file, of: .plainText, by: converter()) } }
        #expect(try await eventually { isRunning(time) })
        // Another conversion waits for its turn.
        let queued = Task { [workshop] in
            try await conversions.convert(workshop.file("other", "other"), of: .plainText, by: converter())
        }
        for task in tasks + [queued] { task.cancel() }
        for task in tasks + [queued] {
            await #expect { try await task.value } throws: { ($0 as? ConverterError)?.kind == .cancelled }
        }
        #expect(try await eventually { !isRunning(time) && workshop.leftovers.isEmpty })
        #expect(workshop.kept.isEmpty)
        // The result can be requested again.
        workshop.tool("tool", #"echo done > "$2""#)
        #expect(try await text(conversions.convert(file, of: .plainText, by: converter())) == "done\n")
    }

    @Test func cancelledTaskStartsNoRun() async throws {
        makeToolThatNeverRepeatsItself()
        let conversions = workshop.conversions()
        let file = workshop.file("source")
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await conversions.convert(file, of: .plainText, by: converter())
        }
        await #expect { try await task.value } throws: { ($0 as? ConverterError)?.kind == .cancelled }
        #expect(workshop.kept.isEmpty && workshop.leftovers.isEmpty)
    }

    @Test func leftoversOfDeadProcessesAreRemoved() throws {
        let folder = "\(workshop.path)/outside"
        let living = try WorkFolder(in: folder, given: "input")
        #expect(mkdir("\(folder)/.work-dead", 0o700) == 0)
        workshop.file("outside/.work-dead/output.html")
        workshop.file("outside/made-kept")
        WorkFolder.removeAbandoned(in: folder)
        #expect(access("\(folder)/.work-dead", F_OK) == 0)
        WorkFolder.removeAbandoned(in: folder, olderThan: -1)
        #expect(access("\(folder)/.work-dead", F_OK) != 0)
        #expect(access(living.path, F_OK) == 0 && access("\(folder)/made-kept", F_OK) == 0)
        living.remove()
        #expect(access(living.path, F_OK) != 0)
    }

    private func setUsed(_ path: String, secondsAgo: Int) {
        let then = timespec(tv_sec: time(nil) - secondsAgo, tv_nsec: 0)
        #expect(utimensat(AT_FDCWD, path, [then, timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2)], 0) == 0)
    }
}
