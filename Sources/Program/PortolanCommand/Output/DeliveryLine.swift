import Portolan
import PortolanProtocol

/// Line about the outcome of one item, for its sender.
extension Delivery {
    var isHidden: Bool {
        if case .hidden = outcome { true } else { false }
    }

    var status: ExitStatus {
        switch outcome {
        case .stored(let stored, _): stored.omissions.missing + withheld.count > 0 ? .incomplete : .done
        case .hidden: .notTrusted
        case .brokenOff: .inputOutput
        case .declined(let decline, _):
            switch decline.reason {
            case .nothingInCommon: .nothingInCommon
            case .noSpace, .visibility, .tooLarge: .cannotCreate
            case .notInTime: .notDelivered
            case .notWanted, .unspecified: .declined
            }
        case .failed(let failure, _):
            switch failure.cause {
            case .noSpace, .cannotWrite, .visibility, .fidelity, .tooLarge: .cannotCreate
            case .name, .import: .badData
            case .source: isUnconverted ? .badData : .noInput
            case .refused: .declined
            case .cancelled, .unspecified: .inputOutput
            }
        }
    }

    /// Outcome and advice in one sentence that begins with the item, and a second sentence for surplus files at the
    /// receiver.
    ///
    /// - Parameter speed: duration and rate of the transfer, if the item was stored.
    func sentence(to peer: String, speed: String? = nil) -> String {
        let item = "“\(DisplayText(title, limit: 100))”"
        switch outcome {
        case .stored(let stored, _):
            let lost = OmissionLine.clause(stored.omissions).map { "; \($0)" } ?? ""
            let end = lost + (speed.map { " (\($0))" } ?? "") + "."
            let isAsCalled = stored.name.isEmpty || stored.name == Array(title.utf8)
            let name = isAsCalled ? "" : " as “\(DisplayText(bytes: stored.name))”"
            guard let kept = PresentContentText.sentence(stored) else {
                return "\(item) is stored at \(peer)\(name), \(Human.size(stored.bytes))\(end)"
            }
            let begin = stored.isUpdated ? "\(item) is up to date at \(peer)" : "\(item) is stored at \(peer)\(name)"
            return "\(begin): \(kept)\(end)\(Self.surplus(stored.surplusEntries, at: peer))"
        case .hidden:
            return "\(item) was not offered: \(peer) may see none of its forms. “portolan offer” shows why."
        case .brokenOff(let reason):
            return
                "\(item) was not stored at \(peer): \(DisplayText(sentence: reason, limit: 400)) Standard input "
                + "cannot be read again."
        case .declined(let decline, let trouble) where decline.reason == .notInTime:
            return "\(item) is not stored at \(peer): \(why(decline))\(said(decline.detail))\(here(trouble))"
        case .declined(let decline, let trouble):
            return "\(item) was declined by \(peer): \(why(decline))\(said(decline.detail))\(here(trouble))"
        case .failed(let failure, let trouble):
            return "\(item) was not stored at \(peer): \(why(failure))\(said(failure.detail))\(here(trouble))"
        }
    }

    private static func surplus(_ count: UInt32, at peer: String) -> String {
        switch count {
        case 0: ""
        case 1: " 1 file that was part of it before and is not now is still at \(peer)."
        default:
            " \(Human.number(UInt64(count))) files that were part of it before and are not now are still at \(peer)."
        }
    }

    private func why(_ decline: Decline) -> String {
        switch decline.reason {
        case .nothingInCommon: "it can take none of its forms. Offer another one with --as."
        case .noSpace: "there is not enough room there. Make room and send it again."
        case .tooLarge: "it is larger than anything that is taken there."
        case .notInTime: "it was not taken there yet. It can be sent again later."
        case .notWanted: "it does not want it."
        case .visibility: Self.visibilityNotKept
        case .unspecified: "it gave no reason."
        }
    }

    private func why(_ failure: StoringFailure) -> String {
        switch failure.cause {
        case .noSpace: "its disk is full. Make room there and send it again."
        case .cannotWrite: "its inbox cannot be written."
        case .name: "a name in it cannot be stored there. Rename it and send it again."
        case .import: "it arrived, but could not be made use of."
        case .cancelled: "it was stopped there."
        case .source where isUnconverted: "a converter of this machine failed."
        case .source: "it could not be read whole here."
        case .refused: "it arrived, and was not wanted."
        case .fidelity: "something that was required to be kept cannot be kept there."
        case .visibility: Self.visibilityNotKept
        case .tooLarge:
            "it is larger than it was when it was offered, or than anything that is taken there. Send it again."
        case .unspecified: "something went wrong there; its own output has the reason."
        }
    }

    private static let visibilityNotKept =
        "the folder there cannot keep who may see it: extended attributes are missing there, or hold too little. "
        + "Have it received into a folder on another file system, or offer a form of it that is for all devices."

    /// The receiver's own words.
    private func said(_ detail: String) -> String {
        detail.isEmpty ? "" : " It says: “\(DisplayText(said: detail, limit: 400))”"
    }

    /// Sentence about this side.
    private func here(_ trouble: String?) -> String {
        guard let trouble, !trouble.isEmpty else { return "" }
        return " (\(DisplayText(sentence: trouble, limit: 400)))"
    }
}
