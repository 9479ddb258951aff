import Glibc
import Synchronization
import TestSupport
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

/// Sources on a simulated disk.
@Suite struct SimulatedSourceTests {
    /// A disk with a tree on it, put there as a receiver does.
    private func disk(
        with shipment: Shipment = .tree(), _ features: KernelFeatures = .detected
    ) throws -> SimulatedDisk {
        let disk = SimulatedDisk(seed: 1, features: features)
        var shipment = shipment
        let inbox = try Inbox(path: disk.path, createIfMissing: false, features: features, storage: disk)
        let partial = try inbox.newPartial()
        try shipment.send(to: partial)
        _ = try partial.publish(as: name("tree"))
        return disk
    }

    private func source(on disk: SimulatedDisk, looking: Bool = false) throws(FileError) -> SourceTree {
        try SourceTree(
            path: disk.path + "/tree", options: SourceOptions(looking: looking, hardLinks: true), storage: disk)
    }

    /// A folder, for changes as another program makes them.
    private func folder(_ path: String, on disk: SimulatedDisk) -> Descriptor {
        Descriptor(owning: Glibc.open("\(disk.path)/\(path)", O_RDONLY | O_DIRECTORY))
    }

    @Test func treeOnASimulatedDiskArrivesUnchanged() throws {
        let disk = try disk()
        let other = SimulatedDisk(seed: 2)
        let inbox = try Inbox(path: other.path, createIfMissing: false, features: .detected, storage: other)
        let partial = try inbox.newPartial()
        let source = try source(on: disk)
        try copy(source, to: partial)
        #expect(source.report.isComplete)
        #expect(try partial.publish(as: name("tree")).report.isComplete)
        #expect(snapshot(of: other.path) == snapshot(of: disk.path))
        other.losePower()
        #expect(snapshot(of: other.path) == snapshot(of: disk.path))
    }

    @Test func changingFolderGivesItsPresentEntries() throws {
        let disk = try disk(
            with: Shipment([
                Shipment.Entry(parent: 0, name: "tree", kind: .folder, permissions: 0o755),
                Shipment.Entry(parent: 0, name: "a goes", kind: .file([1])),
                Shipment.Entry(parent: 0, name: "b stays", kind: .file([2])),
                Shipment.Entry(parent: 0, name: "c sub", kind: .folder, permissions: 0o755),
                Shipment.Entry(parent: 3, name: "inner", kind: .file([3])),
            ]))
        disk.onLook { [unowned disk] look throws(SystemFailure) in
            switch look {
            // The folder has been listed: one of its files goes, and a folder gets another file.
            case .name("a goes"): try disk.remove("a goes", in: folder("tree", on: disk))
            case .name("c sub"): _ = try? disk.makeFile("new", in: folder("tree/c sub", on: disk), mode: 0o644)
            default: break
            }
        }
        let (entries, omissions) = try WalkMethod.all(source(on: disk))
        #expect(entries.map(\.entry.name.text) == ["tree", "b stays", "c sub", "inner", "new"])
        #expect(omissions.isEmpty)
    }

    @Test(arguments: [false, true]) func fileChangedDuringReadingIsDetected(looking: Bool) throws {
        let disk = try disk(
            with: Shipment([
                Shipment.Entry(parent: 0, name: "tree", kind: .folder, permissions: 0o755),
                Shipment.Entry(parent: 0, name: "file", kind: .file(Shipment.noise(5000, 1))),
            ]))
        let entries = try WalkMethod.all(source(on: disk, looking: looking)).entries
        let file = try #require(entries.last).open()
        let isFirst = Atomic(true)
        disk.onLook { [unowned disk] look throws(SystemFailure) in
            guard case .content = look, isFirst.exchange(false, ordering: .relaxed) else { return }
            let open = try Beneath.open("file", in: folder("tree", on: disk), O_RDWR, features: .detected)
            let bytes: [UInt8] = [9, 9]
            try bytes.withUnsafeBufferPointer { bytes throws(SystemFailure) in
                try disk.write(UnsafeRawBufferPointer(bytes), to: open, at: 100)
            }
        }
        #expect(kind { _ = try file.content() } == .sourceChanged)
    }

    /// Each call in turn fails, and the walk continues if it can.
    @Test(arguments: WalkMethod.kernels, [false, true])
    func anyFailingCallIsReportedAndTheRestIsSent(_ kernel: KernelFeatures, looking: Bool) throws {
        let disk = try disk(with: .tree(), kernel)
        let whole = try WalkMethod.all(source(on: disk, looking: looking)).entries.map(\.place.path)
        var failed = 0
        for call in 1... {
            let calls = Atomic(0)
            disk.onLook { (_) throws(SystemFailure) in
                if calls.add(1, ordering: .relaxed).newValue == call { throw SystemFailure(EIO) }
            }
            do throws(FileError) {
                let source = try source(on: disk, looking: looking)
                var entries: [SourceEntry] = []
                while let next = try source.next() {
                    do throws(FileError) {
                        if case .file = next.entry.kind { _ = try next.open() }
                        entries.append(next)
                    } catch {
                        source.leaveOut(next, because: error)
                    }
                }
                if calls.load(ordering: .relaxed) < call { break }
                failed += 1
                let paths = Set(entries.map(\.place.path))
                #expect(paths.isSubset(of: whole), "call \(call)")
                let isSaid = !source.report.isComplete || source.withheld.count > 0
                #expect(paths.count == whole.count || isSaid, "call \(call)")
            } catch {
                failed += 1
                #expect(error.kind == .inputOutput, "call \(call): \(error)")
            }
        }
        #expect(failed > whole.count)
        disk.onLook { (_) in }
        #expect(try WalkMethod.all(source(on: disk, looking: looking)).entries.map(\.place.path) == whole)
    }

    @Test func endedProcessReadsNothing() throws {
        let disk = try disk()
        let source = try source(on: disk)
        _ = try source.next()
        disk.endProcess()
        while try source.next() != nil { Issue.record("Something was read") }
        #expect(!source.report.isComplete || source.withheld.count > 0)
        #expect(kind { _ = try self.source(on: disk) } == .inputOutput)
        disk.restart()
        #expect(try WalkMethod.all(self.source(on: disk)).omissions.isEmpty)
    }
}
