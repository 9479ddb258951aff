import PortolanProtocol

extension OfferedRepresentation {
    /// True if it is known to be larger than a limit.
    func isLarger(than limit: UInt64?) -> Bool { apparentSize ?? 0 > limit ?? .max }
}

extension OfferedItem {
    /// The numbers of all representations but one.
    func all(but representation: Int) -> Set<Int> { Set(representations.indices).subtracting([representation]) }

    /// The most bytes that a representation, or one that may come in its place when it fails, appears to have; nil if
    /// one of them has no known size. Consent to the representation covers so much and no more.
    func mostBytes(from representation: Int) -> UInt64? {
        representations[representation...].reduce(0) { most, other in
            guard let most, let size = other.apparentSize else { return nil }
            return max(most, size)
        }
    }

    /// The decline of an item that is too large and would be taken if it were smaller; nil for all others.
    func refusal(above limit: UInt64?, accepting types: inout AcceptedTypes) -> Decline? {
        guard let limit, representations.contains(where: { $0.isLarger(than: limit) }),
            Negotiation.choose(self, accepting: &types) != nil
        else { return nil }
        return Decline(.tooLarge, detail: "At most \(limit) bytes are taken of an item.")
    }
}
