import PortolanProtocol
import PortolanTransport

/// Receiver that chooses among the forms of an item by their type, their size, and what it can store.
protocol FormReceiver: ItemReceiver {
    /// Accepted types; nil for all.
    var types: [UTType]? { get }

    /// Largest item that is taken, in bytes; nil for no limit.
    var sizeLimit: UInt64? { get }

    /// True if a form may be taken, apart from its type and size.
    func mayTake(_ representation: OfferedRepresentation) -> Bool

    /// True if a form can probably be stored as it must be. One that cannot is chosen only where no other may be taken.
    func isThoughtStorable(_ representation: OfferedRepresentation) -> Bool

    /// Returns the decline of an item that is not too large, and of which no form is taken; nil for the usual one.
    func refusal(of item: OfferedItem, accepting types: inout AcceptedTypes) -> Decline?
}

extension FormReceiver {
    func isThoughtStorable(_ representation: OfferedRepresentation) -> Bool { true }

    func refusal(of item: OfferedItem, accepting types: inout AcceptedTypes) -> Decline? { nil }

    func sizeLimit(of item: Int) -> UInt64? { sizeLimit }

    /// Returns the form of each item that would be taken, and what is said of items of which none is. Ends early when
    /// the sender has left.
    func negotiate(_ offer: Offer) async -> (choices: [Int?], refusals: [Int: Decline]) {
        var accepted = AcceptedTypes(types)
        var choices: [Int?] = []
        var refusals: [Int: Decline] = [:]
        for (number, item) in offer.items.enumerated() {
            if number % 32 == 31 { await Task.yield() }
            if Task.isCancelled {
                choices.append(nil)
                continue
            }
            // A restriction that the file system cannot keep is declined after consent: before, it would tell of the
            // disk.
            let choice =
                Negotiation.choose(item, accepting: &accepted) { isThoughtStorable($0) && isTakable($0) }
                ?? Negotiation.choose(item, accepting: &accepted, where: isTakable)
            choices.append(choice)
            guard choice == nil else { continue }
            refusals[number] =
                item.refusal(above: sizeLimit, accepting: &accepted) ?? refusal(of: item, accepting: &accepted)
        }
        return (choices, refusals)
    }

    func choose(item: Int, from offered: OfferedItem, excluding tried: Set<Int>) -> Int? {
        var accepted = AcceptedTypes(types)
        return Negotiation.choose(offered, accepting: &accepted, excluding: tried.andAllBefore) {
            isThoughtStorable($0) && isTakable($0)
        }
    }

    /// True if a form that a decision names may be taken, apart from the abilities of the place where it is stored.
    func canTake(_ item: OfferedItem, _ representation: Int) -> Bool {
        var accepted = AcceptedTypes(types)
        return Negotiation.choose(
            item, accepting: &accepted, excluding: item.all(but: representation), where: isTakable) != nil
    }

    private func isTakable(_ representation: OfferedRepresentation) -> Bool {
        !representation.isLarger(than: sizeLimit) && mayTake(representation)
    }
}
