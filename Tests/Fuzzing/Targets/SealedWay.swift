import PortolanCrypto
import PortolanProtocol

extension RecordSealer {
    /// Any record, sealed.
    mutating func sealed(_ type: UInt8, _ plaintext: [UInt8]) -> [UInt8] {
        var record = [UInt8](repeating: 0, count: RecordHeader.length) + plaintext
        record += [UInt8](repeating: 0, count: RecordHeader.tagLength)
        record.withUnsafeMutableBytes { seal(type: type, $0) }
        return record
    }
}

/// Direction of a connection after the handshake. A hostile peer seals the plaintexts; the other side finds the records
/// and opens them.
struct SealedWay: ~Copyable {
    private var sealer: RecordSealer
    private var opener: RecordOpener
    private var phase: RecordPhase
    private var isAtEnd = false

    /// An opened record in its own memory, so that a read beyond its end is detected.
    final class Record {
        let type: RecordType
        private let memory: UnsafeMutableRawBufferPointer

        fileprivate init(_ type: RecordType, _ plaintext: UnsafeRawBufferPointer) {
            self.type = type
            memory = .allocate(byteCount: plaintext.count, alignment: 16)
            memory.copyMemory(from: plaintext)
        }

        deinit { memory.deallocate() }

        var plaintext: UnsafeRawBufferPointer { UnsafeRawBufferPointer(memory) }
    }

    fileprivate init(_ sealer: consuming RecordSealer, _ opener: consuming RecordOpener, _ phase: RecordPhase) {
        self.sealer = sealer
        self.opener = opener
        self.phase = phase
    }

    /// Allows payload after an acceptance.
    mutating func allowPayload() { phase = .afterAcceptance }

    mutating func deliver(_ type: RecordType, _ plaintext: [UInt8]) throws(ProtocolViolation) -> Record {
        guard !isAtEnd else { throw ProtocolViolation(.unexpected, "Something follows the end of the stream.") }
        var record = sealer.sealed(type.rawValue, plaintext)
        let word = record.withUnsafeBytes { UInt32(bigEndian: $0.loadUnaligned(as: UInt32.self)) }
        let header = try RecordHeader(decoding: word, phase: phase)
        isAtEnd = header.type == .end
        return record.withUnsafeMutableBytes { (bytes) -> Record in
            let sealed = UnsafeMutableRawBufferPointer(rebasing: bytes[RecordHeader.length...])
            guard (try? opener.open(header: header.encoded, sealed)) != nil else { fatalError("It cannot be opened") }
            return Record(header.type, UnsafeRawBufferPointer(rebasing: sealed[..<header.plaintextLength]))
        }
    }
}

/// Two devices after a handshake, once for all executions: every session here has the same keys.
enum ShakenHands {
    private static let keys: (initiator: SessionKeys, responder: SessionKeys) = valid {
        var one = SessionHandshake(
            opening: .open, identity: Parties.peer, suites: [.chacha20poly1305], noiseKey: Parties.noiseKey(5),
            randomness: Parties.randomness(6))
        var two = SessionHandshake(
            door: .open, identity: Parties.own, suites: [.chacha20poly1305], noiseKey: Parties.noiseKey(3),
            randomness: Parties.randomness(4))
        _ = two.start()
        func bytes(_ actions: [SessionHandshake.Action]) -> [UInt8] {
            actions.flatMap { action -> [UInt8] in if case .send(let bytes) = action { bytes } else { [] } }
        }
        func keys(_ actions: [SessionHandshake.Action]) -> SessionKeys? {
            for case .established(let keys, _, _, _) in actions { return keys }
            return nil
        }
        _ = try one.receive(bytes(two.receive(bytes(one.start()))))
        let last = try one.accept()
        guard let initiator = keys(last), let responder = try keys(two.receive(bytes(last))) else {
            fatalError("Two honest sides do not come together")
        }
        return (initiator, responder)
    }

    static func toResponder() -> SealedWay {
        SealedWay(keys.initiator.makeSealer(), keys.responder.makeOpener(), .beforeAcceptance)
    }

    static func toInitiator() -> SealedWay {
        SealedWay(keys.responder.makeSealer(), keys.initiator.makeOpener(), .beforeAcceptance)
    }

    static func lane(_ index: Int) -> SealedWay {
        SealedWay(
            keys.initiator.sendingLanes.makeSealer(UInt32(index)),
            keys.responder.receivingLanes.makeOpener(UInt32(index)), .lane)
    }
}
