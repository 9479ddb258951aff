import Foundation
import PortolanSyncPlan
import TestSupport
import Testing

@testable import PortolanSyncFolder

/// Random actions of persons and devices on real disks: at rest all copies are equal and no content is lost.
@Suite(.atOnce(4)) struct RandomTests {
    /// Actions of persons on all devices.
    private struct Persons {
        let folders: SyncFolders
        var generator: SeededGenerator
        private var next = 0
        private(set) var written: Set<String> = []
        /// Contents that were replaced or deleted by a person who had seen them.
        private(set) var released: Set<String> = []

        init(_ folders: SyncFolders, seed: UInt64) {
            self.folders = folders
            generator = SeededGenerator(seed: seed)
        }

        private mutating func path(_ device: Int) -> String {
            let name = ["a", "b", "c"].randomElement(using: &generator) ?? "a"
            let parents = ["", "x/", "y/", "x/z/"].filter {
                var isFolder: ObjCBool = false
                return FileManager.default.fileExists(atPath: folders(device, $0), isDirectory: &isFolder)
                    && isFolder.boolValue
            }
            return (parents.randomElement(using: &generator) ?? "") + name
        }

        private mutating func release(_ device: Int, _ path: String) throws {
            if let text = folders.text(device, path) { released.insert(text) }
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: folders(device, path), isDirectory: &isFolder),
                isFolder.boolValue
            else { return }
            for line in try folders.listing(device, below: path) {
                if let start = line.firstIndex(of: "=") { released.insert(String(line[line.index(after: start)...])) }
            }
        }

        /// - Returns: what was done, for the message of a failure.
        mutating func act() throws -> String {
            let device = folders.replicas.indices.randomElement(using: &generator) ?? 0
            let path = path(device)
            switch Int.random(in: 0..<10, using: &generator) {
            case 0...3:
                var isFolder: ObjCBool = false
                if FileManager.default.fileExists(atPath: folders(device, path), isDirectory: &isFolder),
                    isFolder.boolValue
                {
                    return ""
                }
                try release(device, path)
                next += 1
                let text = "text \(next)"
                written.insert(text)
                if Bool.random(using: &generator) {
                    try folders.write(device, path, text)
                    return "\(device): write \(path) \(text)"
                }
                // The save of a program replaces the file.
                try folders.write(device, "\(path)~", text)
                folders.move(device, "\(path)~", to: path)
                return "\(device): save \(path) \(text)"
            case 4:
                let folder = ["x", "y", "x/z"].randomElement(using: &generator) ?? "x"
                try? folders.makeFolder(device, folder)
                return "\(device): folder \(folder)"
            case 5, 6:
                let target = self.path(device)
                guard target != path, rename(folders(device, path), folders(device, target + "~")) == 0 else {
                    return ""
                }
                try release(device, target)
                try? folders.remove(device, target)
                // The target may have been inside the moved folder.
                guard rename(folders(device, target + "~"), folders(device, target)) == 0 else { return "" }
                return "\(device): move \(path) \(target)"
            case 7, 8:
                let victim = Bool.random(using: &generator) ? path : ["x", "y"].randomElement(using: &generator) ?? "x"
                guard FileManager.default.fileExists(atPath: folders(device, victim)) else { return "" }
                try release(device, victim)
                try folders.remove(device, victim)
                return "\(device): delete \(victim)"
            default:
                let (from, to) =
                    [("x", "y/x"), ("y", "x/y"), ("x/z", "z"), ("x", "w"), ("w", "x")]
                    .randomElement(using: &generator) ?? ("x", "y/x")
                guard !FileManager.default.fileExists(atPath: folders(device, to)),
                    rename(folders(device, from), folders(device, to)) == 0
                else { return "" }
                return "\(device): move \(from) \(to)"
            }
        }
    }

    @Test("at rest all are alike, and nothing is lost", arguments: 1...200 as ClosedRange<UInt64>)
    func chance(seed: UInt64) async throws {
        var settings = SyncSettings.unguarded
        // Half of the seeds plan two nodes at a time.
        if seed.isMultiple(of: 2) { settings.maximumPart = 2 }
        let folders = try await SyncFolders(3, settings: settings)
        var persons = Persons(folders, seed: seed)
        var actions: [String] = []
        for _ in 0..<14 {
            if Int.random(in: 0..<3, using: &persons.generator) > 0 {
                actions.append(try persons.act())
                continue
            }
            let device = Int.random(in: 0..<3, using: &persons.generator)
            let other = (device + Int.random(in: 1..<3, using: &persons.generator)) % 3
            if Bool.random(using: &persons.generator) {
                try await folders.synchronize(device)
                actions.append("\(device): synchronize")
            } else {
                try await folders.pull(device, from: other)
                actions.append("\(device): hear \(other)")
            }
        }
        try await folders.settle()
        let story = "seed \(seed)\n\(actions.filter { !$0.isEmpty }.joined(separator: "\n"))"
        let listings = try (0..<3).map { try folders.listing($0) }
        #expect(listings[0] == listings[1] && listings[0] == listings[2], "\(story)")
        let texts = Set(
            listings[0].compactMap { line in line.split(separator: "=").dropFirst().first.map(String.init) })
        let lost = persons.written.subtracting(persons.released).subtracting(texts)
        #expect(lost.isEmpty, "\(story)")
        for device in 0..<3 {
            let staging = folders(device, "\(ControlFolder.name)/staging")
            #expect(try FileManager.default.contentsOfDirectory(atPath: staging).isEmpty, "\(story)")
        }
        try await folders.checkAll(story)
    }
}
