import Foundation
import PortolanSyncPlan
import SwiftProtobuf

extension MemberLack {
    static func all(_ wire: [WireSyncLack]) throws(InvalidValue) -> [MemberLack] {
        try InvalidValue.checkCount(wire.count, "lacks of one folder", maximum: Limits.lacks.ofFolder)
        return try wire.map { lack throws(InvalidValue) in try MemberLack(lack) }
    }

    private init(_ wire: WireSyncLack) throws(InvalidValue) {
        guard let number = UInt8(exactly: wire.reason.rawValue), let reason = Reason(rawValue: number) else {
            throw InvalidValue("The number \(wire.reason.rawValue) of a reason is unknown.")
        }
        try InvalidValue.checkCount(wire.nodes.count, "files of one lack", maximum: Self.mostNodes)
        guard Int(wire.count) <= Self.mostCount else { throw InvalidValue("A lack is of \(wire.count) files.") }
        try InvalidValue.check(
            wire.mark.isEmpty || wire.mark.count == Self.markBytes,
            "The mark of a deletion has \(Self.markBytes) bytes; this one has \(wire.mark.count).")
        var nodes: [NodeID] = []
        for node in wire.nodes {
            guard let device = DeviceID(node.device), node.epoch != 0, 1...Limits.size ~= node.counter else {
                throw InvalidValue("The identity of a file that a member lacks is none.")
            }
            nodes.append(NodeID(Dot(ReplicaID(device: device, epoch: node.epoch), node.counter)))
        }
        guard !nodes.isEmpty || reason == .diskFull else { throw InvalidValue("A lack names no file.") }
        self.init(reason, nodes, count: Int(wire.count), mark: Array(wire.mark))
    }

    var wire: WireSyncLack {
        .with {
            $0.reason = WireSyncLackReason(rawValue: Int(reason.rawValue)) ?? .unspecified
            $0.nodes = nodes.map { node in
                .with {
                    $0.device = Data(node.creation.replica.device.bytes)
                    $0.epoch = node.creation.replica.epoch
                    $0.counter = node.creation.counter
                }
            }
            $0.count = UInt32(count)
            $0.mark = Data(mark)
        }
    }
}
