import Portolan

/// Counts complete items, if there are so many that a line for each would hide everything else.
struct ItemTally: Hashable, Sendable {
    /// Largest number of items that have a line each.
    static let few = 10

    private(set) var count = 0
    private var bytes: UInt64 = 0
    private var kept: UInt64 = 0
    private var renamed = 0
    private var began: ContinuousClock.Instant?

    /// Notes the time at which the first item began.
    mutating func begin(at now: ContinuousClock.Instant) { began = began ?? now }

    /// - Parameters:
    ///   - bytes: content of the item.
    ///   - kept: number of these bytes that were present already.
    ///   - isRenamed: true if it was stored under a different name.
    mutating func add(bytes more: UInt64, kept: UInt64, isRenamed: Bool) {
        count += 1
        bytes = Self.sum(bytes, more)
        self.kept = Self.sum(self.kept, min(kept, more))
        if isRenamed { renamed += 1 }
    }

    /// The sum, or the largest number on overflow.
    static func sum(_ one: UInt64, _ other: UInt64) -> UInt64 {
        let (sum, overflow) = one.addingReportingOverflow(other)
        return overflow ? .max : sum
    }

    /// `1.20 GB in 4.0 s, 3 under other names, 1.00 GB of it was there already`.
    func amount(at now: ContinuousClock.Instant) -> String {
        let time = began.map { " in \(Human.duration(($0.duration(to: now)).inSeconds))" } ?? ""
        let names =
            renamed == 0 ? [] : ["\(Human.number(renamed)) under \(renamed == 1 ? "another name" : "other names")"]
        let rest = kept == 0 ? [] : ["\(Human.size(kept)) of it was there already"]
        return (["\(Human.size(bytes))\(time)"] + names + rest).joined(separator: ", ")
    }
}
