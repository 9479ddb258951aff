import Foundation
import PortolanConcurrency
import PortolanTransport
import PortolanTrust

/// What became of the items that were sent to one member of a team.
public struct MemberDelivery: Sendable {
    public let member: Member
    /// A failure says why no session came about or why it broke.
    public let result: Result<[Delivery], NodeError>

    /// Whether a session with the member came about.
    public var isReached: Bool {
        if case .failure(let error) = result { error.kind != .unreachable } else { true }
    }
}

extension Node {
    /// Sends items to all members of a team, or of one of its groups, that can be reached; to several at once.
    ///
    /// - Parameters:
    ///   - team: its name, or its identifier.
    ///   - events: called in order for each member, from any thread; to be quick.
    /// - Returns: one result for each member but this device, in the order of the roster.
    /// - Throws: `NodeError` if there is no such team or group or nobody else in it, `StoreError`, `CancellationError`.
    public func send(
        _ items: [Item], toTeam team: String, group: GroupName? = nil, options: SendOptions = SendOptions(),
        events: @escaping @Sendable (Member, SendEvent) -> Void = { _, _ in }
    ) async throws -> [MemberDelivery] {
        let stored = try await withLookupThread { try storedTeam(team) }
        guard !stored.isRemoved else {
            throw NodeError(.notTrusted, "This device has been removed from “\(stored.team.name)”.")
        }
        if stored.team.validity(now: .now) != .valid, let warning = stored.warning(now: .now) {
            throw NodeError(.notTrusted, "“\(stored.team.name)”: \(warning)")
        }
        let members = stored.team.members.filter { member in group.map { member.groups.contains($0) } ?? true }
        if members.isEmpty, let group {
            throw NodeError(.unreachable, "Team “\(stored.team.name)” has no group “\(group)”.")
        }
        let whereabouts = await whereabouts(of: members)
        guard !whereabouts.isEmpty else {
            throw NodeError(.unreachable, "Nobody else is in it yet.", advice: .inviteMembers)
        }
        let spooled = try await SpooledItems(items, copies: whereabouts.count)
        let deliveries = await concurrently(whereabouts) { member, peer in
            MemberDelivery(
                member: member, result: await self.deliver(spooled.items, to: member, at: peer, options, events))
        }
        try Task.checkCancellation()
        return deliveries
    }

    private func deliver(
        _ items: [Item], to member: Member, at peer: Peer?, _ options: SendOptions,
        _ events: @escaping @Sendable (Member, SendEvent) -> Void
    ) async -> Result<[Delivery], NodeError> {
        guard var peer else {
            return .failure(NodeError(.unreachable, "“\(member.name)” cannot be reached now."))
        }
        // The roster says which key is meant; what the device calls itself says nothing.
        peer.isChosenByKey = true
        do {
            return .success(try await send(items, to: peer, options: options) { events(member, $0) })
        } catch let error as NodeError {
            return .failure(error)
        } catch is CancellationError {
            return .failure(NodeError(.interrupted, "It was stopped."))
        } catch {
            return .failure(NodeError(.inputOutput, "\(error)"))
        }
    }
}
