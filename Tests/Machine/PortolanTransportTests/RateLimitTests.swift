import TestSupport
import Testing

@testable import PortolanTransport

@Suite(.aside) struct RateLimitTests {
    /// Runs lanes that take turns for blocks of `size` bytes, each as soon as it may, for `seconds`; returns the sent
    /// blocks and their times.
    private func run(
        rate: UInt64, lanes: Int, size: Int, seconds: Double, late: Double = 0
    ) -> [(time: Double, count: Int)] {
        var limit = RateLimit(bytesPerSecond: rate)
        var free = [Double](repeating: 0, count: lanes)
        var left = [Int](repeating: size, count: lanes)
        var sent: [(time: Double, count: Int)] = []
        while true {
            let lane = free.indices.min { free[$0] < free[$1] }!
            let now = free[lane]
            guard now < seconds else { return sent }
            let turn = limit.next(left[lane], now: now)
            let time = now + turn.wait + (turn.wait > 0 ? late : 0)
            if time < seconds { sent.append((time, turn.count)) }
            free[lane] = time
            left[lane] -= turn.count
            if left[lane] == 0 { left[lane] = size }
        }
    }

    @Test(
        "the rate is kept to 1 % over ten seconds, at any rate, with any lanes and blocks",
        arguments: [1_000, 250_000, 20 << 20, 3 << 30] as [UInt64], [1, 4, 16])
    func keepsTheRate(rate: UInt64, lanes: Int) {
        for size in [100, 1 << 18, 1 << 20] where rate <= 250_000 || size > 100 {
            let total = run(rate: rate, lanes: lanes, size: size, seconds: 10).reduce(0) { $0 + $1.count }
            #expect(abs(Double(total) / Double(rate * 10) - 1) < 0.01, "\(size)")
        }
    }

    @Test("a span of 100 ms never sees more than twice its share, and none after a pause")
    func limitsBursts() {
        let rate: UInt64 = 1_000_000
        let sent = run(rate: rate, lanes: 3, size: 1 << 18, seconds: 3, late: 0.03)
        for (index, first) in sent.enumerated() {
            let burst = sent[index...].prefix { $0.time < first.time + 0.1 }.reduce(0) { $0 + $1.count }
            #expect(burst <= 200_001)
        }
        var limit = RateLimit(bytesPerSecond: rate)
        _ = limit.next(1, now: 0)
        var atOnce = 0
        while true {
            let turn = limit.next(1 << 20, now: 1_000)
            if turn.wait > 0 { break }
            atOnce += turn.count
        }
        #expect(atOnce <= 100_000)
    }

    @Test("a late wake-up is compensated")
    func makesUpForLateness() {
        let total = run(rate: 1_000_000, lanes: 1, size: 1 << 18, seconds: 10, late: 0.003)
            .reduce(0) { $0 + $1.count }
        #expect(abs(Double(total) / 10_000_000 - 1) < 0.01)
    }

    @Test("even one byte a second gets through")
    func servesTheSlowest() {
        var limit = RateLimit(bytesPerSecond: 1)
        #expect(limit.next(1000, now: 0) == RateLimit.Turn(count: 1, wait: 0))
        let second = limit.next(1000, now: 0)
        #expect(second.count == 1 && abs(second.wait - 1) < 1e-9)
    }
}
