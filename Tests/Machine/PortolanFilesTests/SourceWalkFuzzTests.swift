import Glibc
import TestSupport
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

/// Random trees: every way to walk them gives the same entries.
@Suite(.aside) struct SourceWalkFuzzTests {
    let temporary = TemporaryFolder.inMemory()

    private static let names: [[UInt8]] =
        ["a", "b", "Z", "-", "caf\u{E9}", "cafe\u{301}", ".hidden", "with space", "line\nbreak", ".portolan-partial-x"]
        .map { Array($0.utf8) } + [[0x61, 0xFF], [UInt8](repeating: 0x6E, count: 255)]

    @Test func allWaysToWalkATreeGiveTheSame() throws {
        let seed = testSeed()
        var generator = SeededGenerator(seed: seed)
        var files = 0
        var omitted = 0
        for round in 0..<40 {
            let path = temporary.folder("\(round)")
            let root = open(path, O_RDONLY | O_DIRECTORY)
            defer { close(root) }
            var made: [String] = []
            try fill(root, path, depth: 0, &made, &generator)
            let plain = try Walk(path, SourceOptions(), .detected)
            files += plain.content.count
            omitted += plain.omissions.count
            for kernel in WalkMethod.kernels {
                for number in 0..<8 {
                    let options = SourceOptions(
                        looking: number & 1 != 0, hardLinks: number & 2 != 0, attributes: number & 4 != 0)
                    let other = try Walk(path, options, kernel)
                    let context: Comment = "seed \(seed), round \(round), \(options)"
                    #expect(other.lines == plain.lines && other.content == plain.content, context)
                    // Attributes are missing where they are not sent; they are not read for a further name of a file.
                    let carried = SourceOptions(hardLinks: options.hardLinks, attributes: options.attributes)
                    #expect(try other.omissions == Walk(path, carried, .detected).omissions, context)
                }
            }
        }
        #expect(files > 80 && omitted > 20, "seed \(seed): \(files) files, \(omitted) omissions")
    }

    /// Entries that a walk found, hard links counted as files.
    private struct Walk {
        var lines: [String] = []
        var content: [UInt32: [UInt8]] = [:]
        var omissions: [String]

        init(_ path: String, _ options: SourceOptions, _ kernel: KernelFeatures) throws {
            let tree = try SourceTree(path: path, options: options, features: kernel)
            let (entries, omissions) = try WalkMethod.all(tree)
            self.omissions = omissions
            for source in entries {
                let entry = source.entry
                var kind = entry.kind
                if case .hardLink(let target) = kind {
                    let file = entries[Int(target)].entry
                    #expect(options.hardLinks && file.isLinkTarget && target < entry.index)
                    kind = file.kind
                    content[entry.index] = content[target]
                } else if case .file = kind {
                    #expect((source.file == nil) == (options.looking && entry.index != 0))
                    content[entry.index] = try source.open().content()
                }
                #expect(options.attributes || entry.attributes.isEmpty)
                lines.append(
                    "\(entry.index) \(entry.parent) \(entry.name) \(kind) \(entry.permissions) \(entry.modified)")
            }
        }
    }

    private func fill(
        _ folder: CInt, _ path: String, depth: Int, _ made: inout [String], _ generator: inout SeededGenerator
    ) throws {
        let count = Int.random(in: depth == 0 ? 6...10 : 0...6, using: &generator)
        for bytes in Self.names.shuffled(using: &generator).prefix(count) {
            let name = bytes.map { CChar(bitPattern: $0) } + [0]
            switch Int.random(in: 0..<12, using: &generator) {
            case 0..<3 where depth < 4:
                #expect(mkdirat(folder, name, 0o700) == 0)
                let inner = openat(folder, name, O_RDONLY | O_DIRECTORY)
                defer { close(inner) }
                try fill(inner, path, depth: depth + 1, &made, &generator)
            case 3..<5:
                let target = ["a", "../a", "../../../../a", "/a", "./b", "x/../y"].randomElement(using: &generator)
                #expect(symlinkat(target ?? "a", folder, name) == 0)
            case 5: #expect(mkfifoat(folder, name, 0o600) == 0)
            case 6..<8 where !made.isEmpty:
                #expect(linkat(AT_FDCWD, made.randomElement(using: &generator) ?? "", folder, name, 0) == 0)
            default:
                let file = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL, 0o600)
                #expect(file >= 0)
                let content = [UInt8](repeating: bytes[0], count: Int.random(in: 0...9000, using: &generator))
                #expect(write(file, content, content.count) == content.count)
                #expect(fchmod(file, mode_t(Int.random(in: 0...0o777, using: &generator) | 0o400)) == 0)
                // Another folder from which hard links to the file can be made.
                let handle = "\(temporary.path)/hidden \(generator.next())"
                if Bool.random(using: &generator), linkat(folder, name, AT_FDCWD, handle, 0) == 0 {
                    made.append(handle)
                }
                if Bool.random(using: &generator) {
                    _ = setAttribute(Array("user.colour".utf8), of: handle, to: [1, 2, 3])
                }
                close(file)
            }
        }
    }
}
