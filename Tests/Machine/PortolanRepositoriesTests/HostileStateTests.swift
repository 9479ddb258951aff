import Foundation
import Testing

@testable import PortolanRepositories

/// States, objects and folders of writers that no device of this program writes.
@Suite(.serialized) struct HostileStateTests {
    private static let writer = "0123456789abcdef"
    private static let value = String(repeating: "a", count: 40)
    private static let good =
        """
        portolan-repository 1
        device x
        format sha1
        frames 1 40
        head ref:refs/heads/main \(writer):1
        index \(value) -
        ref \(value) \(writer):2 refs/heads/main
        ref - \(writer):1 refs/tags/v
        end

        """

    @Test("A state is read as it was written")
    func round() throws {
        let state = try #require(RepositoryState(Self.good))
        #expect(state.text == Self.good)
        #expect(state.headCommit?.text == Self.value)
        #expect(state.refs.count == 2)
    }

    @Test(
        "A text that is no state is refused",
        arguments: [
            ("end\n", ""), ("portolan-repository 1", "portolan-repository 2"), ("format sha1", "format md5"),
            ("frames 1 40", "frames 1 -1"), ("frames 1 40", "frames 1 18446744073709551615"),
            ("frames 1 40", "frames ../../hooks 40"), ("frames 1 40", "frames 4294967296 40"),
            ("refs/heads/main \(writer):1", "refs/heads/main \(writer):0"),
            ("refs/heads/main \(writer):1", "refs/heads/main \(writer):18446744073709551615"),
            ("refs/tags/v", "refs/heads/main"), ("refs/tags/v", "refs/portolan/x"), ("refs/tags/v", "HEAD"),
            ("refs/tags/v", "refs/heads/a b"), ("index \(value)", "index \(value)0"),
            ("index \(value)", "index \(String(repeating: "A", count: 40))"),
            ("index \(value)", "index \(String(repeating: "a", count: 64))"), ("index", "run"), ("end\n", "end\n\n"),
        ])
    func texts(old: String, new: String) {
        let text = Self.good.replacingOccurrences(of: old, with: new)
        #expect(text != Self.good)
        #expect(RepositoryState(text) == nil)
    }

    @Test(
        "Names of references that lead elsewhere, or that git does not allow, are refused",
        arguments: [
            "refs", "refs/", "heads/main", "refs/../config", "refs/heads/..", "refs/heads/a..b", "refs/heads/.a",
            "refs/heads/a.lock", "refs/heads/a.", "refs/heads//a", "refs/heads/a/", "refs/heads/a@{1}",
            "refs/heads/a~1", "refs/heads/a^", "refs/heads/a:b", "refs/heads/a?", "refs/heads/*", "refs/heads/[a",
            #"refs/heads/a\b"#,
            "refs/heads/a\nb", "refs/heads/a\0b", "refs/heads/a b", "refs/heads/\u{7F}",
            "refs/heads/" + String(repeating: "a", count: 251),
        ])
    func names(name: String) {
        #expect(RefName(name) == nil)
    }

    /// Two devices with a repository that has come from the first to the second.
    private func devices() throws -> (TestWorld, GitDevice, GitDevice) {
        let world = try TestWorld()
        let (first, second) = (GitDevice("laptop", in: world), GitDevice("desk", in: world))
        try first.git("init", "-q", "-b", "main")
        try first.commit("one")
        try first.send(to: second)
        return (world, first, second)
    }

    private func writers(_ device: GitDevice) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(device.path)/.git/portolan").sorted()
    }

    @Test("Damaged objects come into no repository, and move nothing", arguments: 0..<8)
    func objects(part: Int) throws {
        let (_, first, second) = try devices()
        let writer = try #require(try writers(first).first)
        try first.commit("two")
        try first.exchange()
        let file = URL(fileURLWithPath: "\(first.path)/.git/portolan/\(writer)/frames-1")
        var bytes = try Data(contentsOf: file)
        bytes[bytes.count - 1 - part * bytes.count / 20] ^= 0x10
        try bytes.write(to: file)
        try first.carry(to: second, files: false)
        let outcome = try second.exchange()
        #expect(outcome.waits.map(\.reason) == [.incomplete])
        #expect(try second.git("log", "-1", "--format=%s") == "one")
        try second.isSound()
    }

    @Test("A state whose objects are not there moves nothing", arguments: ["frames 1 40", "pack 7 90000000000"])
    func missing(file: String) throws {
        let (_, _, second) = try devices()
        let folder = "\(second.path)/.git/portolan/\(Self.writer)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let text = Self.good.replacingOccurrences(of: "frames 1 40", with: file)
        try text.write(toFile: "\(folder)/state", atomically: true, encoding: .utf8)
        #expect(try second.exchange().waits.map(\.reason) == [.incomplete])
        try text.replacingOccurrences(of: file + "\n", with: "")
            .write(toFile: "\(folder)/state", atomically: true, encoding: .utf8)
        #expect(try second.exchange().waits.map(\.reason) == [.incomplete])
        #expect(try second.git("log", "-1", "--format=%s") == "one")
        #expect(try second.status().isEmpty)
    }

    @Test("A link in the place of a writer, or of its files, is not followed")
    func links() throws {
        let (_, first, second) = try devices()
        let folder = "\(second.path)/.git/portolan"
        let writer = try #require(try writers(first).first)
        try FileManager.default.moveItem(atPath: "\(folder)/\(writer)/state", toPath: "\(second.path)/state")
        #expect(symlink("\(second.path)/state", "\(folder)/\(writer)/state") == 0)
        #expect(symlink("\(first.path)/.git/portolan/\(writer)", "\(folder)/\(Self.writer)") == 0)
        try first.commit("two")
        try first.exchange()
        try second.exchange()
        #expect(try second.git("log", "-1", "--format=%s") == "one")
    }

    @Test("A device whose writer others removed goes on with a new one while others tell something, and else is silent")
    func removed() throws {
        let (_, first, second) = try devices()
        let writer = try #require(try writers(first).first)
        try second.exchange()
        try second.carry(to: first, files: false)
        try FileManager.default.removeItem(atPath: "\(first.path)/.git/portolan/\(writer)")
        #expect(try !first.exchange().isForgotten)
        #expect(try writers(first).count == 2)
        try FileManager.default.removeItem(atPath: "\(first.path)/.git/portolan")
        #expect(try first.exchange().isForgotten)
        #expect(!first.has(".git/portolan"))
        try first.commit("two")
        #expect(try !first.exchange().isForgotten)
        try first.carry(to: second)
        try second.exchange()
        #expect(try second.git("log", "-1", "--format=%s") == "two")
    }

    @Test("A repository that was brought back from a copy comes forward, and its earlier state takes nothing back")
    func copied() throws {
        let (world, first, second) = try devices()
        let copy = GitDevice("copy", in: world)
        try first.git("config", "core.fileMode", "true")
        _ = try FileManager.default.removeItem(atPath: copy.path)
        try FileManager.default.copyItem(atPath: first.path, toPath: copy.path)
        try first.commit("two")
        try first.send(to: second)
        try FileManager.default.removeItem(atPath: first.path)
        try FileManager.default.moveItem(atPath: copy.path, toPath: first.path)
        try first.exchange()
        // The other device's files of this one come back with the folder.
        try second.carry(to: first)
        try first.exchange()
        #expect(try first.git("log", "-1", "--format=%s") == "two")
        try first.send(to: second)
        #expect(try second.git("log", "-1", "--format=%s") == "two")
        #expect(try second.exchange().apart.isEmpty)
    }
}
