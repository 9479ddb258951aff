import PortolanCompression
import PortolanCrypto
import PortolanProtocol

extension FuzzTarget {
    /// Streams of records: how they are cut and opened, what stands before their content, and compressed blocks.
    static let records = FuzzTarget("records", longest: 8192) { input in
        switch input.number(below: 5) {
        case 0: RecordFuzzing.cut(&input)
        case 1: RecordFuzzing.open(&input)
        case 2: RecordFuzzing.headers(&input)
        case 3: RecordFuzzing.expand(&input)
        default: RecordFuzzing.pack(&input)
        }
    }
}

private enum RecordFuzzing {
    private static let phases: [RecordPhase] = [.beforeAcceptance, .afterAcceptance, .lane]
    private static let secret = SecretBytes(copying: [UInt8](repeating: 7, count: 32))

    /// Finds the records in bytes that nobody sealed.
    static func cut(_ input: inout FuzzInput) {
        var framer = RecordFramer(phase: phases[input.number(below: 3)])
        let stream = input.rest()
        stream.withUnsafeBytes { bytes in
            var place = 0
            while let step = try? framer.next(in: UnsafeRawBufferPointer(rebasing: bytes[place...])) {
                guard case .record(let header, let body) = step else { break }
                require(body.count == header.bodyLength, "A body of another length")
                place += body.upperBound
            }
            _ = try? framer.finish(unread: stream.count - place)
        }
    }

    /// Opens sealed records, one of which may have been changed on its way.
    static func open(_ input: inout FuzzInput) {
        let suite: RecordSuite = input.flag() ? .chacha20poly1305 : .aes256gcm
        let firstRecord: UInt64 = [0, 65_535, 131_070][input.number(below: 3)]
        var sealer = RecordSealer(secret: secret, suite: suite, firstRecord: firstRecord)
        var opener = RecordOpener(secret: secret, suite: suite, firstRecord: firstRecord)
        var framer = RecordFramer(phase: phases[input.number(below: 3)])
        for _ in 0..<2 where !input.isEmpty {
            let type = input.byte()
            let plaintext = input.piece()
            var record = sealer.sealed(type, plaintext)
            let change = input.byte()
            if change > 127 { record[min(Int(change) - 128, record.count - 1)] ^= input.byte() | 1 }
            let found = record.withUnsafeBytes { try? framer.next(in: $0) }
            guard case .record(let header, let body)? = found else { return }
            let opened: Void? = record.withUnsafeMutableBytes { bytes in
                try? opener.open(header: header.encoded, UnsafeMutableRawBufferPointer(rebasing: bytes[body]))
            }
            require((opened != nil) == (change <= 127), "A changed record was opened, or an honest one was not")
            guard opened != nil else { return }
            require(record[body].prefix(header.plaintextLength).elementsEqual(plaintext), "Another plaintext came out")
        }
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

    /// Expands what claims to be a compressed block.
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
