import Testing

@testable import PortolanCommand

@Suite struct ItemTallyTests {
    @Test("many items are told of in one line")
    func sums() {
        var tally = ItemTally()
        let began = ContinuousClock.now
        tally.begin(at: began)
        tally.begin(at: began + .seconds(2))
        for _ in 0..<300 { tally.add(bytes: 4_000_000, kept: 0, isRenamed: false) }
        #expect(tally.count == 300 && tally.amount(at: began + .seconds(4)) == "1.20 GB in 4.0 s")
        tally.add(bytes: 1000, kept: 5000, isRenamed: true)
        #expect(
            tally.amount(at: began + .seconds(4))
                == "1.20 GB in 4.0 s, 1 under another name, 1.00 kB of it was there already")
    }

    @Test("extreme sizes from peers do not wrap around")
    func overflow() {
        var tally = ItemTally()
        for _ in 0..<3 { tally.add(bytes: .max, kept: .max, isRenamed: false) }
        #expect(tally.amount(at: .now) == "18.4 EB, 18.4 EB of it was there already")
    }
}
