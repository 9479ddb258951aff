import Portolan
import PortolanClient

/// Operations of the local API on shared items.
extension AgentOperations {
    func shelf() async throws -> [AgentAPI.SharedItem] {
        try await read { try $0.shared.summaries() }
    }

    func share(_ item: AgentAPI.NewSharedItem) async throws -> AgentAPI.SharedItem {
        if let expires = item.expires, expires <= database.now {
            throw AgentAPI.Problem.invalid("“expires” is over already.")
        }
        return try await agent.shelf.share(try await kept(item), until: item.expires)
    }

    private func kept(_ new: AgentAPI.NewSharedItem) async throws -> KeptItem {
        if let document = new.document {
            guard new.title == nil, new.audience == nil else {
                throw AgentAPI.Problem.invalid("A “document” has its title and its audience in it.")
            }
            return try KeptItem(document: Array(document))
        }
        var item: Item
        if let path = new.path {
            item = try await .file(at: path)
        } else {
            item = .text(new.text ?? "")
        }
        if let title = new.title { item.givenTitle = title }
        guard let audience = new.audience else { return try await agent.node.kept(item) }
        return try await agent.node.kept(agent.node.items([item], for: TeamTarget.parse(audience))[0])
    }

    func unshare(_ id: AgentAPI.ID) async throws { try await agent.shelf.unshare(id.state) }
}
