import Testing

@testable import PortolanTransport

@Suite struct StallWatchTests {
    private let start = ContinuousClock.now

    /// Takes a sample each second, and returns the number of samples until the watch reports a stall; nil if there is
    /// none in 100.
    private func looks(
        until count: Int = 100, allowing extra: Duration = .zero, _ sample: (Int) -> StallWatch.Sample?
    ) -> Int? {
        var watch = StallWatch(patience: .seconds(10), now: start)
        return (1...count).first {
            watch.isStalled(at: sample($0), now: start + .seconds($0), allowing: extra)
        }
    }

    @Test("a transfer without a change for the longest allowed time is stalled")
    func noChangeIsAStall() {
        // The first sample has no earlier one to compare with.
        #expect(looks { _ in StallWatch.Sample(heard: 3, bytes: 5) } == 11)
        #expect(looks(allowing: .seconds(20)) { _ in StallWatch.Sample() } == 31)
    }

    @Test("a byte or a message now and then is progress")
    func progress() {
        #expect(looks { StallWatch.Sample(bytes: UInt64($0 / 9)) } == nil)
        #expect(looks { StallWatch.Sample(heard: $0 / 9) } == nil)
        #expect(looks { StallWatch.Sample(queued: 1000 - $0 / 9) } == nil)
    }

    @Test("while this side is at work nothing is expected of the peer")
    func ownWork() {
        #expect(looks { $0.isMultiple(of: 9) ? nil : StallWatch.Sample() } == nil)
        #expect(looks { $0 < 50 ? nil : StallWatch.Sample() } == 60)
    }

    @Test("many bytes take a disk a while after the last of them was sent")
    func storing() {
        #expect(StallWatch.storingTime(of: 1000) == .zero)
        #expect(StallWatch.storingTime(of: 20_000_000_000) == .seconds(1000))
    }

    @Test("a process that was stopped for an hour does not count it")
    func suspension() {
        var watch = StallWatch(patience: .seconds(10), now: start)
        let stalls = [(0, 1), (0, 3600), (1, 3601)].map { heard, seconds in
            watch.isStalled(at: StallWatch.Sample(heard: heard), now: start + .seconds(seconds))
        }
        #expect(stalls == [false, false, false])
    }
}
