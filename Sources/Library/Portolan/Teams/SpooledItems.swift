import PortolanTransport

/// Items that can be sent several times: content that can be read only once, such as standard input, is first copied
/// into a file.
///
/// The file is removed with this object.
package struct SpooledItems: Sendable {
    package let items: [Item]
    private let folder: TemporaryFolder?

    /// - Throws: `NodeError` when a stream cannot be read, or there is no room for it.
    package init(_ items: [Item], copies: Int) async throws {
        let holdsStream = items.contains {
            $0.representations.contains { if case .stream = $0.content { true } else { false } }
        }
        guard copies > 1, holdsStream else {
            self.items = items
            folder = nil
            return
        }
        (self.items, folder) = try await withBlockingThread {
            let folder = try TemporaryFolder()
            let items = try items.enumerated().map { number, item in
                var item = item
                for index in item.representations.indices {
                    guard case .stream(let descriptor) = item.representations[index].content else { continue }
                    let url = folder.url.appending(path: "\(number)-\(index)")
                    item.representations[index] = try item.representations[index].spooled(from: descriptor, to: url)
                }
                return item
            }
            return (items, folder)
        }
    }
}

extension ItemRepresentation {
    /// Copies the representation's stream into a file, and returns a representation of the file.
    fileprivate func spooled(from descriptor: CInt, to url: URL) throws -> ItemRepresentation {
        var size: UInt64 = 0
        do {
            guard FileManager.default.createFile(atPath: url.path, contents: nil) else {
                throw CocoaError(.fileWriteUnknown)
            }
            let input = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
            let output = try FileHandle(forWritingTo: url)
            while let chunk = try input.read(upToCount: 1 << 20), !chunk.isEmpty {
                try Task.checkCancellation()
                try output.write(contentsOf: chunk)
                size += UInt64(chunk.count)
            }
            try output.close()
        } catch let error as CancellationError {
            throw error
        } catch {
            throw NodeError(
                .inputOutput, "What is to be sent to several could not be kept for that: \(error.localizedDescription)")
        }
        return ItemRepresentation(
            contentType: contentType, requested: requested, suggestedName: suggestedName, size: size, keptFor: kept,
            content: .file { SentTransferredFile(url, allowAccessingOriginalFile: true) })
    }
}
