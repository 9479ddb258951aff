/// Trace of the events of a simulation, in their order, as a hash (FNV-1a): equal runs have equal traces.
package struct Trace: Hashable, Sendable {
    package private(set) var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    package private(set) var count = 0

    package init() {}

    package mutating func note(_ values: UInt64...) {
        count += 1
        for value in values {
            for shift in stride(from: 0, to: 64, by: 8) {
                hash = (hash ^ (value >> UInt64(shift)) & 0xFF) &* 0x100_0000_01B3
            }
        }
    }

    mutating func note(_ time: Int64, _ values: UInt64...) {
        note(UInt64(time))
        for value in values { note(value) }
    }
}
