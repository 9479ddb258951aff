import Foundation
import UniformTypeIdentifiers

/// Sorts files into groups by the types of their names.
func shelves(_ files: [URL]) -> [String: [String]] {
    let kinds: [(type: UTType, shelf: String)] = [
        (.image, "pictures"), (.audiovisualContent, "films"), (.sourceCode, "programs"), (.text, "papers"),
        (.pdf, "papers"),
    ]
    let shelved = files.map { file in
        let type = UTType(filenameExtension: file.pathExtension) ?? .data
        // The first that fits: a source is a text, too.
        return (kinds.first { type.conforms(to: $0.type) }?.shelf ?? "rest", file.lastPathComponent)
    }
    return Dictionary(grouping: shelved, by: \.0).mapValues { $0.map(\.1).sorted() }
}
