import PortolanProtocol

extension OfferedRepresentation {
    /// Whether it is known to be larger than a limit.
    func isLarger(than limit: UInt64?) -> Bool { apparentSize ?? 0 > limit ?? .max }
}

extension OfferedItem {
    /// The decline of an item that is too large and would be taken if it were smaller; nil for all others.
    func refusal(above limit: UInt64?, accepting types: inout AcceptedTypes) -> Decline? {
        guard let limit, representations.contains(where: { $0.isLarger(than: limit) }),
            Negotiation.choose(self, accepting: &types) != nil
        else { return nil }
        return Decline(.tooLarge, detail: "At most \(limit) bytes are taken of an item.")
    }
}
