import PortolanFiles
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
    ///
    /// - Throws: `StoreError`, and `NodeError` if the configured team does not exist.
    public func preview(_ items: [Item], for standing: Standing) throws -> [RepresentationView] {
        try withAudiences(withConvertedForms(items)).enumerated().flatMap { index, item in
            var position = 0
            return item.representations.enumerated().map { number, representation in
                let restriction = representation.restriction
                let isShown = standing.maySee(restriction.visibility, restriction.audience)
                defer { if isShown { position += 1 } }
                return RepresentationView(
                    item: index, representation: number, contentType: representation.contentType.identifier,
                    visibility: representation.visibility, isShown: isShown, position: isShown ? position : nil,
                    reason: representation.reason(for: standing))
            }
        }
    }
}

extension ItemRepresentation {
    /// Why a peer of this standing sees it, or does not.
    fileprivate func reason(for standing: Standing) -> String {
        let said = Restriction(visibility, for: audience)
        guard restriction == said || audience == nil else {
            return restriction == .nobody
                ? "it was received for \(kept), and what is for others is not for them"
                : standing.explain(restriction.visibility, restriction.audience)
        }
        return standing.explain(visibility, audience)
    }
}
