import PortolanProtocol
import PortolanTrust
import UniformTypeIdentifiers

/// A representation as a peer of some standing would or would not be shown it, and why.
public struct RepresentationView: Sendable {
    public let item: Int
    public let representation: Int
    public let contentType: String
    public let visibility: Visibility
    public let isShown: Bool
    /// The position the peer would know it by, counted among what it is shown.
    public let position: Int?
    /// One clause for a person.
    public let reason: String
}

extension Node {
    /// What would be offered to a peer of this standing, in order, forms that converters can make included. Nothing is sent.
    public func preview(_ items: [Item], for standing: Standing) -> [RepresentationView] {
        withConvertedForms(items).enumerated().flatMap { index, item in
            var position = 0
            return item.representations.enumerated().map { number, representation in
                let isShown = standing.maySee(representation.visibility)
                defer { if isShown { position += 1 } }
                return RepresentationView(
                    item: index, representation: number, contentType: representation.contentType.identifier,
                    visibility: representation.visibility, isShown: isShown, position: isShown ? position : nil,
                    reason: standing.explain(representation.visibility))
            }
        }
    }
}
