import PortolanProtocol

extension OfferedRepresentation {
    /// True if the size is known and above the limit.
    func isLarger(than limit: UInt64?) -> Bool { apparentSize ?? 0 > limit ?? .max }
}

extension OfferedItem {
    /// The numbers of all representations but one.
    func all(but representation: Int) -> Set<Int> { Set(representations.indices).subtracting([representation]) }

    /// Largest apparent size of a representation and of those that may replace it, in bytes; nil if one of them is
    /// unknown. Consent to the representation covers this size and no more.
    func mostBytes(from representation: Int) -> UInt64? {
        representations[representation...].reduce(0) { most, other in
            guard let most, let size = other.apparentSize else { return nil }
            return max(most, size)
        }
    }

    /// Refusal of an item that is too large but otherwise acceptable; nil for other items.
    func refusal(above limit: UInt64?, accepting types: inout AcceptedTypes) -> Decline? {
        guard let limit, representations.contains(where: { $0.isLarger(than: limit) }),
            Negotiation.choose(self, accepting: &types) != nil
        else { return nil }
        return Decline(.tooLarge, detail: "At most \(limit) bytes are taken of an item.")
    }
}
