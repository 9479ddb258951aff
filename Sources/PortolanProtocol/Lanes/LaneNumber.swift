import SwiftProtobuf

/// The number of a lane of one direction: the round, and the place in it. Good for one connection.
package struct LaneNumber: Hashable, Sendable {
    /// Counted from 0. A sender that ends its lanes begins the next round with the lane that it opens next.
    package let round: UInt32
    /// 0 to 15.
    package let index: Int

    package init(round: UInt32, index: Int) {
        precondition((0..<Limits.lanes).contains(index), "Lanes are numbered from 0 to 15")
        self.round = round
        self.index = index
    }

    /// The round in four bytes and the index in one, from which the lane's keys are derived.
    var bytes: [UInt8] { Self.bytes(ofRound: round) + [UInt8(index)] }

    static func bytes(ofRound round: UInt32) -> [UInt8] { withUnsafeBytes(of: round.bigEndian) { Array($0) } }
}

// MARK: - Wire

extension LaneNumber {
    init(_ wire: WireLaneRequest) throws(InvalidValue) {
        guard wire.index < Limits.lanes else {
            throw .limit("A lane of the number \(wire.index); they are numbered up to 15.")
        }
        self.init(round: wire.round, index: Int(wire.index))
    }

    var wire: WireLaneRequest {
        .with {
            $0.round = round
            $0.index = UInt32(index)
        }
    }
}
