import PortolanFiles
import PortolanProtocol
import PortolanValues

extension FuzzTarget {
    /// Content of lanes: tree records, the rules of transfers, and names and link targets of a peer.
    static let tree = FuzzTarget("tree", longest: 8192) { input in
        switch input.number(below: 4) {
        case 0: TreeFuzzer.read(&input)
        case 1: TreeFuzzer.name(&input)
        default: TreeFuzzer.transfer(&input)
        }
    }
}

private enum TreeFuzzer {
    /// Reads one record and writes it again, and that once more.
    static func read(_ input: inout FuzzInput) {
        let plaintext = input.rest()
        let first = UnsafeMutableRawBufferPointer.allocate(byteCount: plaintext.count + 64, alignment: 16)
        let second = UnsafeMutableRawBufferPointer.allocate(byteCount: plaintext.count + 64, alignment: 16)
        defer {
            first.deallocate()
            second.deallocate()
        }
        plaintext.withUnsafeBytes { bytes in
            guard let count = rewrite(bytes, to: first) else { return }
            // The bytes may differ: unknown causes are decoded as one, and a part of an entry may be written although
            // it equals the preceding entry's.
            require(count <= bytes.count, "A record is longer than it was")
            let written = UnsafeRawBufferPointer(rebasing: first[..<count])
            guard let again = rewrite(written, to: second) else { fatalError("A record that cannot be read") }
            require(written.elementsEqual(second[..<again]), "A record is written in two ways")
        }
    }

    /// - Returns: bytes of the written record; nil if the read one is refused.
    private static func rewrite(
        _ bytes: UnsafeRawBufferPointer, to copy: UnsafeMutableRawBufferPointer
    ) -> Int? {
        do {
            var reader = try TreeReader(bytes)
            var writer = TreeWriter(copy, transfer: reader.transfer)
            while let element = try reader.next() {
                guard writer.append(element) else { fatalError("It is longer than it was") }
            }
            return writer.count
        } catch {
            return nil
        }
    }

    static func name(_ input: inout FuzzInput) {
        let number = 1 + Int(input.byte())
        let bytes = input.rest()
        if let name = try? FileName(bytes) {
            require(!name.text.contains("/") && name.text != "." && name.text != "..", "A name that leads elsewhere")
            let numbered = name.numbered(number, isFolder: number & 1 == 0)
            require((try? FileName(numbered.text)) != nil, "A numbered name that is none")
        }
        _ = FileName.sanitised(fromLocal: bytes)
        if let target = try? LinkTarget(bytes) { _ = (target.description, target.staysInside(fromDepth: 2)) }
        _ = DisplayText(bytes: bytes)
    }

    /// A transfer whose receiver's decisions come from the input.
    static func transfer(_ input: inout FuzzInput) {
        let manner = input.byte()
        let sink = ChoosingSink(input.piece())
        let terms = LaneTerms(asks: manner & 1 == 1, lanes: manner & 2 == 2 ? 1 : 4)
        let arriving = ArrivingTree(begin(isFolder: manner & 4 == 0, terms), into: sink)
        var hasEnded = false
        do throws(ProtocolViolation) {
            while !input.isEmpty {
                let step = input.byte()
                switch step % 8 {
                case 0...4:
                    let type: RecordType = step % 8 < 3 ? .tree : step % 8 == 3 ? .payload : .packed
                    let plaintext: [UInt8] = [0, 0, 0, 1] + input.piece()
                    let lane = UInt32(step >> 3) % 4
                    try take(type, plaintext, on: lane, arriving)
                case 5:
                    for message in arriving.speak() { requireReadable(message) }
                case 6 where !hasEnded:
                    hasEnded = true
                    try arriving.end(end(&input))
                default:
                    if step == 7 { arriving.abandon() }
                }
                if arriving.tree.isComplete { break }
            }
        } catch {
            _ = error.description
        }
    }

    private static func take(
        _ type: RecordType, _ plaintext: [UInt8], on lane: UInt32, _ arriving: ArrivingTree
    ) throws(ProtocolViolation) {
        guard RecordHeader.lengths(of: type).contains(plaintext.count) else { return }
        // Separate memory, so that a read beyond its end is detected.
        let record = UnsafeMutableRawBufferPointer.allocate(byteCount: plaintext.count, alignment: 16)
        defer { record.deallocate() }
        record.copyBytes(from: plaintext)
        try arriving.take(type, UnsafeRawBufferPointer(record), lane: lane)
    }

    private static func end(_ input: inout FuzzInput) -> Message.End {
        let (entries, bytes, lanes) = (UInt32(input.byte()), input.word(), Array(0..<UInt32(input.number(below: 5))))
        let failure: SourceFailure? = input.flag() ? .changed : nil
        let end = try? Message.End(transfer: 1, entries: entries, bytes: bytes, failure: failure, lanes: lanes)
        return end ?? valid { try Message.End(transfer: 1, entries: entries, bytes: 0, lanes: [0]) }
    }

    /// A transfer that has been offered, taken and begun.
    private static func begin(isFolder: Bool, _ terms: LaneTerms) -> IncomingTree {
        valid {
            var machine = ReceivingMachine()
            let representation = try OfferedRepresentation(
                type: OfferedType(identifier: "public.item"), channel: .file, isFolder: isFolder)
            let item = try OfferedItem(title: "item", representations: [representation])
            _ = try machine.receive(.offer(Offer(id: 1, items: [item])))
            _ = machine.answer([.take(representation: 0)], terms: [0: terms])
            let begin = try Message.Begin(
                transfer: 1, offer: 1, item: 0, representation: 0, channel: .file, name: Array("item".utf8), size: nil,
                asks: terms.asks)
            guard case .beginTree(_, _, let tree)? = try machine.receive(.begin(begin)).first else {
                fatalError("A transfer that does not begin")
            }
            return tree
        }
    }
}
