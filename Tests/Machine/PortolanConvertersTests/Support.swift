import Foundation
import Testing
import UniformTypeIdentifiers

@testable import PortolanConverters

/// A folder with programs, content and a place for results; removed after the test.
final class Workshop: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/portolan-converters-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { fatalError("no temporary folder") }
        path = String(cString: made)
        for folder in ["tools", "outside"] { #expect(mkdir("\(path)/\(folder)", 0o755) == 0) }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var cacheFolder: String { "\(path)/cache/converted" }
    var tools: ToolSearch { ToolSearch(path: "\(path)/tools:/usr/bin:/bin") }

    /// Entries in the folder of results, except results.
    var leftovers: [String] { list(cacheFolder).filter { !$0.hasPrefix("made-") } }
    var kept: [String] { list(cacheFolder).filter { $0.hasPrefix("made-") } }

    @discardableResult
    func file(_ name: String, _ content: String = "content") -> String {
        #expect(FileManager.default.createFile(atPath: "\(path)/\(name)", contents: Data(content.utf8)))
        return "\(path)/\(name)"
    }

    /// Makes a program that is a script.
    func tool(_ name: String, _ script: String, interpreter: String = "/bin/sh") {
        let tool = file("tools/\(name)", "#!\(interpreter)\n\(script)\n")
        #expect(chmod(tool, 0o755) == 0)
        waitForWriters(of: tool)
    }

    /// Waits until no process has a file open for writing: the kernel starts no such program. A child that another test
    /// starts has the descriptor of the writer until it runs its own program.
    private func waitForWriters(of file: String) {
        let reader = open(file, O_RDONLY | O_CLOEXEC)
        defer { close(reader) }
        // A lease for reading is refused while there is a writer.
        let (lease, read, none) = (Int32(1024), Int32(F_RDLCK), Int32(F_UNLCK))
        while fcntl(reader, lease, read) != 0 {
            guard errno == EAGAIN else { return }
            usleep(1000)
        }
        _ = fcntl(reader, lease, none)
    }

    func conversions(
        layers: Confinement = .onThisMachine, limits: ConversionCache.Limits = .usual, concurrency: Int = 2
    ) -> Conversions {
        Conversions(
            cacheFolder: CacheFolder(cacheFolder, preparedBy: makePrivate), limits: limits, tools: tools,
            concurrency: concurrency, layers: layers.intersection(.onThisMachine), digest: testDigest)
    }

    /// Converts a file with a script, which gets the paths of input and output.
    func convert(
        _ script: String, content: String = "content", to: UTType = .html, time: Duration = .unlimited,
        size: UInt64 = 1 << 20, layers: Confinement = .onThisMachine, interpreter: String = "/bin/sh"
    ) async throws -> ConvertedFile {
        tool("tool", script, interpreter: interpreter)
        return try await conversions(layers: layers).convert(
            file("source", content), of: .plainText, by: converter(to: to, time: time, size: size))
    }

    /// Runs ``convert(_:content:to:time:size:layers:interpreter:)`` and returns its error.
    func failure(
        _ script: String, content: String = "content", time: Duration = .unlimited, size: UInt64 = 1 << 20,
        layers: Confinement = .onThisMachine
    ) async -> ConverterError? {
        do {
            let made = try await convert(script, content: content, time: time, size: size, layers: layers)
            Issue.record("this was made: \(made)")
            return nil
        } catch {
            return error as? ConverterError
        }
    }

    private func list(_ folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }
}

extension Duration {
    /// Time limit for tools that are waited for: on a busy machine their work before the end takes long.
    static let unlimited = Duration.seconds(3600)
}

func converter(
    _ command: [String] = ["tool", "{input}", "{output}"], from: UTType = .plainText, to: UTType = .html,
    time: Duration = .unlimited, size: UInt64 = 1 << 20, reads: [String] = []
) -> Converter {
    Converter(
        from: from, to: to, command: command, timeLimit: time, sizeLimit: size,
        memoryLimit: ConverterDeclarations.usualMemoryLimit, reads: reads, declaredIn: "test.plist")
}

func text(_ file: ConvertedFile) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: file.path)), as: UTF8.self)
}

/// Makes a folder of results that others may not enter.
@Sendable private func makePrivate(_ path: String) throws(CacheFolder.Failure) {
    do {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
        throw CacheFolder.Failure("\(error)")
    }
}

/// FNV-1a, which is sufficient without attackers.
let testDigest: ContentDigestFunction = { next in
    var state: UInt64 = 0xCBF2_9CE4_8422_2325
    while let piece = try next() {
        for byte in piece { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
    return withUnsafeBytes(of: state.bigEndian, Array.init)
}

/// Waits for a condition, without a time limit for busy machines.
func eventually(_ condition: () -> Bool) async throws -> Bool {
    for _ in 0..<30_000 {
        if condition() { return true }
        try await Task.sleep(for: .milliseconds(10))
    }
    return false
}

/// True if a process runs with `argument` among its arguments.
func isRunning(_ argument: String) -> Bool {
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return processes.contains { process in
        guard Int(process) != nil, let line = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") else {
            return false
        }
        return line.split(separator: 0).contains { String(decoding: $0, as: UTF8.self) == argument }
    }
}

/// Sets of layers that a machine may have, for tests that must hold with each.
let someLayers: [Confinement] = [.onThisMachine, [.landlock, .filter], [.namespaces, .readOnly], [.filter], []]
