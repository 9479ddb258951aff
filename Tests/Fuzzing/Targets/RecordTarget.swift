import NIOCore
import PortolanCompression
import PortolanCrypto
import PortolanProtocol
import PortolanTransport

extension FuzzTarget {
    /// Streams of records: assembly, opening, headers, and compressed blocks.
    static let records = FuzzTarget("records", longest: 8192) { input in
        switch input.number(below: 5) {
        case 0: RecordFuzzer.cut(&input)
        case 1: RecordFuzzer.open(&input)
        case 2: RecordFuzzer.headers(&input)
        case 3: RecordFuzzer.expand(&input)
        default: RecordFuzzer.pack(&input)
        }
    }
}

private enum RecordFuzzer {
    private static let phases: [RecordPhase] = [.beforeAcceptance, .afterAcceptance, .lane]
    private static let secret = SecretBytes(copying: [UInt8](repeating: 7, count: 32))

    /// Reads unsealed bytes: at most their first header is believed.
    static func cut(_ input: inout FuzzInput) {
        var assembler = assembler(RecordOpener(secret: secret, suite: .chacha20poly1305), &input)
        var stream = ByteBuffer(bytes: input.rest())
        let record = try? assembler.next(in: &stream)
        require(record == nil, "A record that nobody sealed")
    }

    private static func assembler(_ opener: consuming RecordOpener, _ input: inout FuzzInput) -> RecordAssembler {
        var assembler = RecordAssembler(opener: opener, buffers: RecordBuffers(limit: 1))
        assembler.phase = phases[input.number(below: 3)]
        return assembler
    }

    /// Opens sealed records, one of which may have been changed in transit.
    static func open(_ input: inout FuzzInput) {
        let suite: RecordSuite = input.flag() ? .chacha20poly1305 : .aes256gcm
        let firstRecord: UInt64 = [0, 65_535, 131_070][input.number(below: 3)]
        var sealer = RecordSealer(secret: secret, suite: suite, firstRecord: firstRecord)
        var assembler = assembler(RecordOpener(secret: secret, suite: suite, firstRecord: firstRecord), &input)
        for _ in 0..<2 where !input.isEmpty {
            let type = input.byte()
            let plaintext = input.piece()
            var record = sealer.sealed(type, plaintext)
            let change = input.byte()
            if change > 127 { record[min(Int(change) - 128, record.count - 1)] ^= input.byte() | 1 }
            do {
                guard let opened = try put(record, together: &assembler) else { return }
                require(change <= 127, "A changed record was opened")
                require(opened.body.readableBytesView.elementsEqual(plaintext), "Another plaintext came out")
            } catch {
                require(change > 127 || error is ProtocolViolation, "An honest record was not opened")
                return
            }
        }
    }

    /// Feeds a record in two pieces.
    private static func put(_ record: [UInt8], together assembler: inout RecordAssembler) throws -> Record? {
        var (first, second) = (ByteBuffer(bytes: record.prefix(7)), ByteBuffer(bytes: record.dropFirst(7)))
        return try assembler.next(in: &first) ?? assembler.next(in: &second)
    }

    /// The few bytes before a record, a piece, a packed piece, and a lane.
    static func headers(_ input: inout FuzzInput) {
        let phase = phases[input.number(below: 3)]
        let bytes = input.rest()
        if bytes.count >= 4 {
            let word = bytes.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            if let header = try? RecordHeader(decoding: word, phase: phase) {
                require(header.encoded == word, "A header that is written otherwise")
            }
        }
        if let header = try? PayloadHeader(decoding: bytes) {
            require(header.encode().elementsEqual(bytes.prefix(16)), "A header that is written otherwise")
        }
        _ = bytes.withUnsafeBytes { try? PackedHeader(decoding: $0) }
        _ = try? ConnectionKind.of(bytes)
        if let preface = try? LanePreface(decoding: Array(bytes.prefix(LanePreface.length))) {
            require(
                preface.encode().elementsEqual(bytes.prefix(LanePreface.length)), "A preface that is written otherwise")
            require(!LaneKeys(direction: secret, suite: .chacha20poly1305).admits(preface), "Nobody can guess that")
        }
    }

    /// Expands bytes that claim to be a compressed block.
    static func expand(_ input: inout FuzzInput) {
        let plaintext = input.rest()
        plaintext.withUnsafeBytes { bytes in
            guard let header = try? PackedHeader(decoding: bytes) else { return }
            let expander = BlockExpander()
            let output = UnsafeMutableRawBufferPointer.allocate(byteCount: header.originalLength, alignment: 16)
            defer { output.deallocate() }
            try? expander.expand(UnsafeRawBufferPointer(rebasing: bytes[PackedHeader.length...]), into: output)
        }
    }

    /// Packs a block, and expands it again.
    static func pack(_ input: inout FuzzInput) {
        let repetitions = 1 + Int(input.byte())
        let piece = input.rest()
        let block = Array(repeating: piece, count: repetitions).flatMap(\.self).prefix(BlockLimits.content)
        guard !block.isEmpty else { return }
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * block.count + 1024, alignment: 16)
        defer { room.deallocate() }
        let compressor = BlockCompressor()
        guard let count = block.withUnsafeBytes({ compressor.compress($0, into: room) }) else { return }
        var expanded = [UInt8](repeating: 0, count: block.count)
        let packed = UnsafeRawBufferPointer(rebasing: room[..<count])
        let opened: Void? = expanded.withUnsafeMutableBytes { try? BlockExpander().expand(packed, into: $0) }
        require(opened != nil && expanded.elementsEqual(block), "A block is not what it was")
    }
}
