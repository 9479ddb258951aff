import Foundation
import PortolanSyncPlan
import TestSupport
import Testing

@testable import PortolanSyncFolder

/// Comparison of partial scans of reported folders with complete ones.
@Suite struct PartialScanTests {
    /// Random changes of a folder, and the folders that a watch would report for them.
    private struct Person {
        let folders: SyncFolders
        var generator: SeededGenerator
        private(set) var told: Set<[String]> = []
        private var count = 0

        init(_ folders: SyncFolders, seed: UInt64) {
            self.folders = folders
            generator = SeededGenerator(seed: seed)
        }

        mutating func takeTold() -> FolderChanges {
            defer { told = [] }
            return FolderChanges(told)
        }

        private mutating func tell(_ path: String) { told.insert(path.split(separator: "/").map(String.init)) }

        private func parent(_ path: String) -> String { path.split(separator: "/").dropLast().joined(separator: "/") }

        private func all(folders wanted: Bool) throws -> [String] {
            try folders.listing(0).compactMap { line in
                if line.hasSuffix("/") { return wanted ? String(line.dropLast()) : nil }
                return wanted ? nil : line.split(separator: "=").first.map(String.init)
            }
        }

        private mutating func newPath(in folder: String) -> String {
            count += 1
            return folder.isEmpty ? "n\(count)" : "\(folder)/n\(count)"
        }

        private func links(of file: String) throws -> UInt {
            var status = stat()
            guard lstat(folders(0, file), &status) == 0 else { throw SyncError(.index, "\(file) is not there.") }
            return UInt(status.st_nlink)
        }

        mutating func change() throws {
            let places = try all(folders: true) + [""]
            guard let folder = places.randomElement(using: &generator) else { return }
            let files = try all(folders: false)
            let file = files.randomElement(using: &generator)
            switch Int.random(in: 0..<9, using: &generator) {
            case 0, 1:
                let path = newPath(in: folder)
                try folders.write(0, path, "new \(count)")
                tell(folder)
            case 2:
                // A watch reports one name of a file that has several.
                guard let file, try links(of: file) == 1 else { return }
                count += 1
                try folders.write(0, file, "edit \(count)")
                tell(parent(file))
            case 3:
                let path = newPath(in: folder)
                try folders.makeFolder(0, path)
                tell(folder)
                tell(path)
            case 4:
                guard let file else { return }
                folders.move(0, file, to: newPath(in: folder))
                tell(parent(file))
                tell(folder)
            case 5:
                guard let moved = places.dropLast().randomElement(using: &generator),
                    folder != moved, !folder.hasPrefix("\(moved)/")
                else { return }
                folders.move(0, moved, to: newPath(in: folder))
                tell(parent(moved))
                tell(folder)
            case 6:
                guard let gone = (files + places.dropLast()).randomElement(using: &generator) else { return }
                try folders.remove(0, gone)
                tell(parent(gone))
            case 7:
                // The save of a program replaces the file by another one.
                guard let file else { return }
                let path = newPath(in: parent(file))
                try folders.write(0, path, "saved \(count)")
                folders.move(0, path, to: file)
                tell(parent(file))
            default:
                guard let file else { return }
                #expect(link(folders(0, file), folders(0, newPath(in: folder))) == 0)
                tell(folder)
            }
        }
    }

    @Test("after any changes, all files together say nothing that the told folders did not say", arguments: 0..<30)
    func random(seed: Int) async throws {
        let folders = try await SyncFolders(1)
        let replica = folders.replicas[0]
        var person = Person(folders, seed: UInt64(seed))
        for _ in 0..<12 { try person.change() }
        try await folders.synchronize(0)
        for round in 0..<15 {
            for _ in 0..<Int.random(in: 1...3, using: &person.generator) { try person.change() }
            try await replica.synchronize(from: replica, changes: person.takeTold())
            let position = try await replica.position()
            try await folders.checkAll("seed \(seed), round \(round)")
            #expect(try await replica.position() == position, "seed \(seed), round \(round)")
            replica.looksAtAll = true
            try await replica.synchronize(from: replica)
            #expect(try await replica.position() == position, "seed \(seed), round \(round)")
        }
    }

    /// Random changes in the manner of programs: several of them between two looks, in several folders.
    private func work(_ person: inout Person) throws {
        for _ in 0..<Int.random(in: 1...6, using: &person.generator) { try person.change() }
    }

