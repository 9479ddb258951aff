/// Numbers everything of one transfer that is sent: entries, offsets, totals.
///
/// `OfferingMachine` hands one out with `.produce`. It is a plain value that the sending code keeps to itself, so that
/// payload can be numbered on whatever thread reads it. Traps on what its owner must not do; throws `InvalidValue` for a
/// source that cannot be put on the wire.
///
/// ```swift
/// send(try transfer.begin(name: name, size: size));  machine.began(transfer.number)
/// for each entry of the source {
///     send(try transfer.entry(…))
///     while let data = read(atMost: transfer.remaining) { send(payload: transfer.nextPayload, data); transfer.sent(data.count) }
///     send(transfer.endEntry())
/// }
/// let end = transfer.end(omissions: omissions);  send(.end(end));  machine.ended(transfer.number, failure: end.failure)
/// ```
package struct OutgoingTransfer: Sendable {
    /// As numbered on the wire.
    package let number: UInt32
    /// Indices into the offer.
    package let item: Int
    package let representation: Int
    package let channel: Channel
    /// How the receiver wants it, if it goes on lanes.
    package let terms: LaneTerms
    private let offer: UInt64
    private let isFolder: Bool

    private enum State {
        case unbegun
        /// Data: the payload comes. Files: between two entries.
        case open
        case inFile(index: UInt32, size: UInt64?, sent: UInt64)
        case ended
    }

    private var state = State.unbegun
    private var entries: UInt32 = 0
    private var bytes: UInt64 = 0
    private var dataSize: UInt64?

    init(
        number: UInt32, offer: UInt64, item: Int, representation: Int, as offered: OfferedRepresentation,
        terms: LaneTerms
    ) {
        self.number = number
        self.offer = offer
        self.item = item
        self.representation = representation
        channel = offered.channel
        self.terms = terms
        isFolder = offered.isFolder
    }

    /// The first message.
    ///
    /// - Parameters:
    ///   - name: what it is called, one path component; may be empty for data.
    ///   - size: payload bytes that will follow: exact for data, a hint for files.
    package mutating func begin(name: [UInt8], size: UInt64? = nil) throws(InvalidValue) -> Message {
        guard case .unbegun = state else { preconditionFailure("A transfer begins once") }
        let begin = try Message.Begin(
            transfer: number, offer: offer, item: UInt32(item), representation: UInt32(representation),
            channel: channel, name: name, size: size)
        if channel == .data { dataSize = size }
        state = .open
        return .begin(begin)
    }

    /// The first message of a transfer whose entries and payload go on lanes, and what counts these from here on.
    ///
    /// - Parameters:
    ///   - name: what it is called, one path component.
    ///   - size: payload bytes that will follow, as far as is known.
    ///   - requirements: what must be kept of it.
    package mutating func beginOnLanes(
        name: [UInt8], size: UInt64? = nil, requirements: Set<Requirement> = []
    ) throws(InvalidValue) -> (message: Message, tree: OutgoingTree) {
        guard case .unbegun = state, channel == .file else { preconditionFailure("A transfer of files begins once") }
        let begin = try Message.Begin(
            transfer: number, offer: offer, item: UInt32(item), representation: UInt32(representation),
            channel: channel, name: name, size: size, isOnLanes: true, asks: terms.asks, requirements: requirements)
        state = .ended
        return (.begin(begin), OutgoingTree(number: number, isFolder: isFolder, terms: terms))
    }

    /// The next entry of a file transfer. After a file, its payload and `endEntry()` come before anything else.
    ///
    /// - Parameters:
    ///   - parent: index of the folder it lies in. Folders come before what is in them, and all of that before the next.
    ///   - name: one path component; left away for the root, whose name `begin` said.
    /// - Throws: `InvalidValue` also when the root is a folder where a file was offered, or the other way round.
    package mutating func entry(
        parent: UInt32 = 0, name: [UInt8], kind: Message.Entry.Kind, permissions: UInt16? = nil,
        modified: Timestamp? = nil
    ) throws(InvalidValue) -> (index: UInt32, message: Message) {
        precondition(channel == .file, "Data has no entries")
        guard case .open = state else { preconditionFailure("An entry outside a transfer or inside a file") }
        let index = entries
        if index == 0, (kind == .folder) != isFolder {
            throw InvalidValue("What was offered as a \(isFolder ? "folder" : "file") is none any more.")
        }
        let entry = try Message.Entry(
            transfer: number, index: index, parent: parent, name: index == 0 ? [] : name, kind: kind,
            permissions: permissions, modified: modified)
        guard entries < .max else { throw .limit("A folder with more than \(UInt32.max) entries.") }
        entries += 1
        if case .file(let size) = kind { state = .inFile(index: index, size: size, sent: 0) }
        return (index, .entry(entry))
    }

    /// What may still be sent of the open file, or of the data; `nil` where no size was said.
    package var remaining: UInt64? {
        switch state {
        case .inFile(_, let size, let sent): size.map { $0 - sent }
        case .open where channel == .data: dataSize.map { $0 - bytes }
        default: preconditionFailure("Nothing is open that takes payload")
        }
    }

    /// What stands before the payload that is sent next.
    package var nextPayload: PayloadHeader {
        switch state {
        case .inFile(let index, _, let sent): PayloadHeader(transfer: number, entry: index, offset: sent)
        case .open where channel == .data: PayloadHeader(transfer: number, entry: 0, offset: bytes)
        default: preconditionFailure("Nothing is open that takes payload")
        }
    }

    /// So many bytes were sent behind `nextPayload`.
    package mutating func sent(_ count: Int) {
        precondition((1...Limits.payload).contains(count), "A payload record holds 1 byte to 1 MiB")
        if let remaining { precondition(UInt64(count) <= remaining, "More than was declared") }
        bytes += UInt64(count)
        if case .inFile(let index, let size, let sent) = state {
            state = .inFile(index: index, size: size, sent: sent + UInt64(count))
        }
    }

    /// The open file is complete, or cannot be completed. One that is shorter than was said counts as changed.
    package mutating func endEntry(failure: SourceFailure? = nil) -> Message {
        guard case .inFile(let index, let size, let sent) = state else { preconditionFailure("No file is open") }
        let isShort = size.map { sent < $0 } ?? false
        state = .open
        return .entryEnd(
            valid { () throws(InvalidValue) in
                try Message.EntryEnd(
                    transfer: number, index: index, size: sent, failure: failure ?? (isShort ? .changed : nil))
            })
    }

    /// The last message, at any time after the first. Stopping early needs a `failure`; data that is shorter than was
    /// said counts as changed.
    package mutating func end(omissions: Omissions = Omissions(), failure: SourceFailure? = nil) -> Message.End {
        switch state {
        case .unbegun, .ended: preconditionFailure("Nothing is open to end")
        case .inFile: precondition(failure != nil, "A file is still open")
        case .open: precondition(failure != nil || channel == .data || entries > 0, "A file transfer without a file")
        }
        let isShort = dataSize.map { bytes < $0 } ?? false
        state = .ended
        return valid { () throws(InvalidValue) in
            try Message.End(
                transfer: number, entries: entries, bytes: bytes, failure: failure ?? (isShort ? .changed : nil),
                omissions: omissions)
        }
    }

    /// Counted here, byte by byte, so that no limit on sizes can be broken.
    private func valid<Value>(_ make: () throws(InvalidValue) -> Value) -> Value {
        do {
            return try make()
        } catch {
            preconditionFailure("More was sent than any file can have: \(error)")
        }
    }
}
