import Foundation
import PortolanFiles
import PortolanProtocol

/// Tree record of files that are sent whole on the session, as far as received.
struct WholeRecord {
    /// Checker of the record.
    let tree: IncomingTree
    /// Content received so far; the state machine limits it to the size of a tree record.
    var content = Data()
}

/// Files that come whole on the session, in one record.
extension ReceivingRun {
    /// Begins an item whose tree record follows. Nothing of it may come on a lane.
    mutating func take(
        _ begin: Message.Begin, whole tree: IncomingTree, of item: Int
    ) -> [ReceivingMachine.Action] {
        lanes.passOver(begin.transfer)
        let actions = take(begin, of: item)
        arriving?.whole = WholeRecord(tree: tree)
        return actions
    }
}

/// Content that came within its offer.
extension ReceivingRun {
    /// Stores an item whose content is complete.
    mutating func takeInline(
        _ begin: Message.Begin, _ tree: IncomingTree?, _ content: Data, of item: Int
    ) async throws -> [ReceivingMachine.Action] {
        let actions = take(begin, of: item)
        return arriving == nil ? actions : try await takeInline(content, tree, of: item)
    }

    /// Stores all of the item that is arriving.
    mutating func takeInline(
        _ content: Data, _ tree: IncomingTree?, of item: Int
    ) async throws -> [ReceivingMachine.Action] {
        guard let sink = arriving?.sink else { return [] }
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
    /// Stores content that came with an offer, or whole on the session.
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
        try ProtocolViolation.check(
            reader.transfer == tree.number, "A tree record on the session names another transfer.")
        while let element = try reader.next() {
            let entry = try tree.takeInline(element)
            let need = try add(entry)
            guard case .file(let file) = entry.kind, let bytes = file.content, need != .nothing else { continue }
            try self.content(entry.index, bytes)
        }
        return try tree.endInline()
    }
}
