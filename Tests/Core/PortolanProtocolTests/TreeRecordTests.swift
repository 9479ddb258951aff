import PortolanProtocol
import PortolanValues
import TestSupport
import Testing

@Suite struct TreeRecordTests {
    /// Samples of all elements.
    static let samples: [TreeSample] = [
        .folder(0),
        .entry(
            .init(
                index: 1, name: Array("run me".utf8),
                kind: .file(size: 5, isLinkTarget: true, content: [1, 2, 3, 4, 5]),
                permissions: 0o755, seconds: -1, nanoseconds: 999_999_999,
                attributes: [
                    .init(name: Array("mime_type".utf8), value: Array("text/plain".utf8)),
                    .init(name: [0xFF], value: []),
                ])),
        .entry(
            .init(
                index: 2, name: Array("sub".utf8), kind: .folder, permissions: 0,
                attributes: [.init(name: [0x61], value: [0])])),
        restricted(8, .folder), restricted(9, .file(size: 4, content: [1, 2, 3, 4]), "design", "print"),
        .file(3, in: 2, size: nil), .file(4, in: 2, size: 0, content: []), .file(5, size: UInt64(Int64.max)),
        .entry(.init(index: 6, name: [0xE9], kind: .symbolicLink(target: Array("../run me".utf8)), permissions: 0o777)),
        .entry(.init(index: 7, kind: .hardLink(to: 1))), .content(entry: 5, [9, 9]), .content(entry: 6, []),
        .hole(entry: 5, offset: 1 << 40, length: 1 << 30), .end(5, size: 7, sent: 3),
        .end(5, size: 0, sent: 9, failure: .changed), .end(3, size: 0, failure: .unspecified), .mark,
    ]

    private static func restricted(_ index: UInt32, _ kind: TreeSample.Entry.Kind, _ groups: String...) -> TreeSample {
        let team = TeamID(bytes: [UInt8](repeating: 0xAC, count: TeamID.length))
        let audience = team.flatMap { try? Audience(team: $0, groups: groups.map { try GroupName($0) }) }
        let level = groups.isEmpty ? Visibility.team : .group
        return .entry(.init(index: index, kind: kind, restriction: Restriction(level, for: audience)))
    }

    @Test func everyElementIsReadBack() throws {
        let record = try TreeSample.record(Self.samples, transfer: 0x0102_0304)
        let read = try TreeSample.read(record)
        #expect(read.transfer == 0x0102_0304)
        #expect(read.samples == Self.samples)
    }

    @Test func aRecordCutAnywhereIsRefusedOrEndsBetweenElements() throws {
        let record = try TreeSample.record(Self.samples)
        var whole = 0
        for cut in 0..<record.count {
            let prefix = Array(record.prefix(cut))
            if let read = try? TreeSample.read(prefix) {
                #expect(read.samples.elementsEqual(Self.samples.prefix(read.samples.count)))
                whole += 1
            } else {
                #expect(violation { _ = try TreeSample.read(prefix) } == .malformed)
            }
        }
        #expect(whole == Self.samples.count - 1)
    }

    @Test(arguments: [0x7EE_0001, 0x7EE_0002] as [UInt64])
    func damagedRecordsAreRefusedOrWellFormed(seed: UInt64) throws {
        let record = try TreeSample.record(Self.samples)
        withSeed(seed) { random in
            for _ in 0..<4000 {
                let bytes = record.mutated(&random)
                do {
                    let read = try TreeSample.read(bytes)
                    // An accepted record can be written again, and means the same.
                    let again = try TreeSample.read(TreeSample.record(read.samples, transfer: read.transfer))
                    #expect(again.samples == read.samples && again.transfer == read.transfer)
                } catch is ProtocolViolation {}
            }
        }
    }

    @Test func elementThatDoesNotFitIsNotWritten() throws {
        for sample in Self.samples {
            let size = try TreeSample.record([sample]).count
            for room in (TreeReader.headerLength + 1)..<size {
                var bytes = [UInt8](repeating: 0xAA, count: room)
                try bytes.withUnsafeMutableBytes { buffer in
                    var writer = TreeWriter(buffer, transfer: 1)
                    let isWritten = try sample.append(to: &writer)
                    #expect(!isWritten && writer.isEmpty)
                }
                #expect(bytes[4...].allSatisfy { $0 == 0xAA })
            }
        }
    }

