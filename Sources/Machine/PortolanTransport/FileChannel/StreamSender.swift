import PortolanFiles
import PortolanProtocol

/// Sends a stream until its end, as a file of unknown size, on lane 0 alone.
struct StreamSender {
    let stream: SourceStream
    let pieces: PieceSender

    /// Sends everything, and ends the lane's part of the transfer.
    func run() throws {
        let now = FileTime.now
        let element = TreeEntryElement(
            index: 0, parent: 0, name: UnsafeRawBufferPointer(start: nil, count: 0),
            kind: .file(TreeEntryElement.File(size: nil)), permissions: 0o644,
            modified: try Timestamp(seconds: now.seconds, nanoseconds: now.nanoseconds))
        try pieces.work.count { try $0.addFile(size: nil) }
        try pieces.send(.entry(element))
        let size = try sendContent()
        let end = pieces.work.endFile(0, size: size, failure: nil)
        try pieces.send(.fileEnd(end))
        pieces.work.walked()
        try pieces.send(.mark)
    }

    /// - Returns: the number of bytes it had.
    private func sendContent() throws -> UInt64 {
        var size: UInt64 = 0
        while true {
            // Available bytes are sent at once, since the end of the stream may be far away.
            let count = try pieces.sendContent(of: 0, at: size, atMost: SendingLane.chunk) { try stream.read(into: $0) }
            guard count > 0 else { return size }
            try pieces.work.checkStopped()
            size += UInt64(count)
        }
    }
}
