extension CapturedFrames {
    /// Bytes of each side of each TCP connection, as far as they were recorded without a gap from the beginning.
    ///
    /// Data that is split between frames is joined.
    public var streams: [[UInt8]] {
        var open: [[UInt8]: Int] = [:]
        var streams: [(first: UInt32, segments: [(offset: Int, bytes: ArraySlice<UInt8>)])] = []
        for segment in frames.compactMap(Segment.init) {
            if segment.isFirst || open[segment.direction] == nil {
                // The first sequence number of a connection counts for its opening, which has no bytes.
                let first = segment.isFirst ? segment.number &+ 1 : segment.number
                if let stream = open[segment.direction], streams[stream].first == first { continue }
                open[segment.direction] = streams.count
                streams.append((first, []))
            }
            guard let stream = open[segment.direction], !segment.bytes.isEmpty else { continue }
            let offset = Int(Int32(bitPattern: segment.number &- streams[stream].first))
            streams[stream].segments.append((offset, segment.bytes))
        }
        return streams.map { Self.joined($0.segments) }
    }

    /// Segments may come twice and out of order.
    private static func joined(_ segments: [(offset: Int, bytes: ArraySlice<UInt8>)]) -> [UInt8] {
        segments.sorted { $0.offset < $1.offset }.reduce(into: []) { stream, segment in
            let known = stream.count - segment.offset
            if known >= 0 { stream += segment.bytes.dropFirst(known) }
        }
    }
}

/// TCP segment of an Ethernet frame.
private struct Segment {
    /// Both addresses and both ports.
    let direction: [UInt8]
    let number: UInt32
    /// True if the segment opens the connection.
    let isFirst: Bool
    let bytes: ArraySlice<UInt8>

    init?(_ frame: [UInt8]) {
        func number(at place: Int, _ count: Int) -> Int { frame[place..<place + count].reduce(0) { $0 << 8 | Int($1) } }
        let network = 14
        guard frame.count >= network + 40 else { return nil }
        let addresses: Range<Int>
        var (transport, end) = (0, 0)
        switch number(at: 12, 2) {
        case 0x0800 where frame[network + 9] == 6:
            addresses = network + 12..<network + 20
            transport = network + Int(frame[network] & 0xf) * 4
            end = network + number(at: network + 2, 2)
        case 0x86dd where frame[network + 6] == 6:
            addresses = network + 8..<network + 40
            transport = network + 40
            end = transport + number(at: network + 4, 2)
        default: return nil
        }
        // A short frame is padded behind its packet; a packet that is too long for its length field has 0 there.
        if end <= transport || end > frame.count { end = frame.count }
        guard transport + 20 <= end else { return nil }
        let payload = transport + Int(frame[transport + 12] >> 4) * 4
        guard payload <= end else { return nil }
        direction = Array(frame[addresses] + frame[transport..<transport + 4])
        self.number = UInt32(number(at: transport + 4, 4))
        isFirst = frame[transport + 13] & 2 != 0
        bytes = frame[payload..<end]
    }
}
