import PortolanConverters
import PortolanFiles
import PortolanProtocol
import PortolanTransport

/// Item as a peer of some standing is shown it, or not.
public struct ItemView: Sendable {
    /// Index of the item.
    public let item: Int
    /// Title that the peer is shown; this device's own title if the peer is shown nothing of the item.
    public let title: String
    /// The item's own representations, including hidden ones, followed by the derived forms that the peer is shown.
    public let representations: [RepresentationView]
    public let pictures: [PictureView]

    /// True if the item is offered at all.
    public var isShown: Bool { representations.contains(where: \.isShown) }
}

/// Representation as a peer of some standing is shown it, or not, and why.
public struct RepresentationView: Sendable {
    /// Index of the representation in the item; derived forms follow the item's own.
    public let representation: Int
    public let contentType: UTType
    public let suggestedName: String?
    /// Size in bytes; nil if not known in advance.
    public let size: UInt64?
    public let isFolder: Bool
    public let restriction: Restriction
    /// Level of the restriction; the requested level if its team or groups are missing, so that no peer sees it.
    public let visibility: Visibility
    /// Level and audience in words, with the team's name.
    public let audience: String
    public let isShown: Bool
    /// Index in the offer that the peer is shown.
    public let position: Int?
    /// Reason, in one clause for a person.
    public let reason: String
    /// Program that makes it of another representation once a peer has taken it; nil for a representation of the item
    /// itself.
    public let converter: String?
}

/// Picture of a preview as a peer of some standing is shown it, or not, and why.
public struct PictureView: Sendable {
    public enum Role: String, Sendable {
        case image, icon
    }

    public let role: Role
    public let restriction: Restriction
    public let isShown: Bool
    /// Reason, in one clause for a person.
    public let reason: String
}

extension Node {
    /// Shows the offer that a peer of this standing would get, in order, derived forms included. No message is sent.
    ///
    /// - Throws: `StoreError`, and `NodeError` if the configured team does not exist.
    public func preview(_ items: [Item], for standing: Standing) async throws -> [ItemView] {
        try await withBlockingThread {
            let names = try store.teams.names()
            let maker = environment.formMaker()
            return try environment.resolved(items).enumerated().map { number, item in
                let candidate = try CandidateItem(item, item.representations)
                return ItemView(
                    item: number, title: candidate.title(to: standing) ?? item.title,
                    representations: item.views(for: standing, with: maker) { names[$0] },
                    pictures: item.preview?.views(for: standing) ?? [])
            }
        }
    }
}

extension ResolvedItem {
    fileprivate func views(
        for standing: Standing, with maker: FormMaker?, naming name: (TeamID) -> TeamName?
    ) -> [RepresentationView] {
        let derived = shown(to: standing, with: maker).filter { $0.converter != nil }
        var position = 0
        return (representations + derived).map { resolved in
            let isShown = standing.maySee(resolved.restriction)
            defer { if isShown { position += 1 } }
            let representation = resolved.representation
            return RepresentationView(
                representation: resolved.index, contentType: representation.contentType,
                suggestedName: representation.suggestedName, size: representation.size,
                isFolder: representation.isFolder, restriction: resolved.restriction, visibility: resolved.visibility,
                audience: resolved.restriction == .nobody
                    ? resolved.visibility.description : resolved.restriction.description(naming: name),
                isShown: isShown, position: isShown ? position : nil,
                reason: resolved.reason(for: standing, naming: name),
                converter: resolved.converter?.tool)
        }
    }
}

extension ResolvedRepresentation {
    /// Level of the restriction; that which was requested, where a team or groups are missing.
    fileprivate var visibility: Visibility {
        guard restriction == .nobody, representation.kept == .everyone,
            case .level(let level) = representation.requested
        else { return restriction.visibility }
        return level
    }

    /// Reason why a peer of this standing sees the representation, or does not.
    fileprivate func reason(for standing: Standing, naming name: (TeamID) -> TeamName?) -> String {
        guard restriction == .nobody, representation.requested != .level(.ownProcess) else {
            return standing.explain(restriction)
        }
        switch representation.kept {
        case .nobody: return "the file is kept for nobody, or its audience cannot be read, so nobody sees it"
        case .everyone where isWithoutTeam: return "it is for a team, but this device is in none, so nobody sees it"
        case .everyone where representation.requested == .level(.group):
            return "it is for this device's groups in its team, but there are none, so nobody sees it"
        case .everyone: return standing.explain(restriction)
        default:
            let kept = representation.kept.description(naming: name)
            return "it was received for \(kept), and content for others is not for them"
        }
    }
}

extension CandidatePreview {
    fileprivate func views(for standing: Standing) -> [PictureView] {
        func view(_ picture: Picture?, _ role: PictureView.Role) -> PictureView? {
            picture.map {
                PictureView(
                    role: role, restriction: $0.restriction, isShown: standing.maySee($0.restriction),
                    reason: standing.explain($0.restriction))
            }
        }
        return [view(image, .image), view(icon, .icon)].compactMap(\.self)
    }
}
