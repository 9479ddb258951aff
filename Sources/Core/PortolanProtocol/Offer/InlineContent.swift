import Foundation
import PortolanValues

/// Content of one representation that is sent with the offer (TRANSFER.md, "Inline content").
package struct InlineContent: Hashable, Sendable {
    /// Index of the representation in the item.
    package let representation: Int
    /// Name at the sender; may be empty. Untrusted bytes until `FileName` has checked them.
    package let name: [UInt8]
    /// Properties that must be kept for the item to be stored; empty on the data channel.
    package let requirements: Fidelity
    /// On the data channel the whole content; on the file channel the plaintext of one tree record, with transfer
    /// number 0.
    package let content: Data

    package init(
        representation: Int, name: [UInt8], requirements: Fidelity = [], content: Data
    ) throws(InvalidValue) {
        precondition(representation >= 0, "A place in a list")
        try InvalidValue.checkName(name)
        self.representation = representation
        self.name = name
        self.requirements = requirements
        self.content = content
    }

    /// Checks that it is of one of the representations beside it.
    func check(among representations: [OfferedRepresentation]) throws(InvalidValue) {
        try InvalidValue.check(
            representation < representations.count, "Content came with an offer for a representation that is not in it."
        )
        try InvalidValue.check(
            representations[representation].channel == .file || requirements.isEmpty, "Data requires nothing.")
    }
}

extension Offer {
    /// Returns the offer with the contents of some of its items, and with estimates of some folders' sizes.
    ///
    /// - Parameters:
    ///   - contents: contents by item; together no more than ``Limits/inlineContent``.
    ///   - estimates: bytes of each item's first representation, by item.
    /// - Returns: nil if the offer would be too large.
    package func bringing(
        _ contents: [Int: InlineContent], estimates: [Int: UInt64] = [:]
    ) throws(InvalidValue) -> Offer? {
        let offer = try replacingInline(estimates) { contents[$0] }
        return offer.encodedSize <= Limits.control ? offer : nil
    }

    /// The offer without inline content.
    var withoutInline: Offer {
        guard items.contains(where: { $0.inline != nil }) else { return self }
        return certain(try replacingInline { _ in nil }, "Less than a good offer is one")
    }

    private func replacingInline(
        _ estimates: [Int: UInt64] = [:], _ content: (Int) -> InlineContent?
    ) throws(InvalidValue) -> Offer {
        var items: [OfferedItem] = []
        for (index, item) in self.items.enumerated() {
            var representations = item.representations
            if let estimate = estimates[index] { representations[0] = representations[0].estimated(at: estimate) }
            items.append(
                try OfferedItem(
                    title: item.title, representations: representations, preview: item.preview,
                    inline: content(index), parcelItem: item.parcelItem))
        }
        return try Offer(id: id, items: items, request: request, parcel: parcel)
    }
}
