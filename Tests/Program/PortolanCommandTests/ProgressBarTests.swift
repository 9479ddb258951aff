import Testing

@testable import PortolanCommand

@Suite struct ProgressBarTests {
    private let start = ContinuousClock.now

    @Test func barShowsShareRateAndTimeLeft() throws {
        var bar = ProgressBar(title: "photo.png", ending: "being stored", total: .known(10_000_000), now: start)
        let drawn = bar.update(bytes: 5_000_000, transferred: 5_000_000, width: 80, now: start + .seconds(2))
        let line = try #require(drawn)
        #expect(line == "photo.png  [##########----------]   50%  2.50 MB/s  0:02 left")
    }

    @Test func barIsRedrawnAtMostTenTimesASecond() {
        var bar = ProgressBar(title: "x", ending: "being stored", total: .known(1000), now: start)
        let drawn = (0..<1000).count {
            bar.update(bytes: $0, transferred: $0, width: 80, now: start + .milliseconds($0)) != nil
        }
        #expect(drawn == 9)
    }

    @Test func theRateForgetsThePast() throws {
        var bar = ProgressBar(title: "x", ending: "being stored", total: .unknown, now: start)
        for second in 1...10 {
            _ = bar.update(
                bytes: UInt64(second) * 1_000_000, transferred: UInt64(second) * 1_000_000, width: 80,
                now: start + .seconds(second))
        }
        // A stall: no more bytes come, and nothing is reported.
        var line = ""
        for second in 11...20 {
            line = bar.update(width: 80, now: start + .seconds(second)) ?? ""
        }
        #expect(line == "x  10.0 MB  stalled for 0:10")
    }

    @Test func progressEveryFewSecondsIsNotStalled() {
        var bar = ProgressBar(title: "x", ending: "being stored", total: .unknown, now: start)
        var lines: [String] = []
        for second in 1...40 {
            let bytes = UInt64(second / 5) * 250_000
            lines.append(bar.update(bytes: bytes, transferred: bytes, width: 80, now: start + .seconds(second)) ?? "")
        }
        // Once something has moved.
        #expect(lines[5...].allSatisfy { $0.hasSuffix(" kB/s") && !$0.contains("  0 ") }, "\(lines)")
    }

    @Test(
        "a line with any contents is narrower than the terminal",
        arguments: [1, 2, 10, 20, 30, 40, 60, 80, 200],
        [
            .unknown, .known(0), .known(1), .known(5000), .known(.max), .counting(0), .counting(5000), .counting(.max),
        ] as [ProgressTotal])
    func width(width: Int, total: ProgressTotal) throws {
        var bar = ProgressBar(title: "東京都の長い名前のファイル.png", ending: "being stored", total: total, now: start)
        for (second, bytes) in [0, 4999, 5001, UInt64.max].enumerated() {
            let drawn = bar.update(bytes: bytes, transferred: bytes, width: width, now: start + .seconds(second + 1))
            let line = try #require(drawn)
            #expect(CellWidth.of(line) < max(width, 1))
            #expect(!line.contains("\n"))
        }
    }

    @Test func moreThanThePromisedTotalStaysAtTheEnd() throws {
        var bar = ProgressBar(title: "x", ending: "being stored", total: .known(10), now: start)
        let drawn = bar.update(bytes: 1000, transferred: 1000, width: 80, now: start + .seconds(1))
        #expect(try #require(drawn) == "x  [####################]  100%  being stored")
        // A long storing phase does not count as a stall.
        let later = bar.update(width: 80, now: start + .seconds(60))
        #expect(later?.hasSuffix("100%  being stored") == true)
    }

    @Test func growingTotalIsShown() {
        var bar = ProgressBar(title: "Photos", ending: "being stored", total: .unknown, now: start)
        func line(_ seconds: Int, _ bytes: UInt64) -> String? {
            bar.update(bytes: bytes, transferred: bytes, width: 80, now: start + .seconds(seconds))
        }
        #expect(line(1, 1_000_000) == "Photos  1.00 MB  1.00 MB/s")
        bar.total = .counting(3_000_000)
        #expect(line(2, 2_000_000) == "Photos  2.00 MB of 3.00 MB or more  1.00 MB/s")
        bar.total = .known(5_000_000)
        #expect(line(3, 3_000_000) == "Photos  [############--------]   60%  1.00 MB/s  0:02 left")
    }

    @Test func rateCountsOnlyTransferredBytes() throws {
        var bar = ProgressBar(title: "x", ending: "being stored", total: .known(10_000_000), now: start)
        let drawn = bar.update(bytes: 9_000_000, transferred: 1_000_000, width: 80, now: start + .seconds(1))
        #expect(try #require(drawn).contains(" 90%  1.00 MB/s  0:01 left"))
    }

    @Test func theSummaryCoversTheWholeTime() {
        let bar = ProgressBar(title: "x", ending: "being stored", total: .known(10), now: start)
        #expect(bar.summary(transferred: 2_000_000, now: start + .seconds(4)) == "2.00 MB in 4.0 s, 500 kB/s")
        #expect(bar.summary(transferred: 0, now: start + .seconds(4)) == nil, "all of it was already there")
    }
}
