import PortolanProtocol

extension OfferedRepresentation {
    /// Whether it is known to be larger than a limit.
    func isLarger(than limit: UInt64?) -> Bool { apparentSize ?? 0 > limit ?? .max }
}

extension OfferedItem {
    /// What is said of the item if something of it would be taken were it smaller; nil if that is not so.
    func refusal(above limit: UInt64?, accepting types: inout AcceptedTypes) -> Decline? {
        guard let limit, representations.contains(where: { $0.isLarger(than: limit) }),
            Negotiation.choose(self, accepting: &types) != nil
        else { return nil }
        return Decline(.tooLarge, detail: "At most \(limit) bytes are taken of an item.")
    }
}
