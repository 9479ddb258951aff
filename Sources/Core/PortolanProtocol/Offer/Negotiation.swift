import UniformTypeIdentifiers

/// Choice of the representation that a receiver takes.
public enum Negotiation {
    /// Returns the first representation, in the sender's order, of an accepted type.
    ///
    /// - Parameters:
    ///   - accepting: types that the receiver can import; nil means everything, an empty list nothing.
    ///   - excluding: indices of failed attempts.
    /// - Returns: an index into `item.representations`; nil if no type is accepted.
    public static func choose(
        _ item: OfferedItem, accepting: [UTType]?, excluding: Set<Int> = []
    ) -> Int? {
        var accepted = AcceptedTypes(accepting)
        return choose(item, accepting: &accepted, excluding: excluding)
    }

    /// Chooses likewise for the items of an offer, one after another.
    ///
    /// - Parameter isStorable: true if the receiver can store a representation, apart from its type.
    public static func choose(
        _ item: OfferedItem, accepting: inout AcceptedTypes, excluding: Set<Int> = [],
        where isStorable: (OfferedRepresentation) -> Bool = { _ in true }
    ) -> Int? {
        item.representations.indices.first { index in
            let representation = item.representations[index]
            return !excluding.contains(index) && isStorable(representation) && accepting.accepts(representation)
        }
    }
}
