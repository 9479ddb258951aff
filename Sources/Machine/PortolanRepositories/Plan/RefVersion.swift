/// Version of one value: how many changes by each writer it includes.
package struct RefVersion: Hashable, Sendable {
    static let maximumWriters = 64

    private(set) var counts: [WriterID: UInt64] = [:]

    init() {}

    /// - Parameter text: writers with counts, such as `0123456789abcdef:2,…`; `-` for none.
    init?(_ text: some StringProtocol) {
        if text == "-" { return }
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let pair = part.split(separator: ":", omittingEmptySubsequences: false)
            guard pair.count == 2, let writer = WriterID(pair[0]), let count = UInt64(pair[1]), count > 0,
                count < UInt64.max / 2, counts[writer] == nil, counts.count < Self.maximumWriters
            else { return nil }
            counts[writer] = count
        }
        guard !counts.isEmpty else { return nil }
    }

    var text: String {
        guard !counts.isEmpty else { return "-" }
        return counts.sorted { $0.key < $1.key }.map { "\($0.key.text):\($0.value)" }.joined(separator: ",")
    }

    func covers(_ other: Self) -> Bool { other.counts.allSatisfy { counts[$0.key, default: 0] >= $0.value } }

    func merged(with other: Self) -> Self {
        var result = self
        result.counts.merge(other.counts, uniquingKeysWith: max)
        return result
    }

    /// The version after a change by a writer.
    func changed(by writer: WriterID) -> Self {
        var result = self
        result.counts[writer, default: 0] += 1
        return result
    }
}

/// A value with its version.
package struct Versioned<Value: Hashable & Sendable>: Hashable, Sendable {
    var value: Value
    var version: RefVersion

    init(_ value: Value, _ version: RefVersion) {
        self.value = value
        self.version = version
    }
}

/// Decision on a value that another device has told.
enum RefDecision: Hashable, Sendable {
    /// Both devices have it.
    case same
    /// This device is further.
    case keep
    /// The other device is further.
    case take
    /// Both have moved, in different directions.
    case apart

    /// - Parameters:
    ///   - ours: nil if it was never known here. A value nil is a reference that was deleted.
    ///   - descends: true if the first commit has the second among its ancestors.
    /// - Returns: the decision, and the version of what stays or comes.
    static func of<Failure: Error>(
        _ ours: Versioned<ObjectName?>?, _ theirs: Versioned<ObjectName?>,
        descends: (ObjectName, ObjectName) throws(Failure) -> Bool
    ) throws(Failure) -> (decision: RefDecision, version: RefVersion) {
        guard let ours else { return (theirs.value == nil ? .keep : .take, theirs.version) }
        let both = ours.version.merged(with: theirs.version)
        if ours.value == theirs.value { return (.same, both) }
        if ours.version != theirs.version {
            if theirs.version.covers(ours.version) { return (.take, theirs.version) }
            if ours.version.covers(theirs.version) { return (.keep, ours.version) }
        }
        // A value is worth more than a deletion that did not know it.
        guard let mine = ours.value else { return (.take, both) }
        guard let other = theirs.value else { return (.keep, both) }
        if try descends(other, mine) { return (.take, both) }
        if try descends(mine, other) { return (.keep, both) }
        return (.apart, ours.version)
    }
}
