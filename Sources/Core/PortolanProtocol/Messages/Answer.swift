import SwiftProtobuf

// Answer, Pending and ExportFailed: the accepted items of an offer, and their replacements when a representation is not
// available.

extension Message {
    /// The receiver's decision about items of an offer.
    ///
    /// The first covers every item once. A later one is for items whose earlier choice could not be had.
    package struct Answer: Hashable, Sendable {
        package let offer: UInt64
        /// Never empty, and no item twice.
        package let choices: [ItemChoice]

        package init(offer: UInt64, choices: [ItemChoice]) throws(InvalidValue) {
            guard !choices.isEmpty else { throw InvalidValue("An answer has at least one choice.") }
            try InvalidValue.checkCount(choices.count, "choices in one answer", maximum: Limits.items)
            try InvalidValue.check(
                Set(choices.map(\.item)).count == choices.count, "An answer decides about one item twice.")
            self.offer = offer
            self.choices = choices
        }
    }

    /// A person is being asked; the answer comes when there is one.
    package struct Pending: Hashable, Sendable {
        package let offer: UInt64

        package init(offer: UInt64) { self.offer = offer }
    }

    /// The chosen representation could not be produced; nothing of it was sent.
    package struct ExportFailed: Hashable, Sendable {
        package let offer: UInt64
        package let item: UInt32
        package let representation: UInt32
        package let failure: SourceFailure

        package init(offer: UInt64, item: UInt32, representation: UInt32, failure: SourceFailure) {
            self.offer = offer
            self.item = item
            self.representation = representation
            self.failure = failure
        }
    }
}

/// Item, and the decision about it.
package struct ItemChoice: Hashable, Sendable {
    package let item: UInt32
    package let decision: ItemDecision
    /// Terms of an accepted item that comes on lanes.
    package let terms: LaneTerms
    /// True if the content that came with the offer is all that is wanted.
    package let isInline: Bool

    package init(item: UInt32, _ decision: ItemDecision, terms: LaneTerms = LaneTerms(), isInline: Bool = false) {
        self.item = item
        self.decision = decision
        self.terms = terms
        self.isInline = isInline
    }
}

/// Decision of a receiver about one offered item.
public enum ItemDecision: Hashable, Sendable {
    /// Take the representation at this index of the item's list.
    case take(representation: Int)
    case decline(Decline)
    /// The item was stored when it was sent before, as this item of this parcel: nothing of it is to come. Names a
    /// representation that would be taken.
    case stored(representation: Int, StoredItem)
}

/// Reason for which an offered item is not taken.
public struct Decline: Hashable, Sendable {
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// No reason was given, or one of a later version.
        case unspecified
        /// A person or a rule said no.
        case notWanted
        /// None of the representations is of a kind the receiver accepts.
        case nothingInCommon
        /// There is no room for it.
        case noSpace
        /// The decision did not come in time.
        case notInTime
        /// The destination cannot keep who may see it.
        case visibility
        /// The receiver takes nothing of that size.
        case tooLarge
    }

    public let reason: Reason
    /// More for people, at most 1024 bytes. Peer text: shown through `DisplayText` only.
    public let detail: String

    public init(_ reason: Reason, detail: String = "") {
        self.reason = reason
        self.detail = detail.prefixFitting(Limits.text)
    }
}

/// Reason for which the sender could not produce an item it had offered.
public enum SourceFailure: String, Hashable, Sendable, CaseIterable {
    /// No cause was given, or one of a later version.
    case unspecified
    /// The exporter failed.
    case export
    /// A file or folder could not be read.
    case unreadable
    /// The source changed while it was being sent.
    case changed
    /// The sender stopped, of its own will or because the receiver asked.
    case cancelled
}

// MARK: - Wire

extension Message.Answer {
    init(_ wire: WireAnswer) throws(InvalidValue) {
        try InvalidValue.checkCount(wire.choices.count, "choices in one answer", maximum: Limits.items)
        let choices = try wire.choices.map { choice throws(InvalidValue) in try ItemChoice(choice) }
        try self.init(offer: wire.offerID, choices: choices)
    }

    var wire: WireAnswer {
        .with {
            $0.offerID = offer
            $0.choices = choices.map(\.wire)
        }
    }
}

extension ItemChoice {
    init(_ wire: WireChoice) throws(InvalidValue) {
        // A decline has none, but its numbers are held to the same limit.
        let terms = try LaneTerms(wire)
        switch wire.decision {
        case .representation(let index):
            let decision: ItemDecision =
                wire.hasStored
                ? .stored(representation: Int(index), try StoredItem(wire.stored)) : .take(representation: Int(index))
            self.init(item: wire.item, decision, terms: terms, isInline: wire.inline)
        case .decline(let decline):
            guard !wire.hasStored else { throw InvalidValue("An item is declined and was stored.") }
            self.init(item: wire.item, .decline(try Decline(decline)))
        case nil: throw InvalidValue("An answer names an item and does not say what becomes of it.")
        }
    }

    var wire: WireChoice {
        .with {
            $0.item = item
            switch decision {
            case .take(let representation): $0.representation = UInt32(representation)
            case .decline(let decline): $0.decline = decline.wire
            case .stored(let representation, let stored):
                $0.representation = UInt32(representation)
                $0.stored = stored.wire
            }
            $0.ask = terms.asks
            $0.lanes = UInt32(terms.lanes)
            $0.inline = isInline
            $0.whole = terms.takesWhole
        }
    }
}

extension Decline {
    init(_ wire: WireDecline) throws(InvalidValue) {
        try InvalidValue.checkText(wire.detail, "A detail")
        self.init(Reason(wire.reason), detail: wire.detail)
    }

    var wire: WireDecline {
        .with {
            $0.reason = reason.wire
            $0.detail = detail
        }
    }
}

extension Decline.Reason: OpenWireValue {
    typealias Wire = WireDeclineReason
}

extension Message.ExportFailed {
    init(_ wire: WireExportFailed) {
        self.init(
            offer: wire.offerID, item: wire.item, representation: wire.representation,
            failure: SourceFailure(wire.failure))
    }

    var wire: WireExportFailed {
        .with {
            $0.offerID = offer
            $0.item = item
            $0.representation = representation
            $0.failure = failure.wire
        }
    }
}

extension SourceFailure: OpenWireValue {
    typealias Wire = WireSourceFailure
}

extension String {
    /// Returns the longest prefix of whole characters that fits into so many bytes of UTF-8.
    func prefixFitting(_ maximum: Int) -> String {
        guard utf8.count > maximum else { return self }
        var size = 0
        return String(
            prefix { character in
                size += character.utf8.count
                return size <= maximum
            })
    }
}
