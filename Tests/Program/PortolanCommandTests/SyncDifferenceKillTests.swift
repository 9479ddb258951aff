import Foundation
import Synchronization
import TestSupport
import Testing

/// A device that is killed while it puts a changed file together from its earlier version and the parts that another
/// device sends.
@Suite(.serialized) struct SyncDifferenceKillTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    private static let control = ".portolan-sync"
    /// Sizes of the partial file at which the device is killed, in bytes; the last one is that of the whole file.
    private static let points = [1, 8 << 20, 16 << 20, 24 << 20, (32 << 20) + 3]
    /// Most versions: one that is in place before the device is killed is followed by another one.
    private static let mostVersions = 50

    /// Ada's version, which is to be replaced.
    private var file: String { tool.path("notes/large") }

    private func content() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: file)) }

    private func inode() throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: file)[.systemFileNumber] as? Int
    }

    /// Size of ada's partial file, in bytes; nil without one.
    private func partBytes() throws -> Int? {
        let staging = "notes/\(Self.control)/staging"
        guard let part = try tool.names(in: staging).first(where: { $0.hasPrefix("part-") }) else { return nil }
        // A complete file gets another name at any time.
        return (try? FileManager.default.attributesOfItem(atPath: tool.path("\(staging)/\(part)")))?[.size] as? Int
    }

    /// Waits until the partial file has a size, in bytes, or the file at the name is another one.
    private func waitForPart(of size: Int) async throws {
        let before = try inode()
        let deadline = ContinuousClock.now + Tool.patience
        while try partBytes() ?? 0 < size, try inode() == before {
            try #require(.now < deadline, "there was no partial file of \(size) bytes")
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    /// Writes ben's next version: as large as the others after the first one, with some bytes changed in 16 places.
    private func change(_ old: Data, _ number: Int) throws -> Data {
        var new = old
        if number == 1 { new.insert(contentsOf: [1, 2, 3], at: 1000) }
        for place in 0..<16 { new[place * (2 << 20) + 100 * number] ^= 0xFF }
        try new.write(to: URL(fileURLWithPath: tool.path("copy/large")))
        return new
    }

    @Test func killedDifferenceLeavesTheOldVersionAndIsResumed() async throws {
        try await tool.makeTeam()
        try Files.makeFolder(tool.path("notes"))
        try tool.makeLarge("notes/large")
        #expect(try await tool.run(["sync", "add", "notes", "--with", "@acme"], home: "ada").code == 0)
        #expect(try await tool.run(["sync", "join", "acme:notes", "copy"], home: "ben").code == 0)
        let (first, address) = try await tool.staySynced()
        var ada = first
        try await tool.visit(address)
        var old = try content()
        #expect(try Data(contentsOf: URL(fileURLWithPath: tool.path("copy/large"))) == old)

        // Counts the bytes that ben sends.
        let relay = try Relay(to: try await ada.port(), cutting: [])
        let versions = Mutex([old])
        let looks = Task {
            var count = 0
            while !Task.isCancelled {
                let found = try content()
                let isWhole = versions.withLock { $0.contains(found) }
                #expect(isWhole, "a version that nobody wrote")
                count += 1
                try? await Task.sleep(for: .milliseconds(5))
            }
            return count
        }
        defer { looks.cancel() }
        var points = Self.points[...]
        var number = 0
        while !points.isEmpty {
            number += 1
            try #require(number <= Self.mostVersions, "killed too late for \(points)")
            let new = try change(old, number)
            versions.withLock { $0 = [old, new] }
            var isOld = true
            var last = 0
            while let point = points.first, isOld {
                let ben = try tool.start(
                    ["sync", "run", "--once", "--at", "127.0.0.1:\(relay.port)"] + Tool.alone, home: "ben")
                try await waitForPart(of: point)
                ada.kill()
                _ = try await ada.finish()
                ben.kill()
                _ = try await ben.finish()
                let found = try content()
                isOld = found == old
                if isOld {
                    // A complete file without its name is put together again.
                    let part = try partBytes()
                    #expect(part ?? new.count >= max(point, last), "the partial file is resumed")
                    last = part ?? 0
                    points.removeFirst()
                } else {
                    #expect(found == new)
                }
                #expect(try tool.names(in: "notes") == [Self.control, "large"])
                (ada, _) = try await tool.staySynced()
                relay.redirect(to: try await ada.port())
            }
            try await tool.visit("127.0.0.1:\(relay.port)")
            #expect(try content() == new)
            old = new
        }
        looks.cancel()
        #expect(try await looks.value > Self.points.count)
        #expect(relay.bytes < 8 << 20, "the differences, not the file")
        #expect(try await ada.stop().code == 0)
        #expect(try Data(contentsOf: URL(fileURLWithPath: tool.path("copy/large"))) == old)
        for folder in ["notes", "copy"] {
            #expect(try tool.names(in: folder) == [Self.control, "large"])
            #expect(try tool.names(in: "\(folder)/\(Self.control)/staging").isEmpty)
        }
        for home in ["ada", "ben"] { try await tool.checkSync(home) }
    }
}
