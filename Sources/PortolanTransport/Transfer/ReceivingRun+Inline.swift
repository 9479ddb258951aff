import Foundation
import PortolanFiles
import PortolanProtocol

/// Content that came within its offer.
extension ReceivingRun {
    /// Takes in an item all of which is there.
    mutating func takeInline(
        _ begin: Message.Begin, _ tree: IncomingTree?, _ content: Data, of item: Int
    ) async throws -> [ReceivingMachine.Action] {
        let actions = take(begin, of: item)
        guard let sink = arriving?.sink else { return actions }
        let end: Message.End
        do {
            end = try sink.takeInline(content, tree)
        } catch let error as ProtocolViolation {
            throw error
        } catch {
            if Task.isCancelled { throw CancellationError() }
            return fail(item, error)
        }
        return await complete(item, end)
    }
}

extension ItemSink {
    /// Stores all that came with an offer.
    ///
    /// - Parameter tree: checker of the content; nil for data.
    /// - Returns: End that a sender would have sent.
    /// - Throws: `ProtocolViolation`, and errors of storing.
    package func takeInline(_ content: Data, _ tree: IncomingTree?) throws -> Message.End {
        try content.withUnsafeBytes { try takeInline($0, tree) }
    }

    private func takeInline(_ content: UnsafeRawBufferPointer, _ tree: IncomingTree?) throws -> Message.End {
        guard var tree else {
            if !content.isEmpty { try write(0, at: 0, content) }
            return try Message.End(transfer: 0, entries: 0, bytes: UInt64(content.count))
        }
        var reader = try TreeReader(content)
        guard reader.transfer == tree.number else {
            throw ProtocolViolation(.unexpected, "What came with an offer names a transfer.")
        }
        while let element = try reader.next() {
            let entry = try tree.takeInline(element)
            let need = try add(entry)
            guard case .file(let file) = entry.kind, let bytes = file.content, need != .nothing else { continue }
            try self.content(entry.index, bytes)
        }
        return try tree.endInline()
    }
}
