import Foundation
import NodeTestSupport
import Portolan
import PortolanProtocol
import Synchronization
import Testing

/// The guides' model types, in this process and from one peer to another.
@Suite(.serialized) struct GuideTests {
    private let profile = Profile(id: UUID(), name: "Ada", phoneNumber: "555")
    private let todo = Todo(title: "Write \(UUID().uuidString)", isDone: true)

    /// Sends a value, and returns what the other side made of it and which representation it took.
    private func carry<Sent: Transferable, Value: Transferable>(
        _ value: Sent, as type: Value.Type = Value.self
    ) async throws -> (value: Value, representation: Int) {
        var taken: Int?
        var result: Value?
        try await Pair.with { pair in
            let taking = Taking()
            result = try await pair.receive(Value.self) { node, peer in
                let delivery = try await node.send(value, to: peer)
                if case .stored(_, let representation) = delivery.outcome { taking.set(representation) }
            }.value
            taken = taking.value
        }
        return (try #require(result), try #require(taken))
    }

    @Test("Profile: its own program gets the model, every other one gets the name")
    func profiles() async throws {
        #expect(Profile.exportedContentTypes() == [.profile, .utf8PlainText])
        #expect(try await Profile(importing: profile.exported(as: .profile), contentType: .profile) == profile)
        #expect(try await profile.exported(as: .plainText) == Data("Ada".utf8))
        #expect(try await carry(profile, as: Profile.self) == (profile, 0))
        #expect(try await carry(profile, as: String.self) == ("Ada", 1))
    }

    @Test("ProfilesArchive: an empty one has no table to offer, here or over the wire")
    func archives() async throws {
        let archive = ProfilesArchive(profiles: [profile, Profile(id: UUID(), name: "Bob", phoneNumber: "556")])
        #expect(archive.suggestedFilename == "profiles.csv")
        #expect(try await ProfilesArchive(importing: archive.exported(as: nil), contentType: nil) == archive)
        #expect(try await carry(archive, as: ProfilesArchive.self).value == archive)

        let empty = ProfilesArchive(profiles: [])
        #expect(empty.exportedContentTypes().isEmpty)
        #expect(ProfilesArchive.exportedContentTypes() == [.commaSeparatedText])
        try await Pair.with { pair in
            try await pair.decline("", ProfilesArchive.self) { node, peer in
                await #expect(throws: (any Error).self) { _ = try await node.send(empty, to: peer) }
            }
        }
    }

    @Test("Video: a file goes as a file, is never in memory, and is the importer's only while it imports")
    func videos() async throws {
        try await Pair.with { pair in
            try FileManager.default.createDirectory(at: pair.root, withIntermediateDirectories: true)
            let film = pair.root.appending(path: "film.mp4")
            // Larger than what a node holds in memory of one item, on either side.
            let frames = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
            try frames.write(to: film)
            let item = try Item(Video(file: film))
            guard case .file = item.representations[0].content else {
                Issue.record("a video is offered from memory")
                return
            }
            let received = try await pair.receive(Video.self) { node, peer in
                let delivery = try await node.send(Video(file: film), to: peer)
                #expect(delivery.isStored)
            }
            defer { try? FileManager.default.removeItem(at: received.value.file) }
            #expect(try Data(contentsOf: received.value.file) == frames)
        }
    }

    @Test("Attachment: contents for importers of contents, and a mere reference for importers of a URL")
    func attachments() async throws {
        try await Pair.with { pair in
            try FileManager.default.createDirectory(at: pair.root, withIntermediateDirectories: true)
            let file = pair.root.appending(path: "paper.pdf")
            try Data("%PDF".utf8).write(to: file)
            let contents = try await pair.receive(Data.self) { node, peer in
                _ = try await node.send(Attachment(file: file), to: peer)
            }
            #expect(contents.value == Data("%PDF".utf8))
            let reference = try await pair.receive(URL.self) { node, peer in
                _ = try await node.send(Attachment(file: file), to: peer)
            }
            #expect(reference.value == file)
        }
    }

    @Test("TaxInfo: a stranger sees neither the form for the team nor the one of the process")
    func taxes() async throws {
        let info = TaxInfo(year: 2026, total: 7)
        #expect(info.exportedContentTypes(.ownProcess) == [.json, .commaSeparatedText, .utf8PlainText])
        #expect(info.exportedContentTypes() == [.utf8PlainText])
        #expect(try await carry(info, as: String.self) == ("Taxes of 2026", 2))
        try await Pair.with { pair in
            try await pair.decline("", TaxInfo.self, accepting: true) { node, peer in
                guard case .declined(let decline, _) = try await node.send(info, to: peer).outcome else {
                    Issue.record("a hidden form was sent")
                    return
                }
                #expect(decline.reason == .nothingInCommon)
            }
        }
    }

    @Test("Todo: each receiver gets the richest of model, file and text that it imports")
    func todos() async throws {
        defer { try? FileManager.default.removeItem(at: todo.page) }
        #expect(Todo.exportedContentTypes() == [.todo, .html, .utf8PlainText])
        #expect(try await carry(todo, as: Todo.self) == (todo, 0))
        #expect(try await carry(todo, as: Page.self) == (Page(source: "<p>\(todo.title)</p>"), 1))
        #expect(try await carry(todo, as: String.self) == (todo.title, 2))
    }

    @Test("DroppableItem: one destination takes several kinds, each as the richest it can be")
    func droppableItems() async throws {
        let url = try #require(URL(string: "https://example.com"))
        #expect(DroppableItem.importedContentTypes() == [.todo, .url, .fileURL, .utf8PlainText])
        #expect(try await carry(todo, as: DroppableItem.self) == (.todo(todo), 0))
        #expect(try await carry(url, as: DroppableItem.self) == (.url(url), 0))
        #expect(try await carry("words", as: DroppableItem.self) == (.text("words"), 0))
    }
}

/// Reads the received file.
private struct Page: Equatable, Transferable {
    var source: String

    static var transferRepresentation: some TransferRepresentation {
        FileRepresentation(importedContentType: .html) { received in
            Page(source: try String(contentsOf: received.file, encoding: .utf8))
        }
    }
}

private final class Taking: Sendable {
    private let taken = Mutex<Int?>(nil)
    var value: Int? { taken.withLock(\.self) }
    func set(_ representation: Int) { taken.withLock { $0 = representation } }
}
