import PortolanProtocol
import PortolanTrust

/// An accepted transfer that sends next to no bytes.
package final class SlowTransfer {
    private let peer: HostilePeer
    private let lane: HostileLane

    package init(at port: UInt16, from host: UInt32, identity: DeviceIdentity? = nil) throws {
        peer = try HostilePeer(port: port, identity: identity, from: host)
        try peer.shakeHands()
        let form = try OfferedRepresentation(type: OfferedType(identifier: "public.data"), channel: .file)
        try peer.send(.offer(Offer(id: 1, items: [OfferedItem(title: "slow", representations: [form])])))
        guard case .answer? = try peer.nextMessage() else { throw HostileSocket.Gone() }
        try peer.send(
            .begin(
                Message.Begin(
                    transfer: 1, offer: 1, item: 0, representation: 0, channel: .file, name: Array("slow".utf8),
                    size: nil, asks: false, requirements: [])))
        lane = try peer.openLane()
        try lane.send(.file(0, size: 1 << 40))
        try lane.sendPayload([0])
    }

    /// Sends the longest record of a file without its last byte. Blocks until the victim has read it.
    package func pinMemory() throws {
        let header = PayloadHeader(transfer: 1, entry: 0, offset: 1)
        let data = [UInt8](repeating: 0, count: Limits.payload)
        try lane.sendAllButOneByte(type: RecordType.payload.rawValue, header.encode() + data)
    }

    package func isHungUpOn(within seconds: Double) -> Bool { peer.isHungUpOn(within: seconds) }

    /// Disconnects without a message.
    package func cut() { peer.cut() }
}
