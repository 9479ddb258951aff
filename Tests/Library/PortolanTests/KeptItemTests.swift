import Foundation
import Glibc
import NodeTestSupport
import PortolanFiles
import PortolanProtocol
import PortolanValues
import Testing

@testable import Portolan

/// Shared items as data: written down, and put back by another process.
@Suite(.serialized) struct KeptItemTests {
    private func withNode(_ body: (Node, URL) async throws -> Void) async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "portolan-kept-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        try await body(try Node(blocking: .onLoopback("ada", home: root.appending(path: "home"))), root)
    }

    private func note(_ root: URL) async throws -> Item {
        let file = root.appending(path: "note.html")
        try Data("<p>hello</p>".utf8).write(to: file)
        var item = Item(
            title: nil,
            representations: [
                try await .file(at: file.path), .data(Data("hello".utf8), contentType: .plainText, visibility: .team),
            ])
        item.preview = try CandidatePreview(message: "Look")
        return item
    }

    @Test("an item reads back as it was written, with restrictions that no later default team changes")
    func roundTrip() async throws {
        try await withNode { node, root in
            let kept = try await node.kept(note(root))
            let read = try KeptItem(document: kept.document())
            #expect(read == kept)
            #expect(read.shownTitle == "note.html" && read.path == root.appending(path: "note.html").path)
            #expect(read.audience(naming: [:]) == "everybody, own-process", "this device is in no team")
            let item = try await node.open(read)
            #expect(item.representations.map(\.requested) == [.exactly(.everyone), .exactly(.nobody)])
            #expect(item.representations.map(\.size) == [12, 5])
            #expect(item.preview?.message == "Look" && item.title == "note.html")
            #expect(try await node.kept(.text("hello")).audience(naming: [:]) == nil)
        }
    }

    @Test("an item that became something else meanwhile is refused, and one that is away is not")
    func replaced() async throws {
        try await withNode { node, root in
            let kept = try await node.kept(note(root))
            let (file, away) = (root.appending(path: "note.html").path, root.appending(path: "away").path)
            #expect(rename(file, away) == 0)
            #expect(try await node.open(kept).representations[0].size == nil)
            #expect(symlink(away, file) == 0)
            let error = await #expect(throws: FileError.self) { try await node.open(kept) }
            #expect(error?.kind == .sourceChanged)
            #expect(unlink(file) == 0 && rename(away, file) == 0)
            #expect(try await node.open(kept).representations[0].size == 12)
        }
    }

    @Test("a form that can be read only once, or is made when it is taken, cannot be kept")
    func unkeepable() async throws {
        try await withNode { node, _ in
            let stream = try await Item.stream(STDIN_FILENO, contentType: .data, suggestedName: "input")
            let made = Item(
                title: "made", representations: [ItemRepresentation(contentType: .png, content: .bytes { Data() })])
            for item in [stream, made, Item(title: "empty", representations: [])] {
                let error = await #expect(throws: NodeError.self) { try await node.kept(item) }
                #expect(error?.kind == .badInput)
            }
            let large = try await node.kept(.text(String(repeating: "x", count: KeptItem.sizeLimit)))
            #expect(throws: ValueError.self) { try large.document() }
        }
    }

    @Test("a document that is none, is damaged or is of another version is refused")
    func damaged() async throws {
        try await withNode { node, root in
            let document = try await node.kept(note(root)).document()
            func damaged(_ reason: String) -> ValueError { ValueError("The shared item cannot be read: \(reason).") }
            func refusal(_ change: (inout [String: Any]) -> Void) throws -> ValueError? {
                var object = try #require(JSONSerialization.jsonObject(with: Data(document)) as? [String: Any])
                change(&object)
                let changed = try Array(JSONSerialization.data(withJSONObject: object))
                return #expect(throws: ValueError.self) { try KeptItem(document: changed) }
            }
            #expect(try refusal { $0["version"] = 2 }?.description.contains("version 2") == true)
            #expect(try refusal { $0["format"] = "portolan parcel" } == damaged("it is no shared item"))
            #expect(try refusal { $0["forms"] = [] } == damaged("it has 0 forms"))
            #expect(try refusal { $0["forms"] = nil } == damaged("it has not the form of one"))
            let wrongSource = try refusal { object in
                var forms = object["forms"] as? [[String: Any]] ?? []
                forms[1]["source"] = forms[0]["source"]
                object["forms"] = forms
            }
            #expect(wrongSource == damaged("a form of it has another source than it says"))
            #expect(throws: ValueError.self) { try KeptItem(document: Array(document.dropLast())) }
            #expect(throws: ValueError.self) {
                try KeptItem(document: [UInt8](repeating: 0, count: KeptItem.sizeLimit + 1))
            }
        }
    }
}
