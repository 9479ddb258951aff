import PortolanDiscovery
import Testing

@testable import PortolanTransport

/// Admission of strangers' lanes: entrance, memory, and making room.
@Suite struct StrangerLanesTests {
    private let start = ContinuousClock.now
    private let record = LaneBuffer.longestBody

    private func host(_ number: UInt32) -> IPAddress { .v4(number) }

    /// A table with room for `records` of the longest records, in which `lanes` lanes of one address are.
    private func table(_ lanes: Int, of most: Int, records: Int = 16) -> StrangerLanes {
        var table = StrangerLanes(.init(lanes: most, bytes: records * record))
        for number in 0..<lanes { table.enter(UInt64(number), from: host(1)) }
        _ = table.settle(at: start)
        return table
    }

    @Test("lanes are let in until there are as many as there may be; the next waits for one that leaves")
    func limitsLanes() {
        var table = table(4, of: 4)
        table.enter(9, from: host(2))
        #expect(table.settle(at: start) == .init())
        #expect(table.isWaiting(9) && table.hasWaiting && table.count == 4)
        #expect(table.enterAtOnce(10, from: host(3), at: start) == false)
        table.left(2)
        #expect(table.settle(at: start).granted == [9])
        #expect(!table.hasWaiting)
        table.left(3)
        #expect(table.enterAtOnce(10, from: host(3), at: start) == true)
    }

    @Test("a lane that brings records stays; the one of the longest silence makes room")
    func endsTheStalled() {
        var table = table(3, of: 3)
        let late = start + StrangerLanes.patience + .milliseconds(2)
        table.progressed(0, at: start + .milliseconds(1))
        table.progressed(2, at: late)
        table.enter(9, from: host(2))
        #expect(table.settle(at: late) == .init(ended: [1]))
        #expect(table.settle(at: late) == .init(), "one makes room for one")
        table.enter(10, from: host(3))
        #expect(table.settle(at: late) == .init(ended: [0]))
        table.enter(11, from: host(4))
        #expect(table.settle(at: late) == .init(), "lane 2 brings something")
        table.left(0)
        table.left(1)
        #expect(table.settle(at: late).granted == [9, 10])
    }

    @Test(
        "records get memory until there is none; then silent lanes make room, but not the asking lane or one without memory"
    )
    func limitsMemory() {
        var table = table(6, of: 8, records: 4)
        for lane in 0..<4 as Range<UInt64> { table.grow(lane, by: record) }
        #expect(table.settle(at: start).granted == [0, 1, 2, 3])
        #expect(table.bytes == 4 * record)
        table.grow(5, by: record)
        #expect(table.settle(at: start) == .init())
        #expect(table.isWaiting(5))
        let late = start + StrangerLanes.patience + .milliseconds(1)
        table.progressed(0, at: late)
        #expect(table.settle(at: late) == .init(ended: [1]), "lane 4 is as silent and has nothing")
        #expect(table.settle(at: late) == .init())
        table.left(1)
        #expect(table.settle(at: late).granted == [5])
        #expect(table.bytes == 4 * record)
    }

    @Test(
        "the address with the fewest lanes goes first, however many wait, and is admitted within seconds beside 1,152 stalled lanes"
    )
    func addressWithFewestLanesGoesFirst() {
        var table = StrangerLanes()
        for lane in 0..<1152 as Range<UInt64> { table.enter(lane, from: host(UInt32(lane) / 24)) }
        var open = table.settle(at: start).granted
        #expect(open.count == 128 && table.count == 128)
        // Each has begun a record that does not arrive.
        for lane in open { table.grow(lane, by: record) }
        #expect(table.settle(at: start).granted.count == (16 << 20) / record)
        table.enter(5000, from: host(1000))
        #expect(table.settle(at: start).granted == [])
        let late = start + StrangerLanes.patience + .milliseconds(1)
        let ended = table.settle(at: late).ended
        #expect(Set(ended) == Set(open))
        table.left(ended[0])
        #expect(table.settle(at: late).granted == [5000])
        for lane in ended { table.left(lane) }
        open = table.settle(at: late).granted
        for lane in open { table.grow(lane, by: record) }
        table.grow(5000, by: record)
        #expect(table.settle(at: late).granted.first == 5000)
        #expect(table.count == 128 && table.bytes <= 16 << 20)
    }

    @Test("limits hold in any order of events, and a waiting request is granted when others end")
    func holdsItsLimits() {
        var generator = SystemRandomNumberGenerator()
        let limits = StrangerLanes.Limits(lanes: 6, bytes: 3 * record)
        var table = StrangerLanes(limits)
        var now = start
        var known: Set<UInt64> = []
        var open: Set<UInt64> = []
        var waiting: Set<UInt64> = []
        for number in 0..<20_000 as Range<UInt64> {
            now += .milliseconds(Int.random(in: 0...300, using: &generator))
            switch Int.random(in: 0..<4, using: &generator) {
            case 0:
                table.enter(number, from: host(.random(in: 0..<4, using: &generator)))
                known.insert(number)
                waiting.insert(number)
            case 1:
                open.subtracting(waiting).randomElement(using: &generator).map {
                    table.grow($0, by: record / 8)
                    waiting.insert($0)
                }
            case 2: open.randomElement(using: &generator).map { table.progressed($0, at: now) }
            default:
                known.randomElement(using: &generator).map {
                    table.left($0)
                    known.remove($0)
                    open.remove($0)
                    waiting.remove($0)
                }
            }
            let changes = table.settle(at: now)
            #expect(waiting.isSuperset(of: changes.granted) && open.isSuperset(of: changes.ended))
            waiting.subtract(changes.granted)
            open.formUnion(changes.granted)
            #expect(table.count == open.count && table.count <= limits.lanes && table.bytes <= limits.bytes)
            #expect(table.hasWaiting == !waiting.isEmpty)
        }
        for lane in open { table.left(lane) }
        _ = table.settle(at: now)
        #expect(table.count <= limits.lanes)
    }
}
