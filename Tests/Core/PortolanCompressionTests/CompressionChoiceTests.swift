import TestSupport
import Testing

@testable import PortolanCompression

/// Whole transfers in simulated time: the choices of `auto` compared with the best possible ones.
@Suite struct CompressionChoiceTests {
    private static let megabyte = 1e6
    private static let log = 0.335

    private func lane(
        rate: Double, ratio: @escaping (Double) -> Double = { _ in log }
    ) -> SimulatedLane {
        // Size of a kernel's buffer: some hundredths of a second, within limits.
        let buffer = min(max(rate * Self.megabyte * 0.04, 500e3), 3e6)
        return SimulatedLane(content: ratio, link: { _ in rate * Self.megabyte }, buffer: buffer)
    }

    /// Speed of `auto` relative to never compressing and to always trying.
    private func compare(
        _ lane: SimulatedLane, seconds: Double = 3, seed: UInt64
    ) -> (never: Double, zstd: Double, packed: Double) {
        let bytes = min(max(lane.link(0), 25e6), 500e6) * seconds
        let never = lane.run(.never, bytes: bytes, seed: seed).seconds
        let zstd = lane.run(.zstd, bytes: bytes, seed: seed).seconds
        let auto = lane.run(.auto, bytes: bytes, seed: seed)
        return (never / auto.seconds, zstd / auto.seconds, auto.packed)
    }

    @Test("modes without a choice act as they are named")
    func fixedModes() {
        let seed = testSeed()
        let lane = lane(rate: 100)
        #expect(lane.run(.never, bytes: 1e8, seed: seed).packed == 0)
        #expect(lane.run(.zstd, bytes: 1e8, seed: seed).packed >= 1)
    }

    @Test(
        "logs: on every link auto is as fast as the better of never and always, or faster",
        arguments: [0.1, 1, 10, 50, 118, 200, 300, 400, 600, 800, 1000, 1500, 3000, 10_000])
    func logs(rate: Double) {
        let seed = testSeed()
        let result = compare(lane(rate: rate), seed: seed)
        #expect(result.never >= 0.97 && result.zstd >= 0.96, "\(result), seed \(seed)")
        if rate >= 1000 { #expect(result.packed < 0.01, "\(result), seed \(seed)") }
        if rate <= 118 { #expect(result.packed > 0.8 && result.never > 2.3, "\(result), seed \(seed)") }
    }

    @Test(
        "incompressible content never loses 3 %",
        arguments: [10, 118, 600, 1200, 3000, 10_000], [0.02, 0.2, 3])
    func dense(rate: Double, seconds: Double) {
        let seed = testSeed()
        for receiving in [0, 0.9e-9] {
            var lane = lane(rate: rate) { _ in 1 }
            lane.receiving = receiving
            lane.noise = 0
            let result = compare(lane, seconds: seconds, seed: seed)
            #expect(result.never >= 0.97 && result.packed == 0, "\(result), seed \(seed)")
        }
    }

    @Test(
        "hardly compressible content loses nothing either", arguments: [10, 118, 400, 1000, 3000], [0.75, 0.9, 0.93])
    func poor(rate: Double, ratio: Double) {
        let seed = testSeed()
        let result = compare(lane(rate: rate) { _ in ratio }, seed: seed)
        #expect(result.never >= 0.97 && result.zstd >= 0.95, "\(result), seed \(seed)")
    }

    @Test("zeros are compressed on a link on which logs are not")
    func zeros() {
        let seed = testSeed()
        var lane = lane(rate: 1000) { _ in 0.001 }
        lane.compressing = 0.25e-9
        let result = compare(lane, seed: seed)
        #expect(result.packed > 0.5 && result.never > 1.3, "\(result), seed \(seed)")
    }

    @Test(
        "content that changes is compressed where that pays, and only there, in pieces of any length",
        arguments: [1, 4, 64, 250], [50, 118, 300, 1000, 3000])
    func alternating(blocks: Double, rate: Double) {
        let seed = testSeed()
        let lane = lane(rate: rate) { offset in
            (offset / (262_144 * blocks)).truncatingRemainder(dividingBy: 2) < 1 ? 1 : Self.log
        }
        let result = compare(lane, seed: seed)
        #expect(result.never >= 0.97, "\(result), seed \(seed)")
        // A piece of a few blocks is judged after one or two of them.
        if rate <= 118 { #expect(result.never > (blocks < 4 ? 1.2 : 1.35), "\(result), seed \(seed)") }
    }

    @Test(
        "a link that changes its speed is followed", arguments: [0.3, 1, 3],
        [(118, 2000), (30, 600), (118, 400), (1000, 3000)])
    func changingLink(period: Double, rates: (Double, Double)) {
        let seed = testSeed()
        let lane = SimulatedLane(
            content: { _ in Self.log },
            link: { time in
                ((time / period).truncatingRemainder(dividingBy: 2) < 1 ? rates.0 : rates.1) * Self.megabyte
            })
        let bytes = 2e9
        let never = lane.run(.never, bytes: bytes, seed: seed).seconds
        let zstd = lane.run(.zstd, bytes: bytes, seed: seed).seconds
        let auto = lane.run(.auto, bytes: bytes, seed: seed).seconds
        #expect(auto <= min(never, zstd) / 0.95, "never \(never) zstd \(zstd) auto \(auto), seed \(seed)")
    }

    @Test(
        "a receiver that cannot keep up with expanding is not made to", arguments: [0.5, 1, 2, 4], [300, 1000, 10_000])
    func slowReceiver(expanding: Double, rate: Double) {
        let seed = testSeed()
        var lane = lane(rate: rate)
        lane.receiving = 0.9e-9
        lane.expanding = expanding * 1e-9
        let result = compare(lane, seed: seed)
        #expect(result.never >= 0.96, "\(result), seed \(seed)")
    }

    @Test("a disk that is slower than the link leaves nothing to gain")
    func slowDisk() {
        let seed = testSeed()
        var lane = lane(rate: 118)
        lane.reading = 20e-9
        let result = compare(lane, seed: seed)
        #expect(result.packed < 0.01 && result.never >= 0.97, "\(result), seed \(seed)")
    }

    @Test("small and large kernel buffers make no difference", arguments: [100e3, 1e6, 16e6], [118, 1000])
    func buffers(buffer: Double, rate: Double) {
        let seed = testSeed()
        var lane = lane(rate: rate)
        lane.buffer = max(buffer, 300e3)
        let result = compare(lane, seconds: 6, seed: seed)
        #expect(result.never >= 0.97, "\(result), seed \(seed)")
        if rate == 118 { #expect(result.never > 2.3, "\(result), seed \(seed)") }
    }
}