    /// Entries as they occur in folders, and some unusual ones.
    private static func entries(_ count: Int, _ random: inout SeededGenerator) -> [TreeSample] {
        var (index, parent, number) = (UInt32(random.below(1000)) + 1, UInt32(0), 0)
        var (seconds, nanoseconds) = (Int64(1_700_000_000), UInt32(random.below(1_000_000_000)))
        return (0..<count).map { _ in
            number += random.below(3)
            let name = random.chance(8) ? String(repeating: "x", count: 1 + random.below(255)) : "file-\(number).txt"
            switch random.below(8) {
            case 0: seconds &+= Int64(bitPattern: random.next())
            case 1: seconds &-= Int64(random.below(100_000))
            case 2, 3: nanoseconds = UInt32(random.below(1_000_000_000))
            default: break
            }
            let kind: TreeSample.Entry.Kind =
                switch random.below(10) {
                case 0: .folder
                case 1: .symbolicLink(target: Array("../\(number)".utf8))
                case 2: .hardLink(to: UInt32(random.below(1 << 32)))
                case 3: .file(size: nil)
                case 4: .file(size: 2, isLinkTarget: true, content: [1, 2])
                default: .file(size: random.next() >> UInt64(1 + random.below(63)))
                }
            let sample = TreeSample.entry(
                .init(
                    index: index, parent: parent, name: Array(name.utf8), kind: kind,
                    permissions: random.chance(5) ? UInt16(random.below(512)) : 0o644, seconds: seconds,
                    nanoseconds: nanoseconds))
            if kind == .folder { parent = index }
            if random.chance(12) { parent = UInt32(random.below(1 << 32)) }
            index = random.chance(20) ? UInt32(random.below(1 << 32)) | 1 : max(index &+ 1, 1)
            return sample
        }
    }

    @Test(arguments: [0x7EE_0003, 0x7EE_0004] as [UInt64])
    func entriesWithReferencesRoundTrip(seed: UInt64) {
        withSeed(seed) { random in
            for _ in 0..<200 {
                let samples = Self.entries(40, &random)
                let record = try TreeSample.record(samples)
                let read = try TreeSample.read(record).samples
                #expect(read == samples)
                for cut in 5..<record.count where random.chance(8) {
                    guard let read = try? TreeSample.read(Array(record.prefix(cut))) else { continue }
                    #expect(read.samples.elementsEqual(samples.prefix(read.samples.count)))
                }
            }
        }
    }

    @Test(arguments: [0x7EE_0005] as [UInt64])
    func removedEntryLeavesNothingInTheRecord(seed: UInt64) {
        withSeed(seed) { random in
            for _ in 0..<50 {
                let samples = Self.entries(20, &random)
                let others = Self.entries(20, &random)
                var bytes = [UInt8](repeating: 0, count: 1 << 15)
                let count = try bytes.withUnsafeMutableBytes { buffer in
                    var writer = TreeWriter(buffer, transfer: 1)
                    for (sample, other) in zip(samples, others) {
                        var isWritten = try other.append(to: &writer)
                        #expect(isWritten)
                        writer.removeLast()
                        isWritten = try sample.append(to: &writer)
                        #expect(isWritten)
                    }
                    return writer.count
                }
                let record = try TreeSample.record(samples)
                #expect(Array(bytes.prefix(count)) == record)
            }
        }
    }

    /// Names as a program makes them, and names that have nothing in common: 16 random digits each.
    @Test(arguments: [(false, 15), (true, 24)])
    func entriesOfATreeTakeFewBytes(areRandom: Bool, most: Int) {
        withSeed(0x7EE_0006) { random in
            var samples: [TreeSample] = []
            for folder in 0..<4 {
                let parent = UInt32(folder * 101 + 1)
                samples.append(.folder(parent))
                var names = (0..<100).map { number in
                    areRandom
                        ? String(random.next() | 1 << 63, radix: 16) : "file-\(10_000 + folder * 100 + number).txt"
                }
                names.sort()
                for (number, name) in names.enumerated() {
                    samples.append(
                        .entry(
                            .init(
                                index: parent + 1 + UInt32(number), parent: parent, name: Array(name.utf8),
                                kind: .file(size: UInt64(random.below(10_000))),
                                nanoseconds: UInt32(folder * 100 + number) * 20_000 + UInt32(random.below(20_000)))))
                }
            }
            let record = try TreeSample.record(samples)
            #expect(record.count <= most * samples.count, "\(record.count) bytes for \(samples.count) entries")
        }
    }

