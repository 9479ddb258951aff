import Glibc

/// Returns the seed of a test with random numbers: a new one for each run, or a given one, `PORTOLAN_SEED=…`.
public func testSeed() -> UInt64 {
    if let given = getenv("PORTOLAN_SEED"), let seed = UInt64(String(cString: given)) { return seed }
    return UInt64.random(in: UInt64.min...UInt64.max)
}
