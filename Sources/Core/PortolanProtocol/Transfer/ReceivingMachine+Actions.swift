import Foundation
import PortolanValues

extension ReceivingMachine {
    package enum Action: Sendable {
        case send(Message)
        /// Decide about every item, then call `answer`.
        case decide(Offer)
        /// The content of an accepted item came with its offer: store it as if a transfer had brought it, and call
        /// `stored`, `failed` or `answerAgain`. The tree checks a file or folder: see `TreeReader` and `endInline()`.
        case inline(item: Int, Message.Begin, IncomingTree?, Data)
        /// Taken data arrives; its payload follows.
        case begin(item: Int, Message.Begin)
        /// An accepted file or folder comes whole on the session: its payload is one tree record, which the tree checks
        /// after all of it has come: see `TreeReader` and `endInline()`. The totals in End are those of the record.
        case beginWhole(item: Int, Message.Begin, IncomingTree)
        /// An accepted file or folder comes on lanes, and the tree checks its content. An abandoned tree means that the
        /// item was given up.
        case beginTree(item: Int, Message.Begin, IncomingTree)
        /// The sender's estimate of the total of the item that is arriving on lanes.
        case total(item: Int, Message.Total)
        /// The sender asks about an earlier version of a file: for the tree to judge.
        case compare(Message.Compare)
        /// All content was sent: pass the End to the tree, take no more input from the session until the tree is
        /// complete, and then call `treeCompleted`.
        case endTree(Message.End)
        /// All content has come: call `stored`, `failed` or `answerAgain`.
        case complete(item: Int, Message.End)
        /// The sender broke the transfer off: drop its content, then call `failed` or `answerAgain`.
        case aborted(item: Int, SourceFailure)
        /// The sender could not produce the chosen representation: call `answerAgain`, or `failed`.
        case produceFailed(item: Int, representation: Int, SourceFailure)
        /// Every item of the offer is settled.
        case finished(offer: UInt64)
    }

    /// Verdict on a payload record that is allowed here.
    package enum PayloadVerdict: Hashable, Sendable {
        case write(item: Int)
        /// The content belongs to an item that was given up, which the sender does not know yet.
        case discard
    }
}

extension ReceivingMachine.Action {
    /// Sends an answer about items of an offer.
    static func answer(_ offer: UInt64, _ choices: [ItemChoice]) -> Self {
        let answer = certain(
            try Message.Answer(offer: offer, choices: choices),
            "An offer is never empty and never larger than an answer")
        return .send(.answer(answer))
    }

    /// Sends this side's last message about an item.
    static func receipt(_ offer: UInt64, _ item: Int, _ outcome: Message.Receipt.Outcome) -> Self {
        .send(.receipt(Message.Receipt(offer: offer, item: UInt32(item), outcome: outcome)))
    }
}