    @Test func contentIsReadStraightIntoARecordAndCanBeTakenBack() throws {
        var bytes = [UInt8](repeating: 0, count: 400)
        let count = try bytes.withUnsafeMutableBytes { buffer in
            var writer = TreeWriter(buffer, transfer: 1)
            func place(_ index: UInt32, _ size: UInt64) throws -> UnsafeMutableRawBufferPointer? {
                try TreeSample.Entry(index: index, kind: .file(size: size)).withElement { writer.appendFile($0) }
            }
            let first = try place(1, 100)
            try #require(first).initializeMemory(as: UInt8.self, repeating: 7)
            let before = writer.count
            let second = try place(2, 100)
            #expect(second?.count == 100)
            writer.removeLast()
            let tooLarge = try place(2, 300)
            #expect(tooLarge == nil && writer.count == before)
            let content = writer.appendContent(of: 9, size: 50)
            try #require(content).initializeMemory(as: UInt8.self, repeating: 8)
            return writer.count
        }
        let expected: [TreeSample] = [
            .file(1, content: [UInt8](repeating: 7, count: 100)), .content(entry: 9, [UInt8](repeating: 8, count: 50)),
        ]
        #expect(try TreeSample.read(Array(bytes.prefix(count))).samples == expected)
    }

    @Test func attributesBeyondTheLimitsAreNotWritten() throws {
        func encode(_ attributes: [(name: [UInt8], value: [UInt8])]) throws -> [UInt8] {
            try TreeAttributes.encode(attributes)
        }
        let many = (0..<65).map { (name: [UInt8($0), 1], value: [UInt8]()) }
        #expect(throws: InvalidValue.self) { try encode(many) }
        #expect(throws: InvalidValue.self) { try encode([(name: [], value: [])]) }
        #expect(throws: InvalidValue.self) { try encode([(name: [0x61, 0], value: [])]) }
        #expect(throws: InvalidValue.self) { try encode([(name: [0x61], value: []), (name: [0x61], value: [1])]) }
        #expect(throws: InvalidValue.self) { try encode([(name: [0x61], value: .init(repeating: 0, count: 65_536))]) }
        let half = [UInt8](repeating: 0, count: 32_767)
        #expect(throws: InvalidValue.self) { try encode([([0x61], half), ([0x62], half), ([0x63], [1])]) }
        _ = try encode(Array(many.dropFirst()))
    }

    @Test func packedHeadersRoundTripAndOthersAreRefused() throws {
        let place = PayloadHeader(transfer: 1, entry: 2, offset: 3)
        var record = [UInt8](repeating: 0, count: 30)
        record.withUnsafeMutableBytes { PackedHeader(place, originalLength: 11).write(to: $0) }
        #expect(
            try record.withUnsafeBytes { try PackedHeader(decoding: $0) } == PackedHeader(place, originalLength: 11))
        for length in 0...20 {
            let cut = Array(record.prefix(length))
            #expect(violation { _ = try cut.withUnsafeBytes { try PackedHeader(decoding: $0) } } == .malformed)
        }
        func header(_ length: UInt32, data: Int) throws -> PackedHeader {
            var bytes = place.encode() + (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) }
            bytes += [UInt8](repeating: 0, count: data)
            return try bytes.withUnsafeBytes { try PackedHeader(decoding: $0) }
        }
        #expect(violation { _ = try header(1_048_577, data: 5) } == .limit)
        #expect(violation { _ = try header(.max, data: 5) } == .limit)
        #expect(violation { _ = try header(5, data: 5) } == .malformed)
        #expect(violation { _ = try header(0, data: 1) } == .malformed)
        #expect(try header(1_048_576, data: 1).originalLength == 1_048_576)
    }
}
