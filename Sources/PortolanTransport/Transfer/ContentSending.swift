import Foundation
import Glibc
import PortolanFiles
import PortolanProtocol

/// Puts the content of one representation on the wire. Runs where blocking calls are allowed.
struct ContentSending {
    private var transfer: OutgoingTransfer
    private let offered: OfferedRepresentation
    private let title: String
    private let session: Session
    private let stop: StopSign
    private let began: () -> Void
    private var progress: SendingProgress
    private var hasBegun = false

    init(
        _ transfer: OutgoingTransfer, of offered: OfferedRepresentation, title: String, on session: Session,
        stop: StopSign, report: @escaping @Sendable (OfferingEvent) -> Void, began: @escaping () -> Void
    ) {
        self.transfer = transfer
        self.offered = offered
        self.title = title
        self.session = session
        self.stop = stop
        self.began = began
        progress = SendingProgress(item: transfer.item, report: report)
    }

    /// Sends everything but the last message, which is returned.
    ///
    /// - Throws: `FileError`, `InvalidValue`, or why the session ended.
    mutating func send(_ content: OfferedContent) async throws -> Message.End {
        switch (content, transfer.channel) {
        case (.bytes(let data), .data): try await send(data)
        case (.stream(let descriptor), .data): try await send(from: descriptor)
        case (.file(let path), .file): return try await send(fileAt: path)
        default: preconditionFailure("Content for another channel than the one offered")
        }
        return transfer.end()
    }

    /// The last message of a transfer that failed, or nil if it had not begun.
    mutating func breakOff(_ failure: SourceFailure) -> Message.End? {
        hasBegun ? transfer.end(failure: failure) : nil
    }

    private mutating func begin(name: String, size: UInt64?) throws {
        session.send(try transfer.begin(name: Array(name.utf8), size: size))
        hasBegun = true
        began()
        progress.begin(representation: transfer.representation, name: name, size: size)
    }

    // MARK: Data

    private mutating func send(_ data: Data) async throws {
        try begin(name: offered.suggestedName ?? "", size: UInt64(data.count))
        var offset = 0
        while offset < data.count {
            let start = data.startIndex + offset
            offset += try await sendPayload { buffer in
                let count = min(buffer.count, data.count - offset)
                return data.copyBytes(to: buffer, from: start..<start + count)
            }
        }
    }

    private mutating func send(from descriptor: CInt) async throws {
        try begin(name: offered.suggestedName ?? "", size: nil)
        let stop = stop
        while try await sendPayload({ buffer in try Self.read(descriptor, into: buffer, stop) }) > 0 {}
    }

    /// Waits for bytes, looking up now and then whether anybody still wants them.
    private static func read(
        _ descriptor: CInt, into buffer: UnsafeMutableRawBufferPointer, _ stop: StopSign
    ) throws -> Int {
        while true {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard !stop.isSet else { throw CancellationError() }
            guard poll(&waiting, 1, 200) != 0 else { continue }
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            guard errno == EINTR || errno == EAGAIN else {
                throw FileError(.inputOutput, "Standard input cannot be read: \(String(cString: strerror(errno))).")
            }
        }
    }

    // MARK: Files

    private mutating func send(fileAt path: String) async throws -> Message.End {
        let tree = try SourceTree(path: path, shownTo: Restriction(offered.visibility, for: offered.audience))
        guard tree.isFolder == offered.isFolder else {
            throw FileError(.sourceChanged, "“\(tree.name)” was replaced after it had been offered.")
        }
        // The file may have a name that means nothing to anybody, as one that was made for this has.
        let name = offered.suggestedName.map { FileName.sanitised(fromLocal: Array($0.utf8)) } ?? tree.name
        try begin(name: name.text, size: tree.size)
        while let source = try tree.next() {
            try checkStop()
            let entry = source.entry
            let (_, message) = try transfer.entry(
                parent: entry.parent, name: Array(entry.name.utf8), kind: Message.Entry.Kind(entry.kind),
                permissions: entry.permissions,
                modified: Timestamp(seconds: entry.modified.seconds, nanoseconds: entry.modified.nanoseconds))
            session.send(message)
            guard let file = source.file else { continue }
            do {
                try await send(file)
                session.send(transfer.endEntry())
            } catch let error as FileError where tree.isFolder {
                // The rest of the folder is still worth having.
                let changed = error.kind == .sourceChanged
                tree.leaveOut(source, because: changed ? .changed : .unreadable)
                session.send(transfer.endEntry(failure: changed ? .changed : .unreadable))
            }
        }
        return transfer.end(omissions: Omissions(tree.report))
    }

    private mutating func send(_ file: SourceFile) async throws {
        var offset: UInt64 = 0
        while offset < file.size {
            let left = file.size - offset
            let count = try await sendPayload { buffer in
                try file.read(
                    into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, Int(clamping: left))]),
                    at: offset)
            }
            offset += UInt64(count)
        }
        try file.confirmUnchanged()
    }

    private mutating func sendPayload(_ fill: (UnsafeMutableRawBufferPointer) throws -> Int) async throws -> Int {
        try checkStop()
        let count = try await session.sendPayload(transfer.nextPayload, fill: fill)
        if count > 0 {
            transfer.sent(count)
            progress.sent(count)
        }
        return count
    }

    private func checkStop() throws {
        if stop.isSet { throw CancellationError() }
    }
}

/// Tells of progress, often enough for a person and seldom enough to cost nothing.
private struct SendingProgress {
    private static let interval = Duration.milliseconds(100)

    let item: Int
    let report: @Sendable (OfferingEvent) -> Void
    private var bytes: UInt64 = 0
    private var next = ContinuousClock.now

    init(item: Int, report: @escaping @Sendable (OfferingEvent) -> Void) {
        self.item = item
        self.report = report
    }

    func begin(representation: Int, name: String, size: UInt64?) {
        report(.began(item: item, representation: representation, name: name, size: size))
    }

    mutating func sent(_ count: Int) {
        bytes += UInt64(count)
        let now = ContinuousClock.now
        guard now >= next else { return }
        next = now + Self.interval
        report(.sent(item: item, bytes: bytes))
    }
}
