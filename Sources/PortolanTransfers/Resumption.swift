import Portolan
import PortolanProtocol
import PortolanTrust

extension Delivery {
    /// Whether the same sending may bring the item another time: what came of it is kept, room is made there, or somebody decides there.
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
    /// Whether the same sending may bring the member more: it was reached, and broke off there.
    package var canGoOn: Bool {
        switch result {
        case .success(let deliveries): deliveries.contains(where: \.canGoOn)
        case .failure(let error): error.isEndOfAttempt
        }
    }
}

extension Error {
    /// Whether it ends an attempt that broke off, and another one may bring the rest.
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
