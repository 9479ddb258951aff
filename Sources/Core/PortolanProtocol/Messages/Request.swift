import SwiftProtobuf

// Request and Refusal: an item that a requester asks for, and the answer where it does not get it.

extension Message {
    /// Asks for one item. An Offer that names the request answers it, or a Refusal.
    package struct Request: Hashable, Sendable {
        package let id: UInt64
        package let item: ItemID

        package init(id: UInt64, item: ItemID) {
            self.id = id
            self.item = item
        }
    }

    /// Answers a List or a Request that is not fulfilled.
    package struct Refusal: Hashable, Sendable {
        /// The number of the List or the Request.
        package let id: UInt64
        package let reason: RefusalReason

        package init(id: UInt64, reason: RefusalReason) {
            self.id = id
            self.reason = reason
        }
    }
}

/// Reason for which a holder does not give an item, or does not list its items.
public enum RefusalReason: String, Hashable, Sendable, CaseIterable {
    /// No reason was given, or one of a later version.
    case unspecified
    /// The item does not exist, or is not for this requester: one answer for both.
    case gone
    /// The holder has too much to do; asking later may help.
    case busy
}

// MARK: - Wire

extension Message.Request {
    init(_ wire: WireRequest) throws(InvalidValue) {
        self.init(id: wire.requestID, item: try ItemID(wire: wire.id))
    }

    var wire: WireRequest {
        .with {
            $0.requestID = id
            $0.id = item.wire
        }
    }
}

extension Message.Refusal {
    init(_ wire: WireRefusal) { self.init(id: wire.requestID, reason: RefusalReason(wire.reason)) }

    var wire: WireRefusal {
        .with {
            $0.requestID = id
            $0.reason = reason.wire
        }
    }
}

extension RefusalReason: OpenWireValue {
    typealias Wire = WireRefusalReason
}
