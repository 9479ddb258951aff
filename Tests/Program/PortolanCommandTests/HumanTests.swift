import Testing

@testable import PortolanCommand

@Suite struct HumanTests {
    @Test(
        "sizes have three digits",
        arguments: [
            (0, "0 B"), (999, "999 B"), (1000, "1.00 kB"), (1234, "1.23 kB"), (9994, "9.99 kB"), (9995, "10.0 kB"),
            (99_949, "99.9 kB"), (99_950, "100 kB"), (999_499, "999 kB"), (999_500, "1.00 MB"),
            (4_294_967_296, "4.29 GB"), (UInt64.max, "18.4 EB"),
        ] as [(UInt64, String)])
    func size(bytes: UInt64, text: String) {
        #expect(Human.size(bytes) == text)
    }

    @Test(
        "times are clocks",
        arguments: [
            (0, "0:00"), (0.2, "0:01"), (59, "0:59"), (60, "1:00"), (3599.5, "1:00:00"), (3723, "1:02:03"),
            (400_000, "--:--"), (-1, "--:--"), (.infinity, "--:--"), (.nan, "--:--"),
        ] as [(Double, String)])
    func time(seconds: Double, text: String) {
        #expect(Human.time(seconds) == text)
    }

    @Test(
        "durations are as exact as they are short",
        arguments: [
            (0, "0 ms"), (0.0194, "19 ms"), (0.9994, "999 ms"), (0.9996, "1.0 s"), (4.04, "4.0 s"), (59.94, "59.9 s"),
            (59.96, "1:00"), (125, "2:05"), (.nan, "--:--"),
        ] as [(Double, String)])
    func duration(seconds: Double, text: String) {
        #expect(Human.duration(seconds) == text)
    }

    @Test func ratesSurviveNonsense() {
        #expect(Human.rate(.nan) == "0 B/s")
        #expect(Human.rate(.infinity) == "0 B/s")
        #expect(Human.rate(1e300) == "1.00 EB/s")
        #expect(Human.rate(12_345_678) == "12.3 MB/s")
    }

    @Test func wideCharactersFillTwoCells() {
        #expect(CellWidth.of("abc") == 3)
        #expect(CellWidth.of("東京") == 4)
        #expect(CellWidth.of("❤️👩‍💻") == 4)
        #expect(CellWidth.fitting("東京都", into: 5) == "東京…")
        #expect(CellWidth.fitting("abc", into: 3) == "abc")
        #expect(CellWidth.fitting("abcd", into: 3) == "ab…")
        #expect(CellWidth.fitting("abcd", into: 0) == "")
    }
}
