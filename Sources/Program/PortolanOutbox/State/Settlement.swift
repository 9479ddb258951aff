import Portolan
import PortolanProtocol

/// Outcome of one item of a parcel at one receiver.
package enum SettlementOutcome: String, Sendable {
    case stored
    /// Stored, but parts were omitted.
    case incomplete
    case declined
    /// The receiver can import none of its forms.
    case nothingInCommon = "nothing-in-common"
    case failed

    package var isStored: Bool { self == .stored || self == .incomplete }
}

package struct StoredSettlement: Hashable, Sendable {
    package var member: PeerKey
    package var item: Int
    package var outcome: SettlementOutcome
    package var reason: String?
    /// Signed receipt of the receiver.
    package var receipt: [UInt8]?
}

extension StoredSettlement {
    /// Nil for an item that another attempt may deliver, and for a peer without a key.
    package init?(_ delivery: Delivery, by peer: RemotePeer) {
        guard !delivery.canGoOn, let member = peer.stateKey else { return nil }
        let outcome = ParcelSettlement(delivery).flatMap { SettlementOutcome(rawValue: $0.rawValue) }
        self.init(
            member: member, item: delivery.item, outcome: outcome ?? .failed, reason: delivery.reason,
            receipt: delivery.receipt?.encoded)
    }
}

extension Delivery {
    /// Sentence for the owner about an item that was not stored completely; nil for a complete one.
    package var reason: String? {
        func sentence(_ begin: String, _ detail: String, _ trouble: String?) -> String {
            let rest = [detail, trouble ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
            return DisplayText(sentence: rest.isEmpty ? "\(begin)." : "\(begin): \(rest)", limit: 1000).text
        }
        switch outcome {
        case .stored(let stored, _): return missing(stored.omissions)
        case .declined(let decline, let trouble):
            let begin =
                switch decline.reason {
                case .notInTime: "The receiver does not take it yet"
                case .noSpace: "The receiver has no room for it"
                default: "The receiver declined it"
                }
            return sentence(begin, decline.detail, trouble)
        case .failed(let failure, let trouble):
            return sentence("The receiver does not have it", failure.detail, trouble)
        case .brokenOff(let reason): return DisplayText(sentence: reason, limit: 1000).text
        case .hidden: return "The receiver may see no form of it."
        }
    }

    /// Largest number of named parts of an item; the others are counted.
    private static let namedParts = 3

    /// Sentence about parts of a stored item that the receiver lacks; nil if it has all.
    private func missing(_ omissions: Omissions) -> String? {
        // The receiver counts parts of unknown audience, without their names.
        let count = omissions.missing + withheld.count - min(withheld.unknown, omissions.missing)
        guard count > 0 else { return nil }
        let paths =
            omissions.listed.filter { $0.reason.lacksContent && !$0.path.isEmpty }
            .map { DisplayText(bytes: $0.path, limit: 200) } + withheld.listed.map(\.path)
        let named = paths.prefix(Self.namedParts).map { "“\($0)”" }
        let further = count - min(count, UInt64(named.count))
        let rest = further == 0 ? [] : [named.isEmpty ? "\(further) of its parts" : "\(further) more"]
        return DisplayText(sentence: "It lacks \((named + rest).joined(separator: ", ")).", limit: 1000).text
    }
}
