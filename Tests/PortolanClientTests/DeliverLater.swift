import Foundation
import PortolanClient

/// Has the agent deliver a file, also to somebody who is away, and waits until it is over with that.
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
