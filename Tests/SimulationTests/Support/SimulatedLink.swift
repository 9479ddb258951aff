import PortolanProtocol
import TestSupport

/// One direction of one connection: bytes that arrive in their order, some time after they were sent.
final class BytePipe {
    /// What lies between the two ends, as in the buffers of two sockets.
    private let capacity: Int
    private var onTheWay: ArraySlice<(time: Int, bytes: [UInt8])> = []
    private var arrived: [UInt8] = []
    private let phase: RecordPhase
    private var unread = 0
    private var last = 0
    /// Whether what is sent gets nowhere.
    private(set) var isCut = false
    /// Whether the end record came.
    private(set) var isAtEnd = false

    init(_ phase: RecordPhase, capacity: Int) {
        self.phase = phase
        self.capacity = capacity
    }

    /// Whether the sending side need not wait.
    var hasRoom: Bool { unread < capacity }

    /// When the next bytes arrive.
    var nextArrival: Int? { onTheWay.first?.time }

    /// Sends a record, which nobody reads on the way and which therefore is not sealed.
    func send(_ type: RecordType, _ plaintext: UnsafeRawBufferPointer, at time: Int) {
        guard !isCut else { return }
        let header = RecordHeader(type, plaintextLength: plaintext.count)
        var bytes = [UInt8](repeating: 0, count: RecordHeader.length + header.bodyLength)
        bytes.withUnsafeMutableBytes { bytes in
            bytes.storeBytes(of: header.encoded.bigEndian, as: UInt32.self)
            UnsafeMutableRawBufferPointer(rebasing: bytes[RecordHeader.length...]).copyMemory(from: plaintext)
        }
        unread += bytes.count
        last = max(last, time)
        onTheWay.append((last, bytes))
    }

    func send(_ message: Message, at time: Int) {
        message.encode().withUnsafeBytes { send(.control, $0, at: time) }
    }

    /// The next record, if all of it has arrived.
    ///
    /// - Parameter pieces: how many bytes are read at a time.
    func next(at time: Int, pieces: Int) throws -> (type: RecordType, plaintext: [UInt8])? {
        while true {
            if let record = try takeRecord() { return record }
            guard var chunk = onTheWay.first, chunk.time <= time else { return nil }
            arrived += chunk.bytes.prefix(pieces)
            chunk.bytes.removeFirst(min(pieces, chunk.bytes.count))
            if chunk.bytes.isEmpty {
                onTheWay.removeFirst()
            } else {
                onTheWay[onTheWay.startIndex] = chunk
            }
        }
    }

    /// Removes the first record from what has arrived, if all of it has.
    private func takeRecord() throws -> (type: RecordType, plaintext: [UInt8])? {
        guard arrived.count >= RecordHeader.length else { return nil }
        let word = arrived.prefix(RecordHeader.length).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let header = try RecordHeader(decoding: word, phase: phase)
        let length = RecordHeader.length + header.bodyLength
        guard arrived.count >= length else { return nil }
        let plaintext = Array(arrived[RecordHeader.length...].prefix(header.plaintextLength))
        arrived.removeFirst(length)
        unread -= length
        isAtEnd = header.type == .end
        return (header.type, plaintext)
    }

    /// The connection breaks: of what is on the way some still comes, up to any byte.
    func cut(_ random: inout SeededGenerator) {
        isCut = true
        var left = Int.random(in: 0...onTheWay.reduce(0) { $0 + $1.bytes.count }, using: &random)
        var coming: ArraySlice<(time: Int, bytes: [UInt8])> = []
        for chunk in onTheWay where left > 0 {
            coming.append((chunk.time, Array(chunk.bytes.prefix(left))))
            left -= min(left, chunk.bytes.count)
        }
        onTheWay = coming
    }
}

/// A session and its lanes, and the time that passes on them.
final class SimulatedLink {
    private(set) var now = 0
    let toReceiver = BytePipe(.beforeAcceptance, capacity: .max)
    let toSender = BytePipe(.beforeAcceptance, capacity: .max)
    let lanes: [BytePipe]
    private let longestDelay: Int
    private let pieces: Int
    private var random: SeededGenerator

    init(lanes: Int, _ random: inout SeededGenerator) {
        let capacity = 1 << (13 + random.below(8))
        self.lanes = (0..<lanes).map { _ in BytePipe(.lane, capacity: capacity) }
        longestDelay = [1, 20, 400][random.below(3)]
        pieces = 1 << (9 + random.below(12))
        self.random = SeededGenerator(seed: random.next())
    }

    private var pipes: [BytePipe] { [toReceiver, toSender] + lanes }

    /// When what is sent now arrives.
    private var arrival: Int { now + Int.random(in: 1...longestDelay, using: &random) }

    func send(_ type: RecordType, _ plaintext: UnsafeRawBufferPointer, on pipe: BytePipe) {
        pipe.send(type, plaintext, at: arrival)
    }

    func send(_ message: Message, on pipe: BytePipe) { pipe.send(message, at: arrival) }

    /// The sending side is at its end.
    func finish() {
        for pipe in [toReceiver] + lanes { send(.end, UnsafeRawBufferPointer(start: nil, count: 0), on: pipe) }
    }

    func next(on pipe: BytePipe) throws -> (type: RecordType, plaintext: [UInt8])? {
        try pipe.next(at: now, pieces: pieces)
    }

    func pass() { now += 1 }

    /// Lets time pass until something arrives.
    ///
    /// - Returns: whether anything will.
    func wait() -> Bool {
        guard let next = pipes.compactMap(\.nextArrival).filter({ $0 > now }).min() else { return false }
        now = next
        return true
    }

    /// All connections break.
    func cut() {
        for pipe in pipes { pipe.cut(&random) }
    }
}
