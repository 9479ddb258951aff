import Foundation
import PortolanFiles
import PortolanProtocol

/// Reader of content that is small enough to go with its offer, or whole on the session. Runs where blocking calls are
/// allowed.
struct InlineReader {
    /// Most entries of a folder to read: the reading is wasted if the folder does not fit.
    private static let mostEntries = 256

    let manner: SendingManner
    let filter: SourceFilter
    /// Number in the tree record; 0 for a record within an offer.
    var transfer: UInt32 = 0

    /// Content of a representation, and its parts that the receiver may not see.
    struct Result {
        let content: InlineContent
        /// Bytes of the data, or of all files.
        let bytes: Int
        let withheld: WithholdingReport
    }

    /// - Parameters:
    ///   - room: bytes that the content may have.
    /// - Returns: nil for content that is larger, cannot be read whole, or differs from the offer: this is detected,
    ///   and reported, when it is sent.
    func read(_ source: OfferedContent, as offered: OfferedRepresentation, at place: Int, room: Int) -> Result? {
        // Content with its own rate limit is not sent inline.
        guard manner.pacing == nil else { return nil }
        do {
            switch source {
            case .bytes(let data):
                guard data.count <= min(UInt64(room), offered.size ?? .max) else { return nil }
                let content = try InlineContent(
                    representation: place, name: Array((offered.suggestedName ?? "").utf8), content: data)
                return Result(content: content, bytes: data.count, withheld: WithholdingReport())
            case .file(let path, let disk, _):
                return try read(
                    SourceTree(
                        path: path, shownTo: offered.restriction, filter: filter,
                        options: SourceOptions(hardLinks: true, attributes: manner.attributes), on: disk),
                    as: offered, at: place, room: room)
            case .contents, .stream: return nil
            }
        } catch {
            return nil
        }
    }

    private func read(
        _ source: SourceTree, as offered: OfferedRepresentation, at place: Int, room: Int
    ) throws -> Result? {
        guard source.isFolder == offered.isFolder, source.size ?? 0 <= min(UInt64(room), offered.apparentSize ?? .max),
            source.contentSize ?? 0 <= offered.size ?? .max, room > TreeReader.headerLength
        else { return nil }
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 1)
        defer { memory.deallocate() }
        var writer = TreeWriter(memory, transfer: transfer)
        var entries = 0
        var bytes = 0
        while let entry = try source.next() {
            entries += 1
            guard entries <= Self.mostEntries, let written = try write(entry, to: &writer) else { return nil }
            bytes += written
        }
        guard entries > 0, source.report.isComplete else { return nil }
        let content = try InlineContent(
            representation: place, name: Array(offered.name(ofSource: source).utf8), requirements: manner.requirements,
            content: Data(memory[..<writer.count]))
        return Result(content: content, bytes: bytes, withheld: source.withheld)
    }

    /// - Returns: number of bytes of its content; nil if there was no room.
    private func write(_ source: SourceEntry, to writer: inout TreeWriter) throws -> Int? {
        guard case .file = source.entry.kind else {
            return try source.entry.withElement { writer.append(.entry($0)) } ? 0 : nil
        }
        let file = try source.open()
        guard let place = try source.entry.withElement({ writer.appendFile($0) }) else { return nil }
        try file.fill(place, from: 0)
        return try file.confirmUnchanged(UnsafeRawBufferPointer(place)) ? nil : place.count
    }
}
