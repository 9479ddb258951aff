import Portolan
import PortolanClient

/// The local API's operations on the outbox.
extension AgentOperations {
    func outbox(_ query: AgentAPI.Query) async throws -> AgentAPI.ParcelPage {
        let states = Set(query.states.compactMap { ParcelState(rawValue: $0) })
        let parcels = try await read { change in
            let after = try query.after.map { try change.outbox.show($0.state).order } ?? 0
            // A parcel beyond the limit shows if another page follows.
            return try change.outbox.list(states: states, after: after, limit: query.limit + 1)
        }
        let page = parcels.prefix(query.limit).map { AgentAPI.Parcel($0) }
        return AgentAPI.ParcelPage(parcels: page, next: parcels.count > query.limit ? page.last?.id : nil)
    }

    func parcel(_ id: AgentAPI.ID) async throws -> AgentAPI.Parcel {
        let (parcel, settlements) = try await read { change in
            (try change.outbox.show(id.state), try change.outbox.settlements(of: id.state))
        }
        let members = (try? await agent.node.members(of: ParcelTarget(parcel.target))) ?? []
        let names = Dictionary(members.map { ($0.key.bytes, $0.name.text) }) { name, _ in name }
        return AgentAPI.Parcel(
            parcel,
            settlements: settlements.map { settlement in
                AgentAPI.Settlement(
                    settlement, name: names[settlement.member.bytes],
                    receiptIsValid: agent.node.isReceiptValid(settlement, of: parcel.id))
            })
    }

    func queue(_ new: AgentAPI.NewParcel) async throws -> AgentAPI.Parcel {
        if let expires = new.expires, expires <= database.now {
            throw AgentAPI.Problem.invalid("“expires” is over already.")
        }
        var parcel = try await self.parcel(of: new)
        try await agent.node.bind(&parcel)
        if parcel.target.isTeam { _ = try await agent.node.members(of: parcel.target) }
        let expires = new.expires
        guard new.copy == true else { return try await add(parcel, until: expires) }
        return try await agent.copies.copy(parcel) { try await add($0, until: expires) }
    }

    private func add(_ parcel: Parcel, until expires: Date?) async throws -> AgentAPI.Parcel {
        let added = try await write { try $0.outbox.add(parcel, expires: expires) }
        await agent.dispatcher.add(added)
        return AgentAPI.Parcel(added)
    }

    private func parcel(of new: AgentAPI.NewParcel) async throws -> Parcel {
        if let document = new.document { return try Parcel(document: Array(document)) }
        var items: [Item] = []
        for path in new.paths ?? [] { items.append(try await .file(at: path)) }
        if let text = new.text { items.append(.text(text)) }
        if let title = new.title {
            guard items.count == 1 else { throw AgentAPI.Problem.invalid("“title” belongs to exactly one item.") }
            items[0].givenTitle = title
        }
        return try await agent.node.parcel(
            items, to: new.target, options: new.options.map { ParcelOptions($0) } ?? ParcelOptions())
    }

    func cancel(_ id: AgentAPI.ID) async throws -> AgentAPI.Parcel {
        try await write { try $0.outbox.cancel(id.state) }
        await agent.dispatcher.remove(id.state)
        return try await parcel(id)
    }

    func retry(_ id: AgentAPI.ID) async throws -> AgentAPI.Parcel {
        let (parcel, settlements) = try await write { [copies = agent.copies] change in
            // The check is in the transaction, because copies of ended parcels are also removed in one.
            guard try !copies.areGone(Parcel(document: try change.outbox.document(of: id.state))) else {
                throw StateRefusal(
                    .conflict,
                    "The copy of what parcel \(id) delivers was removed when that was over. Send it anew.")
            }
            try change.outbox.retry(id.state)
            return (try change.outbox.show(id.state), try change.outbox.settlements(of: id.state))
        }
        await agent.dispatcher.retry(parcel, settlements)
        return try await self.parcel(id)
    }
}
