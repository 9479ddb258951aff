import Foundation
import Glibc
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

/// A shared path that a later process finds again.
@Suite struct HeldSourceCodingTests {
    let temporary = TemporaryFolder()

    init() {
        temporary.folder("open")
        temporary.file("open/note.txt", "public")
        temporary.file("secret", "secret", mode: 0o600)
        temporary.folder("open/tree")
        temporary.link("link.txt", to: "open/note.txt")
    }

    private func held(_ path: String) throws -> HeldSource { try HeldSource(path: temporary(path)) }

    /// Returns the held source as a later process would decode it, after `change` has edited its document.
    private func read(_ held: HeldSource, _ change: (inout [String: Any]) -> Void = { _ in }) throws -> HeldSource {
        var object = try #require(JSONSerialization.jsonObject(with: JSONEncoder().encode(held)) as? [String: Any])
        change(&object)
        return try JSONDecoder().decode(HeldSource.self, from: JSONSerialization.data(withJSONObject: object))
    }

    @Test(arguments: ["open/note.txt", "open/tree", "link.txt", "."])
    func aLaterProcessFindsTheSame(path: String) throws {
        let held = try held(path)
        let later = try read(held)
        #expect(later == held)
        #expect(later.renumbered() == held)
        #expect(try later.look() == held.look())
    }

    @Test func replacedSourceIsNotUsed() throws {
        let (file, folder, linked) = (try held("open/note.txt"), try held("open/tree"), try held("link.txt"))
        #expect(rename(temporary("open/note.txt"), temporary("open/old")) == 0)
        temporary.link("open/note.txt", to: temporary("secret"))
        #expect(rename(temporary("open/tree"), temporary("open/away")) == 0)
        temporary.folder("open/tree")
        for held in [file, folder, linked] {
            let later = try read(held).renumbered()
            #expect(kind { _ = try later.look() } == .sourceChanged, "\(held.path)")
        }
    }

    @Test(arguments: ["open/note.txt", "open/tree"])
    func changedFileSystemNumberIsAccepted(path: String) throws {
        let later = try read(try held(path)) { object in
            for key in ["device", "parent-device"] { object[key] = (object[key] as? UInt64 ?? 0) + 1 }
        }
        #expect(kind { _ = try later.look() } == .sourceChanged)
        #expect(throws: Never.self) { try later.renumbered().look() }
        for key in path.hasSuffix("txt") ? ["parent-inode"] : ["parent-inode", "inode"] {
            let other = try read(later) { $0[key] = ($0[key] as? UInt64 ?? 0) + 1 }
            #expect(kind { _ = try other.renumbered().look() } == .sourceChanged, "\(key)")
        }
    }

    @Test func relativePathIsRefused() throws {
        let held = try held("open/note.txt")
        for key in ["path", "resolved"] {
            for path in ["open/note.txt", "", "/a\u{0}b"] {
                #expect(throws: DecodingError.self) { try read(held) { $0[key] = path } }
            }
        }
    }
}
