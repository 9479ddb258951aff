import PortolanProtocol
import PortolanValues
import UniformTypeIdentifiers

extension FuzzTarget {
    /// Control messages: a decoded message is encoded again and must decode to the same. The receiver's choices from an
    /// offer are tested before a decision.
    static let messages = FuzzTarget("messages", longest: 8192) { input in
        let choices = input.byte()
        guard let message = try? Message(decoding: input.rest()) else { return }
        guard let again = try? Message(decoding: message.encode()) else { fatalError("It cannot be read again") }
        require(again == message, "It means something else")
        guard case .offer(let offer) = message else { return }
        var accepted = AcceptedTypes(choices & 1 == 0 ? nil : [.image, .plainText])
        for item in offer.items {
            let tried = Set((0..<8).filter { choices >> $0 & 1 == 1 })
            if let choice = Negotiation.choose(item, accepting: &accepted, excluding: tried) {
                require(item.representations.indices.contains(choice), "It was not offered")
                require(!tried.contains(choice), "It was tried before")
            }
            _ = DisplayText(item.title)
            for representation in item.representations {
                _ = representation.restriction.description
                if let name = representation.suggestedName { _ = DisplayText(name, limit: 80) }
            }
        }
    }
}
