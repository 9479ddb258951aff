import PortolanValues
import Testing

@Suite struct DurationTests {
    @Test(
        "a wait never ends early, and is never without end",
        arguments: [
            (Duration.zero, 0), (.nanoseconds(1), 1), (.milliseconds(1), 1), (.microseconds(1001), 2),
            (.seconds(3600), 3_600_000), (.seconds(-1), 0), (.nanoseconds(-1), 0), (.seconds(1 << 40), Int32.max),
            (.seconds(Int64.max), Int32.max),
        ] as [(Duration, Int32)])
    func poll(duration: Duration, milliseconds: Int32) {
        #expect(duration.pollMilliseconds == milliseconds)
    }

    @Test func nanosecondsAreClamped() {
        #expect(Duration.microseconds(1).wholeNanoseconds == 1000)
        #expect(Duration.seconds(-2).wholeNanoseconds == -2_000_000_000)
        #expect(Duration.seconds(Int64.max).wholeNanoseconds == .max)
        #expect(Duration.seconds(Int64.min).wholeNanoseconds == .min)
    }

    @Test func secondsHaveTheirPart() {
        #expect(Duration.milliseconds(1500).inSeconds == 1.5)
        #expect(Duration.milliseconds(1500).wholeSeconds == 1)
    }

    @Test(
        "the largest unit that leaves no rest is written",
        arguments: [
            (0, "0s"), (90, "90s"), (600, "10m"), (3600, "1h"), (86400, "24h"), (172_800, "2d"), (3601, "3601s"),
        ])
    func argument(seconds: Int, text: String) {
        #expect(Duration.seconds(seconds).asArgument == text)
    }
}