    @Test("after partial scans of any changes, a scan of the whole folder finds nothing", arguments: 0..<30)
    func nothingLeft(seed: Int) async throws {
        let folders = try await SyncFolders(1)
        let replica = folders.replicas[0]
        var person = Person(folders, seed: UInt64(seed) + 1000)
        for path in ["k/u/a", "k/u/b", "k/v", "w"] {
            try folders.makeFolder(0, path)
            try folders.write(0, "\(path)/f", path)
        }
        try await folders.synchronize(0)
        for round in 0..<10 {
            try work(&person)
            try await replica.synchronize(from: replica, changes: person.takeTold())
            try folders.checkIndex(0, "seed \(seed), round \(round)")
            let position = try await replica.position()
            let folder = try #require(replica.folder)
            var scan = FolderScan(folder.root, folder.control, replica.index, now: replica.now)
            let result = try scan.run()
            #expect(!result.isChanged, "seed \(seed), round \(round): \(result.observation)")
            try await folders.synchronize(0)
            #expect(try await replica.position() == position, "seed \(seed), round \(round)")
        }
    }

    @Test("edits in two subfolders of one folder make no second folder")
    func commonParents() async throws {
        let folders = try await SyncFolders(2)
        let replica = folders.replicas[0]
        for name in ["a", "b"] {
            try folders.makeFolder(0, "k/u/\(name)")
            try folders.write(0, "k/u/\(name)/f", "1")
        }
        try await folders.settle()
        let start = try #require(try await replica.position()).sequence
        for name in ["a", "b"] { try folders.write(0, "k/u/\(name)/f", "two") }
        try await replica.synchronize(
            from: replica, changes: FolderChanges([["k", "u", "a"], ["k", "u", "b"]]))
        #expect(try await replica.position()?.sequence == start + 2)
        try folders.checkIndex(0)
        try await folders.settle()
        try folders.remove(1, "k/u/b/f")
        let reports = try await folders.settle()
        #expect(reports.allSatisfy { $0.heldHere.isEmpty && $0.waiting.isEmpty })
        #expect(try folders.common() == ["k/", "k/u/", "k/u/a/", "k/u/a/f=two", "k/u/b/"])
    }

    @Test("a change that is not told is not looked for")
    func untold() async throws {
        let folders = try await SyncFolders(1)
        let replica = folders.replicas[0]
        for name in ["a", "b"] {
            try folders.makeFolder(0, name)
            try folders.write(0, "\(name)/file", "1")
        }
        for _ in 0..<2 { try await folders.synchronize(0) }
        let start = try #require(try await replica.position()).sequence
        for name in ["a", "b"] { try folders.write(0, "\(name)/file", "two") }
        try await replica.synchronize(from: replica, changes: .none)
        #expect(try await replica.position()?.sequence == start)
        try await replica.synchronize(from: replica, changes: FolderChanges([["a"]]))
        #expect(try await replica.position()?.sequence == start + 1)
        try await folders.synchronize(0)
        #expect(try await replica.position()?.sequence == start + 2)
    }

    @Test("a folder that was told under its old name is read under its new one")
    func movedMeanwhile() async throws {
        let folders = try await SyncFolders(2)
        let replica = folders.replicas[0]
        try folders.makeFolder(0, "a/b")
        try folders.write(0, "a/b/file", "1")
        try await folders.settle()
        try folders.write(0, "a/b/file", "two")
        folders.move(0, "a", to: "z")
        try await replica.synchronize(from: replica, changes: FolderChanges([["a", "b"]]))
        try await replica.synchronize(from: replica, changes: FolderChanges([[]]))
        try await folders.pull(1, from: 0)
        try await folders.synchronize(1)
        #expect(try folders.common() == ["z/", "z/b/", "z/b/file=two"])
        try await folders.checkAll()
    }

    @Test("files that are back after a large deletion count again, although nothing else has changed")
    func heldAndBack() async throws {
        let folders = try await SyncFolders(2, settings: SyncSettings())
        try folders.makeFolder(0, "a")
        for number in 0..<10 { try folders.write(0, "a/\(number)", "1") }
        try await folders.settle()
        folders.move(0, "a", to: "../kept")
        #expect(try await folders.synchronize(0).heldHere.map(\.count) == [11])
        folders.move(0, "../kept", to: "a")
        #expect(try await folders.synchronize(0).heldHere.isEmpty)
        try folders.write(1, "a/0", "two")
        try await folders.settle()
        #expect(try folders.common() == ["a/", "a/0=two"] + (1..<10).map { "a/\($0)=1" })
        try await folders.checkAll()
    }
}
