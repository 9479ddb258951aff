import PortolanTransport
import PortolanTrust

extension Node {
    /// The items, each `team` and `group` representation with whom it is for: where none is named, the default team, and this
    /// device's own groups in it. May block.
    func withAudiences(_ items: [Item]) throws -> [Item] {
        let isMissing = items.contains { $0.representations.contains(where: \.lacksAudience) }
        guard isMissing, let audience = try defaultAudience() else { return items }
        return items.map { item in
            var item = item
            for index in item.representations.indices where item.representations[index].lacksAudience {
                item.representations[index].audience = audience
            }
            return item
        }
    }

    /// nil if this device is in no team.
    private func defaultAudience() throws -> Audience? {
        guard try configuration.team != nil || trust.teams().contains(where: \.isDefault) else { return nil }
        return try audience(team: configuration.team, groups: [])
    }
}

extension ItemRepresentation {
    fileprivate var lacksAudience: Bool {
        (visibility == .team || visibility == .group) && audience == nil
    }
}
