/// Measured rates on which the choice between a delta and the whole file depends.
package struct DeltaRates: Sendable {
    /// Bytes per second that the connection carries.
    package var link: Double
    /// Bytes per second for reading content and computing its digests, on the slower side.
    package var scan: Double
    /// Bytes per second for finding blocks in changed ranges.
    package var search: Double
    /// Bytes per second for copying from the base.
    package var copy: Double
    /// Seconds for a question and its answer.
    package var roundTrip: Double

    package init(link: Double, scan: Double, search: Double, copy: Double, roundTrip: Double) {
        precondition([link, scan, search, copy].allSatisfy { $0 > 0 } && roundTrip >= 0)
        self.link = link
        self.scan = scan
        self.search = search
        self.copy = copy
        self.roundTrip = roundTrip
    }
}

/// Decides whether a delta pays: whether it takes less time than the whole file, or hardly more with fewer bytes on the
/// network.
package struct DeltaPlanner: Sendable {
    /// From the fewest bytes on the network to the most.
    package enum Plan: Hashable, CaseIterable, Sendable {
        /// Copies of chunks; signatures of the base for changed ranges that have requests.
        case blocks
        /// Copies of chunks; changed ranges are literals.
        case chunks
        /// All bytes of the new content.
        case whole
    }

    package let rates: DeltaRates
    /// Seconds that a plan with fewer bytes may take longer.
    package let patience: Double
    /// The share of a changed range that blocks of the base are expected to make up, where the base has as many bytes.
    private static let expectedReuse = 0.5

    package init(_ rates: DeltaRates, patience: Double = 0.1) {
        self.rates = rates
        self.patience = patience
    }

    /// Returns true if making chunk lists can pay, before the content is known.
    ///
    /// - Parameter listLength: bytes of the chunk list that goes over the network; 0 if the sender has it.
    package func comparisonPays(newSize: UInt64, listLength: UInt64) -> Bool {
        let comparison = Double(newSize) / rates.scan + Double(listLength) / rates.link + rates.roundTrip
        // The new content is read again for its digest, on the other side.
        let rest = Double(newSize) / rates.copy + Double(newSize) / rates.scan
        return comparison + rest < Double(newSize) / rates.link
    }

    /// Returns the plan with the fewest bytes of those that take hardly longer than the fastest.
    package func plan(_ match: ChunkMatch) -> Plan {
        let times = Plan.allCases.map { ($0, seconds($0, match)) }
        let fastest = times.map(\.1).min() ?? 0
        return times.first { $0.1 <= fastest + patience }?.0 ?? .whole
    }

    private func seconds(_ plan: Plan, _ match: ChunkMatch) -> Double {
        switch plan {
        case .blocks: blocks(match)
        case .chunks: match.copiedLength > 0 ? chunks(match) : .infinity
        case .whole: whole(match)
        }
    }

    private func whole(_ match: ChunkMatch) -> Double { Double(match.copiedLength + match.changedLength) / rates.link }

    /// Copies of chunks, and the digest of the whole content on the other side.
    private func building(_ match: ChunkMatch) -> Double {
        Double(match.copiedLength) / rates.copy + Double(match.copiedLength + match.changedLength) / rates.scan
    }

    private func chunks(_ match: ChunkMatch) -> Double { Double(match.changedLength) / rates.link + building(match) }

    private func blocks(_ match: ChunkMatch) -> Double {
        var (literal, signatures, searched, summed) = (0.0, 0.0, 0.0, 0.0)
        for case .changed(let changed) in match.segments {
            let length = Double(changed.range.count)
            let base = changed.requests.reduce(0) { $0 + Double($1.base.count) }
            literal += length - min(length, base) * Self.expectedReuse
            signatures += Double(changed.requests.reduce(0) { $0 + $1.signatureLength })
            searched += length * Double(changed.requests.count)
            summed += base
        }
        guard signatures > 0 else { return .infinity }
        return rates.roundTrip + (literal + signatures) / rates.link + searched / rates.search + summed / rates.scan
            + building(match)
    }
}
