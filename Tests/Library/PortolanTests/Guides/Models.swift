import Foundation
import Portolan

// Model types as programs for Apple's platforms write them, one for each way that the guides to Transferable show.
// Nothing in this file knows of Portolan but the import.

extension UTType {
    static var profile: UTType { UTType(exportedAs: "com.example.profile", conformingTo: .json) }
    static var todo: UTType { UTType(exportedAs: "com.example.todo", conformingTo: .data) }
}

/// Its own program gets the model, others get text.
struct Profile: Codable, Equatable, Transferable {
    var id: UUID
    var name: String
    var phoneNumber: String

    static var transferRepresentation: some TransferRepresentation {
        CodableRepresentation(contentType: .profile)
        ProxyRepresentation(exporting: \.name)
    }
}

/// A table, where there is anything to put into one.
struct ProfilesArchive: Codable, Equatable, Transferable {
    var profiles: [Profile]

    var supportsCSV: Bool { !profiles.isEmpty }

    init(profiles: [Profile]) {
        self.profiles = profiles
    }

    init(csv: Data) throws {
        guard let text = String(data: csv, encoding: .utf8) else { throw CocoaError(.fileReadCorruptFile) }
        profiles = try text.split(separator: "\n").map { line in
            let fields = line.split(separator: ",").map(String.init)
            guard fields.count == 3, let id = UUID(uuidString: fields[0]) else {
                throw CocoaError(.fileReadCorruptFile)
            }
            return Profile(id: id, name: fields[1], phoneNumber: fields[2])
        }
    }

    func convertToCSV() throws -> Data {
        Data(profiles.map { "\($0.id),\($0.name),\($0.phoneNumber)" }.joined(separator: "\n").utf8)
    }

    static var transferRepresentation: some TransferRepresentation {
        DataRepresentation(contentType: .commaSeparatedText) { archive in
            try archive.convertToCSV()
        } importing: { data in
            try ProfilesArchive(csv: data)
        }
        .exportingCondition { $0.supportsCSV }
        .suggestedFileName("profiles.csv")
    }
}

/// A large file that is never in memory; the receiver keeps a copy.
struct Video: Transferable {
    var file: URL

    static var transferRepresentation: some TransferRepresentation {
        FileRepresentation(contentType: .mpeg4Movie) { video in
            SentTransferredFile(video.file)
        } importing: { received in
            let copy = FileManager.default.temporaryDirectory
                .appendingPathComponent("video-\(UUID().uuidString).mp4")
            try FileManager.default.copyItem(at: received.file, to: copy)
            return Video(file: copy)
        }
    }
}

/// Exports the bytes of a file for receivers that want contents, and a reference for those that want a link.
struct Attachment: Transferable {
    var file: URL

    static var transferRepresentation: some TransferRepresentation {
        FileRepresentation(exportedContentType: .pdf) { SentTransferredFile($0.file) }
        ProxyRepresentation(exporting: \.file)
    }
}

/// Several representations of one document, some of them with restricted visibility.
struct TaxInfo: Codable, Equatable, Transferable {
    var year: Int
    var total: Int

    static var transferRepresentation: some TransferRepresentation {
        CodableRepresentation(contentType: .json)
            .visibility(.ownProcess)
        DataRepresentation(exportedContentType: .commaSeparatedText) { Data("\($0.year),\($0.total)".utf8) }
            .visibility(.team)
        ProxyRepresentation { (info: TaxInfo) in "Taxes of \(info.year)" }
    }
}

/// Value with three representations: itself, a file, a text.
struct Todo: Codable, Equatable, Transferable {
    var title: String
    var isDone: Bool

    /// Destination of its page.
    var page: URL { FileManager.default.temporaryDirectory.appendingPathComponent("todo-\(title).html") }

    static var transferRepresentation: some TransferRepresentation {
        CodableRepresentation(contentType: .todo)
        FileRepresentation(exportedContentType: .html) { todo in
            try Data("<p>\(todo.title)</p>".utf8).write(to: todo.page)
            return SentTransferredFile(todo.page)
        }
        ProxyRepresentation(exporting: \.title)
    }
}

/// Dropped value, with the richest kind first.
enum DroppableItem: Equatable, Transferable {
    case none
    case todo(Todo)
    case url(URL)
    case text(String)

    static var transferRepresentation: some TransferRepresentation {
        ProxyRepresentation { DroppableItem.todo($0) }
        ProxyRepresentation { DroppableItem.url($0) }
        ProxyRepresentation { DroppableItem.text($0) }
    }
}
