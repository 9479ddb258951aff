import Testing

@testable import PortolanTransport

@Suite struct LaneChoiceTests {
    private static let start = ContinuousClock.now

    /// A network that carries `rate(lanes)` bytes in a second: how many lanes were at work at each step of 25 ms.
    private static func lanes(
        allowed: Int = 16, processors: Int = 16, size: UInt64? = 1 << 40, seconds: Int = 3,
        rate: (_ lanes: Int, _ step: Int) -> Double
    ) -> [Int] {
        var choice = LaneChoice(allowed: allowed, processors: processors, size: size, start: start)
        var bytes = 0.0
        return (1...seconds * 40).map { step in
            bytes += rate(choice.lanes, step) / 40
            return choice.sent(UInt64(bytes), at: start + .milliseconds(25 * step))
        }
    }

    @Test("the choice begins with one lane, and adds one after another while that helps")
    func lanesAreAddedWhileThatHelps() {
        let lanes = Self.lanes { lanes, _ in 1e9 * Double(lanes) }
        #expect(lanes.first == 1)
        #expect(lanes.last == 15 || lanes.last == 16)
        #expect(zip(lanes, lanes.dropFirst()).allSatisfy { $1 - $0 == 0 || $1 - $0 == 1 })
    }

    @Test("the lanes are no more than the answer allows, and than processors keep busy", arguments: [1, 2, 5])
    func staysWithinBounds(most: Int) {
        #expect(Self.lanes(allowed: most) { lanes, _ in 1e9 * Double(lanes) }.max() == most)
        #expect(Self.lanes(processors: most) { lanes, _ in 1e9 * Double(lanes) }.max() == most)
        #expect(Self.lanes(allowed: 200, processors: 200, seconds: 10) { lanes, _ in 1e9 * Double(lanes) }.max() == 16)
    }

    @Test("a further lane that does not help is removed, and tried again at growing intervals")
    func takesBack() {
        let lanes = Self.lanes(seconds: 60) { _, _ in 1e9 }
        #expect(lanes.last == 1)
        #expect(lanes.max() == 2)
        let tries = zip(lanes, lanes.dropFirst()).count { $0 == 1 && $1 == 2 }
        #expect((3...6).contains(tries))
        // Trying other numbers of lanes takes at most a fiftieth of the time.
        #expect(lanes.count { $0 == 2 } < lanes.count / 50)
    }

    @Test("the choice stops when the network is full")
    func stopsAtTheTop() {
        let lanes = Self.lanes(seconds: 2) { lanes, _ in min(1e9 * Double(lanes), 3e9) }
        #expect(lanes.max() == 4)
        #expect(lanes.last == 3)
    }

    @Test("a network that gets wider later is found")
    func noticesChanges() {
        let lanes = Self.lanes(seconds: 20) { lanes, step in min(1e9 * Double(lanes), step < 200 ? 1e9 : 2e9) }
        #expect(lanes[..<200].max() == 2)
        #expect(lanes[199] == 1)
        #expect(lanes.last == 2)
    }

    @Test("a small transfer has one lane")
    func leavesSmallTransfersAlone() {
        #expect(Self.lanes(size: LaneChoice.worthwhile - 1) { lanes, _ in 1e6 * Double(lanes) }.max() == 1)
        #expect(Self.lanes(size: 0) { _, _ in 0 }.max() == 1)
        // The transfer is not small, but almost over when the first measurement is done.
        #expect(Self.lanes(size: 100 << 20) { _, _ in 1e9 }.max() == 1)
    }

    @Test("without a known size, lanes are added after much content was sent")
    func waitsIfTheSizeIsUnknown() {
        let lanes = Self.lanes(size: nil, seconds: 4) { lanes, _ in 10e6 * Double(lanes) }
        let first = lanes.firstIndex(of: 2)
        #expect(first.map { (60...80).contains($0) } == true)
    }

    @Test("no lane is added before content was sent, since the first lane may not be open yet")
    func waitsForTheFirstLane() {
        #expect(Self.lanes(seconds: 10) { _, _ in 0 }.max() == 1)
        let lanes = Self.lanes(seconds: 10) { lanes, step in step < 200 ? 0 : 1e9 * Double(lanes) }
        #expect(lanes[..<200].max() == 1)
        #expect(lanes.last == 15 || lanes.last == 16)
    }

    @Test("the lanes on a network that loses packets are soon more than the processors")
    func addsLanesThatWaitForTheNetwork() {
        // 64 MiB with a round trip of 10 ms and a loss of one in a hundred.
        let lanes = Self.lanes(processors: 2, size: 64 << 20) { lanes, _ in 1.7e6 * Double(lanes) }
        #expect(lanes.last == 16)
        // Within a second and a half.
        #expect(lanes.firstIndex(of: 16).map { $0 < 60 } == true)
    }

    @Test("a slow network that is used fully keeps its number of lanes", arguments: [1, 2, 4, 8])
    func stopsAtTheTopOfASlowNetwork(full: Int) {
        let lanes = Self.lanes(processors: 2, seconds: 2) { lanes, _ in 2e6 * Double(min(lanes, full)) }
        #expect(lanes.last == full)
        #expect(lanes.max() == full * 2)
    }

    @Test("lanes that keep a processor busy are as many as there are of these")
    func leavesProcessorsAlone() {
        let lanes = Self.lanes(processors: 2, seconds: 30) { lanes, _ in LaneChoice.slow * 1.1 * Double(lanes) }
        #expect(lanes.max() == 2)
    }

    @Test("a stalled transfer gets no further lanes")
    func survivesStandingStill() {
        let lanes = Self.lanes(seconds: 10) { _, step in step < 4 ? 1e9 : 0 }
        #expect(lanes.max() == 2)
        #expect(lanes.last == 1)
    }
}
