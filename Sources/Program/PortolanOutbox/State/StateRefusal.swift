import PortolanClient

/// Refusal of a step on a record of the agent's state.
package struct StateRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
        case notFound
        /// The state of the record does not allow the step.
        case conflict
        /// A limit on the number or size of records is reached.
        case limit
    }

    package let kind: Kind
    package let description: String

    package init(_ kind: Kind, _ sentence: String) {
        self.kind = kind
        description = sentence
    }
}

extension StateRefusal {
    static func noParcel(_ id: StateID) -> Self { Self(.notFound, "There is no parcel \(id) in the outbox.") }

    package static func parcelExists(_ id: StateID) -> Self {
        Self(.conflict, "Parcel \(id) is in the outbox already.")
    }

    static func parcel(_ id: StateID, cannotBe step: String, _ state: ParcelState) -> Self {
        Self(.conflict, "Parcel \(id) cannot be \(step): it is \(state.rawValue).")
    }
}
