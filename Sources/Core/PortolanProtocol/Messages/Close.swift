import SwiftProtobuf

extension Message {
    /// The session ends because something went wrong; one that ends well ends with end records alone.
    package struct Close: Hashable, Sendable {
        package let code: CloseCode
        /// More for people, at most 1024 bytes. Peer text: shown through `DisplayText` only.
        package let detail: String

        package init(_ code: CloseCode, detail: String = "") {
            self.code = code
            self.detail = detail.prefixFitting(Limits.text)
        }
    }
}

/// Reason for which a peer ended the session early, as far as it crosses the wire.
public enum CloseCode: String, Hashable, Sendable, CaseIterable {
    /// No reason was given, or one of a later version.
    case unspecified
    /// The other side broke the protocol.
    case protocolViolation = "protocol"
    /// The other side asked for something that was not offered to it.
    case badIndex
    /// The other side sent more than the limits allow.
    case limit
    /// Too many sessions at once; trying later may help.
    case busy
    /// The other side's key is not trusted.
    case notTrusted
    /// A person stopped it.
    case cancelled
    /// A deadline passed.
    case notInTime
    /// An internal error of the closing side.
    case `internal`
    /// The closing side is shutting down.
    case goingAway
}

// MARK: - Wire

extension Message.Close {
    init(_ wire: WireClose) throws(InvalidValue) {
        try InvalidValue.checkText(wire.detail, "A detail")
        self.init(CloseCode(wire.code), detail: wire.detail)
    }

    var wire: WireClose {
        .with {
            $0.code = code.wire
            $0.detail = detail
        }
    }
}

extension CloseCode: OpenWireValue {
    typealias Wire = WireCloseCode
}
