import UniformTypeIdentifiers

/// Which representation of an item a receiver takes.
public enum Negotiation {
    /// The first representation, in the sender's order, that is a kind of something the receiver accepts.
    ///
    /// - Parameters:
    ///   - accepting: what the receiver can import; `nil` means everything, an empty list nothing.
    ///   - excluding: indices that were tried and failed.
    /// - Returns: an index into `item.representations`, or `nil` if the two have nothing in common.
    public static func choose(
        _ item: OfferedItem, accepting: [UTType]?, excluding: Set<Int> = []
    ) -> Int? {
        item.representations.indices.first { index in
            guard !excluding.contains(index) else { return false }
            guard let accepting else { return true }
            return accepting.contains { item.representations[index].type.conforms(to: $0) }
        }
    }
}
