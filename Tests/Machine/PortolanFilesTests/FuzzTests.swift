import Glibc
import PortolanValues
import TestSupport
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

/// Random calls to a partial: none changes an entry outside the inbox, and no link in it leads out.
@Suite struct FuzzTests {
    let temporary = TemporaryFolder.inMemory()

    private static let nameParts: [[UInt8]] =
        [
            "a", "b", "..", ".", "", "a/b", "/etc/passwd", "../outside", "caf\u{E9}", "cafe\u{301}", "\0", "x\ny",
            "\u{202E}",
            ".portolan-partial-a", "item", "link", "deep", String(repeating: "n", count: 255),
            String(repeating: "n", count: 256),
        ].map { Array($0.utf8) } + [[0xFF, 0xFE]]

    private static let targets: [[UInt8]] = [
        "a", "..", "../..", "../../outside", "/outside", "a/b", "a/../..", "link/..", "link", "./../a", "../a/link",
        ".", "",
        "../../../../../../../../etc/passwd", "deep/a", "../link/a",
    ].map { Array($0.utf8) }

    @Test func hostileInputChangesNothingOutsideTheInbox() throws {
        let seed = testSeed()
        var generator = SeededGenerator(seed: seed)
        temporary.folder("outside")
        temporary.file("outside/sentinel", "untouched")
        temporary.folder("outside/a")
        let before = snapshot(of: temporary("outside"))
        var published = 0
        var orders = 0
        for round in 0..<300 {
            let kernel = PublishingTests.kernels[round % PublishingTests.kernels.count]
            let inbox = try temporary.inbox(features: kernel)
            let partial = try inbox.newPartial()
            var peer = RandomPeer(generator: generator)
            let failure = kind {
                for _ in 0..<Int.random(in: 1...40, using: &generator) { try peer.giveOrder(to: partial) }
            }
            orders += peer.orders
            generator = peer.generator
            if failure == nil {
                let last = kind {
                    let stored = try partial.publish(
                        as: FileName.sanitised(fromLocal: Self.nameParts.randomElement(using: &generator) ?? []))
                    published += 1
                    #expect(Self.linksStayInside("\(inbox.path)/\(stored.name.text)"), "seed \(seed), round \(round)")
                }
                #expect(
                    last == nil || last == .malformedTree, "seed \(seed), round \(round): \(String(describing: last))")
            } else {
                let expected: [FileError.Kind] = [.malformedTree, .tooLarge, .noSpace, .sourceChanged]
                #expect(
                    failure.map(expected.contains) == true,
                    "seed \(seed), round \(round): \(String(describing: failure))")
            }
            partial.discard()
            #expect(names(in: inbox.path).allSatisfy { !$0.hasPrefix(".") }, "seed \(seed), round \(round)")
        }
        #expect(snapshot(of: temporary("outside")) == before, "seed \(seed)")
        #expect(names(in: temporary.path) == ["inbox", "outside"], "seed \(seed)")
        #expect(published > 20 && orders > 2000, "seed \(seed): only \(published) items, \(orders) orders")
    }

    /// Returns true if every resolvable link below `path` leads to an entry below `path`.
    private static func linksStayInside(_ path: String) -> Bool {
        guard status(of: path)?.kind == .folder else { return true }
        func check(_ folder: String) -> Bool {
            names(in: folder).allSatisfy { name in
                let full = "\(folder)/\(name)"
                switch status(of: full)?.kind {
                case .folder: return check(full)
                case .symbolicLink:
                    guard let resolved = realpath(full, nil) else {
                        return errno == ENOENT || errno == ELOOP || errno == ENOTDIR
                    }
                    defer { free(resolved) }
                    let target = String(cString: resolved)
                    return target == path || target.hasPrefix(path + "/")
                default: return true
                }
            }
        }
        return check(path)
    }

    /// Mostly well-behaved, so that it gets far; seldom not.
    private struct RandomPeer {
        var generator: SeededGenerator
        var orders = 0
        private var next: UInt32 = 0
        /// The folders on the path to the last entry.
        private var folders: [UInt32] = []
        private var open: [(index: UInt32, size: UInt64?, taken: UInt64)] = []

        init(generator: SeededGenerator) { self.generator = generator }

        private mutating func seldom() -> Bool { Int.random(in: 0..<60, using: &generator) == 0 }

        private mutating func name() -> FileName? {
            if seldom(), let part = FuzzTests.nameParts.randomElement(using: &generator) { return try? FileName(part) }
            let usual = ["a", "b", "link", "deep", "item"]
            let text = usual[Int.random(in: 0..<usual.count, using: &generator)]
            return try? FileName(Bool.random(using: &generator) ? text : "\(text)\(next)")
        }

        mutating func giveOrder(to partial: PartialItem) throws {
            orders += 1
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<5: try add(to: partial)
            case 5..<7: try write(to: partial)
            case 7..<9: try finish(partial)
            default:
                if let file = open.last, file.index != 0 || seldom() {
                    open.removeLast()
                    try partial.leaveOut(file.index, because: .changed)
                }
            }
        }

        private mutating func add(to partial: PartialItem) throws {
            if next > 0, folders.isEmpty, !seldom() { return }
            guard let name = name() else { return }
            if folders.count > 1, Int.random(in: 0..<4, using: &generator) == 0 {
                folders.removeLast(Int.random(in: 1..<folders.count, using: &generator))
            }
            let parent = seldom() ? UInt32.random(in: 0...50, using: &generator) : folders.last ?? 0
            let index = seldom() ? UInt32.random(in: 0...50, using: &generator) : next
            var kind = TreeEntry.Kind.folder
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<5: break
            case 5..<8 where next > 0:
                guard let bytes = FuzzTests.targets.randomElement(using: &generator),
                    let target = try? LinkTarget(bytes),
                    target.stepsUp == 0 || Int.random(in: 0..<8, using: &generator) == 0
                else { return }
                kind = .symbolicLink(target)
            default:
                let known = Bool.random(using: &generator)
                kind = .file(size: seldom() ? .max : known ? UInt64.random(in: 0...20, using: &generator) : nil)
            }
            let permissions = UInt16.random(in: 0...UInt16.max, using: &generator)
            let isRepeated = !name.text.contains(where: \.isNumber) && next > 0
            if isRepeated, !seldom() { return }
            let restrictions: [Restriction?] = [
                nil, nil, nil, .team(.acme), .group(.acme, "design"), .team(.other), .nobody, .everyone,
            ]
            let need = try partial.add(
                TreeEntry(
                    index: index, parent: parent, name: name, kind: kind, permissions: permissions, modified: someTime,
                    restriction: restrictions.randomElement(using: &generator) ?? nil))
            switch kind {
            case .folder: folders.append(index)
            case .file(let size): if need != .nothing { open.append((index, size, 0)) }
            case .symbolicLink, .hardLink: break
            }
            next += 1
        }

        private mutating func write(to partial: PartialItem) throws {
            guard !open.isEmpty else { return }
            let place = Int.random(in: 0..<open.count, using: &generator)
            let file = open[place]
            let room = file.size.map { $0 - min(file.taken, $0) } ?? 100
            let count = seldom() ? 101 : Int.random(in: 0...Int(min(room, 100)), using: &generator)
            let offset = seldom() ? UInt64.random(in: 0...UInt64.max, using: &generator) : file.taken
            try partial.write(file.index, at: offset, String(repeating: "x", count: count))
            open[place].taken += UInt64(count)
        }

        private mutating func finish(_ partial: PartialItem) throws {
            guard var file = open.popLast() else { return }
            if let size = file.size, file.taken < size, !seldom() {
                try partial.write(
                    file.index, at: file.taken, String(repeating: "y", count: Int(min(size - file.taken, 1000))))
                file.taken = size
            }
            try partial.finish(file.index, size: seldom() ? file.taken &+ 1 : file.taken)
        }
    }
}
