import Foundation
import PortolanProtocol

/// Offers of the largest permitted size, each in another way.
package enum LargestOffer: String, Sendable, CaseIterable {
    /// Many items with a long title and a long name each.
    case texts
    /// Representations, as many as fit, each with the least data.
    case representations
    case pictures
    /// Content, as much as one offer may contain.
    case content

    package func offer() throws -> Offer {
        switch self {
        case .texts:
            // The limit for a control record is 256 KiB.
            let text = String(repeating: "t", count: 96)
            let form = try Self.form(name: text)
            return try Offer(
                id: 1,
                items: (0..<Limits.items).map { _ in try OfferedItem(title: text, representations: [form]) })
        case .representations:
            let form = try Self.form(name: nil)
            let items = 800
            return try Offer(
                id: 1,
                items: (0..<items).map { _ in
                    try OfferedItem(
                        title: "t", representations: Array(repeating: form, count: Limits.representations))
                })
        case .pictures:
            let picture = try ItemPreview.Picture(
                type: "public.png", data: Data(repeating: 7, count: Limits.picture - 64))
            let form = try Self.form(name: nil)
            return try Offer(
                id: 1,
                items: (0..<7).map { _ in
                    try OfferedItem(
                        title: "t", representations: [form], preview: ItemPreview(image: picture))
                })
        case .content:
            guard let offer = try Self.bringing() else { preconditionFailure("It fits into an offer") }
            return offer
        }
    }

    private static func bringing() throws -> Offer? {
        let count = 64
        let content = try InlineContent(
            representation: 0, name: [], content: Data(repeating: 7, count: Limits.inlineContent / count))
        let form = try form(name: nil)
        let offer = try Offer(
            id: 1, items: (0..<count).map { _ in try OfferedItem(title: "t", representations: [form]) })
        return try offer.bringing(Dictionary(uniqueKeysWithValues: (0..<count).map { ($0, content) }))
    }

    private static func form(name: String?) throws -> OfferedRepresentation {
        try OfferedRepresentation(type: OfferedType(identifier: "x"), channel: .data, suggestedName: name)
    }
}
