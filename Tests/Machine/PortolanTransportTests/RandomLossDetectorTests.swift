import Testing

@testable import PortolanTransport

@Suite struct RandomLossDetectorTests {
    private static let start = ContinuousClock.now

    /// Simulates a path that carries so many packets in a second and loses one of so many; returns the look that
    /// notices it, or nil.
    private static func look(rate: UInt32, lossOfOneIn one: UInt32, looks: Int = 10, from first: UInt32 = 0) -> Int? {
        var watch = RandomLossDetector()
        return (0...looks).first { look in
            let now = start + RandomLossDetector.interval * look
            let sent = rate / 5 * UInt32(look)
            return watch.isDue(at: now) && watch.loses(sent: first &+ sent, again: sent / one, at: now)
        }
    }

    @Test("a slow path that loses one packet of a hundred is noticed at the first look")
    func lossOfOnePercentIsNoticed() {
        #expect(Self.look(rate: 1200, lossOfOneIn: 100) == 1)
        #expect(Self.look(rate: 5000, lossOfOneIn: 100, from: .max - 100) == 1)
    }

    @Test(
        "a path that loses little, and a quick one, are left alone",
        arguments: [(5000, 1000), (100_000, 50), (5000, 5000)] as [(UInt32, UInt32)])
    func isLeftAlone(rate: UInt32, one: UInt32) { #expect(Self.look(rate: rate, lossOfOneIn: one) == nil) }

    @Test("a few packets give no result until there are more")
    func fewPacketsGiveNoResult() {
        #expect(Self.look(rate: 100, lossOfOneIn: 10, looks: 9) == nil)
        #expect(Self.look(rate: 100, lossOfOneIn: 10) == 10)
    }

    @Test("the kernel is not asked between two samples")
    func kernelIsNotAskedBetweenSamples() {
        var watch = RandomLossDetector()
        #expect(watch.isDue(at: Self.start))
        let loses = watch.loses(sent: 0, again: 0, at: Self.start)
        #expect(!loses)
        #expect(!watch.isDue(at: Self.start + .milliseconds(199)))
        #expect(watch.isDue(at: Self.start + .milliseconds(200)))
    }
}
