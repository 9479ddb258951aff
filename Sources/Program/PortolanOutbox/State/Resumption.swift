import Portolan
import PortolanProtocol

extension Delivery {
    /// True if the item may be delivered by another attempt: its partial is kept, space may be freed at the receiver,
    /// or its user may decide.
    package var canGoOn: Bool {
        switch outcome {
        case .stored, .hidden: false
        case .brokenOff: true
        case .declined(let decline, _): [.noSpace, .notInTime].contains(decline.reason)
        case .failed(let failure, _): [.noSpace, .cannotWrite, .cancelled, .unspecified].contains(failure.cause)
        }
    }
}

extension MemberDelivery {
    /// True if another attempt may deliver more to the member: it was reached, and the session broke.
    package var canGoOn: Bool {
        switch result {
        case .success(let deliveries): deliveries.contains(where: \.canGoOn)
        case .failure(let error): error.isEndOfAttempt
        }
    }
}

extension Error {
    /// True if it ends an attempt that broke off, and another one may send the rest.
    var isEndOfAttempt: Bool {
        switch self {
        case let error as NodeError: [.interrupted, .inputOutput, .cannotCreate].contains(error.kind)
        case let error as StoreError: error.isPassing
        case is ValueError: false
        default: true
        }
    }
}

extension StoreError {
    fileprivate var isPassing: Bool {
        switch kind {
        case .busy, .full, .system: true
        case .foreignOwner, .tooOpen, .writable, .wrongKind, .damaged, .tooLarge: false
        }
    }
}
