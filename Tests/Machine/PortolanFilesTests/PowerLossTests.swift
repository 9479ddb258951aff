import Glibc
import TestSupport
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

/// Transfers onto a disk that fails and loses power, again and again, until they are through.
@Suite(.aside) struct PowerLossTests {
    /// Ends of a life of the receiving process.
    private enum Life {
        case stored(PublishedItem)
        case ended
    }

    /// Receives until an event, which ends the life.
    private func live(_ shipment: Shipment, on disk: SimulatedDisk, _ generator: inout SeededGenerator) throws -> Life {
        guard let inbox = try? Inbox(path: disk.path, createIfMissing: false, features: .detected, storage: disk) else {
            return .ended
        }
        do {
            var shipment = shipment
            shipment.generator = SeededGenerator(seed: generator.next())
            shipment.largestWhole = 8 << 10
            let root = try FileName(shipment.entries[0].name)
            let asking =
                try inbox.known(
                    .test(1), called: root, isFolder: shipment.entries[0].kind == .folder) != .nothing
            let partial = try inbox.receive(shipment.about(root.text), called: root, asking: asking)
            do {
                // Some senders disconnect after a random number of calls, and the partial is suspended.
                if Bool.random(using: &generator) { shipment.patience = Int.random(in: 1...60, using: &generator) }
                try shipment.send(to: partial)
                return .stored(try partial.publish(as: root))
            } catch {
                partial.suspend()
                throw error
            }
        } catch is Shipment.Interrupted {
            return .ended
        } catch let error as FileError {
            // All that can go wrong here is the disk.
            let expected: [FileError.Kind] = [.inputOutput, .noSpace, .readOnly, .tooManyOpenFiles]
            #expect(expected.contains(error.kind), "\(error)")
            return .ended
        }
    }

    /// Small enough to lose power in hundreds of times.
    private func item() -> Shipment {
        var shipment = Shipment.tree()
        for (index, size) in [(1, 300_000), (6, 70_000), (12, 30_000)] {
            shipment.entries[index].kind = .file(Shipment.noise(size, UInt64(index)))
        }
        return shipment
    }

    /// Describes each visible file in a word: whole in one of its versions, or not.
    private func check(
        _ disk: SimulatedDisk, is versions: [Shipment], whole: Bool, _ said: String
    ) {
        let visible = names(in: disk.path).filter { !$0.hasPrefix(FileName.partialPrefix) }
        #expect(visible.isEmpty || visible == [versions[0].entries[0].name], "\(said): \(visible)")
        guard let root = visible.first else {
            #expect(!whole, "\(said): nothing is there")
            return
        }
        let folders = paths(versions[0])
        for (index, path) in folders.enumerated() {
            let full = "\(disk.path)/\(root)\(path)"
            let contents = versions.compactMap { version -> [UInt8]? in
                switch version.entries[index].kind {
                case .file(let content): return content
                case .hardLink(let target):
                    if case .file(let content) = version.entries[Int(target)].kind { return content }
                    return nil
                case .folder, .link: return nil
                }
            }
            if contents.isEmpty {
                #expect(status(of: full) != nil, "\(said): \(path)")
            } else {
                #expect(content(of: full).map(contents.contains) == true, "\(said): \(path)")
            }
        }
    }

    private func paths(_ shipment: Shipment) -> [String] {
        var paths: [String] = []
        for (index, entry) in shipment.entries.enumerated() {
            paths.append(index == 0 ? "" : paths[Int(entry.parent)] + "/" + entry.name)
        }
        return paths
    }

    private func items(_ disk: SimulatedDisk) -> [String] {
        snapshot(of: disk.path).filter { !$0.hasPrefix(FileName.partialPrefix) }
    }

    @Test func confirmedItemsSurviveAndOthersCanBeCompleted() throws {
        let seed = testSeed()
        print("power loss: PORTOLAN_SEED=\(seed)")
        var generator = SeededGenerator(seed: seed)
        let first = item()
        var second = first
        let later = FileTime(timespec(tv_sec: 1_400_000_000, tv_nsec: 5))
        for (index, size) in [(1, 280_000), (3, 5500), (12, 30_000)] {
            second.entries[index].kind = .file(Shipment.noise(size, UInt64(index) + 90))
            second.entries[index].modified = later
        }
        let expected = [first, second].map { $0.expected(as: "tree") }
        var losses = 0
        var errors = 0
        while losses < 250 {
            let disk = SimulatedDisk(seed: generator.next())
            for (version, shipment) in [first, second].enumerated() {
                let versions = version == 0 ? [first] : [first, second]
                var lives = 0
                while true {
                    lives += 1
                    let said = "seed \(seed), \(losses) losses, version \(version), life \(lives)"
                    try #require(lives < 400, "\(said): it never ends")
                    // Early and late; after many lives the rest gets its chance.
                    let calls = Int.random(in: 1...(lives < 12 ? 120 : 400), using: &generator)
                    if Int.random(in: 0..<4, using: &generator) == 0 {
                        errors += 1
                        disk.plan(.error([EIO, ENOSPC].randomElement(using: &generator) ?? EIO), in: calls)
                    } else {
                        disk.plan(.powerFails, in: calls)
                    }
                    let life = try live(shipment, on: disk, &generator)
                    disk.cancelPlan()
                    // An entry for which the disk had no room is reported as left out, and is stored by the next
                    // sending.
                    if case .stored(let stored) = life {
                        if stored.report.omissions.contains(where: { $0.reason == .noSpace }) { continue }
                        // An item whose receipt was never sent may be found again, too.
                        #expect(stored.updated || version == 0, "\(said)")
                        // The receipt was given: power may fail now.
                        disk.losePower()
                        losses += 1
                        check(disk, is: [shipment], whole: true, said)
                        #expect(items(disk) == expected[version], "\(said)")
                        break
                    }
                    if disk.isDead || Bool.random(using: &generator) {
                        disk.losePower()
                        losses += 1
                        check(disk, is: versions, whole: version == 1, said)
                    }
                }
            }
        }
        #expect(errors > 0)
    }
}
