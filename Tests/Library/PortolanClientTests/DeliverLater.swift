import Foundation
import PortolanClient

/// Queues a file at the agent, also for a peer that is away, and waits until the parcel is settled.
func deliver(_ path: String, to target: String, socket: String) async throws -> Bool {
    let client = try AgentClient(socket: socket)
    let before = try await client.events(from: .newest, limit: 1).next
    let parcel = try await client.queue(
        AgentAPI.NewParcel(target: target, paths: [path], expires: Date().addingTimeInterval(86_400)))
    var state = parcel.state
    try await client.follow(from: .after(before)) { event in
        if event.kind.hasPrefix("outbox.") { state = try await client.parcel(parcel.id).state }
        return state == .waiting || state == .running
    }
    return state == .delivered
}
