import PortolanValues

/// Transfer that is sent: makes its Begin and End, and the headers of its data.
///
/// `OfferingMachine` hands one out with `.produce`. It is a plain value that the sending code keeps to itself, so that
/// payload can be numbered on any thread that reads it. Misuse by the owner traps; a source that cannot be put on the
/// wire throws `InvalidValue`.
///
/// ```swift
/// // data:   send(try transfer.begin(name: name, size: size));  machine.began(transfer.number)
/// //         while let data = read(atMost: transfer.remaining) {
/// //             send(payload: transfer.nextPayload, data); transfer.sent(data.count)
/// //         }
/// //         let end = transfer.end();  send(.end(end));  machine.ended(transfer.number, failure: end.failure)
/// // files:  let (begin, tree) = try transfer.beginTree(…);  send(begin);  machine.began(transfer.number);
/// //         then see OutgoingTree
/// ```
package struct OutgoingTransfer: Sendable {
    /// Number on the wire.
    package let number: UInt32
    /// Indices into the offer.
    package let item: Int
    package let representation: Int
    package let channel: Channel
    /// Receiver's terms for a file or folder.
    package let terms: LaneTerms
    private let offer: UInt64
    private let isFolder: Bool

    private enum State {
        case unbegun
        /// Data or a tree record follows; this many bytes of it were sent.
        case open(size: UInt64?, sent: UInt64)
        /// Ended, or continued by the tree.
        case over
    }

    private var state = State.unbegun

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

    /// Returns the first message of a transfer of files, and the tree that counts its entries and payload on lanes.
    ///
    /// - Parameters:
    ///   - name: name of the item, one path component.
    ///   - size: payload bytes that will follow, as far as known.
    ///   - requirements: properties that must be kept.
    ///   - takesDifferences: true if this side can send files as differences, in a transfer with questions.
    package mutating func beginTree(
        name: [UInt8], size: UInt64? = nil, requirements: Fidelity = [], takesDifferences: Bool = false
    ) throws(InvalidValue) -> (message: Message, tree: OutgoingTree) {
        guard case .unbegun = state, channel == .file else { preconditionFailure("A transfer of files begins once") }
        let begin = try Message.Begin(
            transfer: number, offer: offer, item: UInt32(item), representation: UInt32(representation),
            channel: channel, name: name, size: size, asks: terms.asks, requirements: requirements,
            takesDifferences: takesDifferences && terms.asks && !terms.isInOrder)
        state = .over
        let tree = OutgoingTree(
            number: number, isFolder: isFolder, terms: terms, takesDifferences: begin.takesDifferences)
        return (.begin(begin), tree)
    }

    /// Returns the first message of a transfer of files whose one tree record follows on the session. The record has
    /// headers and an end like data.
    ///
    /// - Parameters:
    ///   - name: name of the item, one path component.
    ///   - size: payload bytes of the files.
    ///   - requirements: properties that must be kept.
    ///   - record: plaintext of the record, in bytes.
    package mutating func beginWhole(
        name: [UInt8], size: UInt64, requirements: Fidelity = [], record: Int
    ) throws(InvalidValue) -> Message {
        guard case .unbegun = state, channel == .file, terms.allowsWhole, record <= Limits.treeRecord else {
            preconditionFailure("A transfer begins once, and comes whole where that is allowed")
        }
        let begin = try Message.Begin(
            transfer: number, offer: offer, item: UInt32(item), representation: UInt32(representation),
            channel: channel, name: name, size: size, requirements: requirements, isWhole: true)
        state = .open(size: UInt64(record), sent: 0)
        return .begin(begin)
    }

    // MARK: Data

    /// Returns the first message of a transfer of data.
    ///
    /// - Parameters:
    ///   - name: name of the item, one path component; may be empty.
    ///   - size: exact number of payload bytes that will follow.
    package mutating func begin(name: [UInt8], size: UInt64? = nil) throws(InvalidValue) -> Message {
        guard case .unbegun = state, channel == .data else { preconditionFailure("A transfer of data begins once") }
        let begin = try Message.Begin(
            transfer: number, offer: offer, item: UInt32(item), representation: UInt32(representation),
            channel: channel, name: name, size: size)
        state = .open(size: size, sent: 0)
        return .begin(begin)
    }

    private var progress: (size: UInt64?, sent: UInt64) {
        guard case .open(let size, let sent) = state else { preconditionFailure("Nothing is open that takes payload") }
        return (size, sent)
    }

    /// Bytes left to send; nil if the size is unknown.
    package var remaining: UInt64? { progress.size.map { $0 - progress.sent } }

    /// Header of the next payload.
    package var nextPayload: PayloadHeader { PayloadHeader(transfer: number, entry: 0, offset: progress.sent) }

    /// Notes that this many bytes were sent after `nextPayload`.
    package mutating func sent(_ count: Int) {
        precondition((1...Limits.payload).contains(count), "A payload record holds 1 byte to 1 MiB")
        let (size, sent) = progress
        if let remaining { precondition(UInt64(count) <= remaining, "More than was declared") }
        state = .open(size: size, sent: sent + UInt64(count))
    }

    /// Returns the last message; may be called at any time after the first. Data that is shorter than declared counts
    /// as changed.
    package mutating func end(failure: SourceFailure? = nil) -> Message.End {
        let (size, sent) = progress
        let isShort = size.map { sent < $0 } ?? false
        state = .over
        return certain(
            try Message.End(
                transfer: number, entries: 0, bytes: sent, failure: failure ?? (isShort ? .changed : nil)),
            "More was sent than any data can have")
    }
}
