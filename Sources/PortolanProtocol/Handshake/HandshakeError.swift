/// Why no session came about. The connection is closed after any of these; only `reply` is said to the peer.
package struct HandshakeError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
        /// Whatever listens or calls there, it is something else.
        case notPortolan
        /// The responder does not speak our version; it says which it does. Not authenticated: for people only.
        case versionRefused(ClosedRange<UInt8>)
        /// The initiator speaks a version that we do not.
        case versionUnknown(UInt8)
        /// A handshake message does not verify.
        case forged
        /// The peer did not prove that the device key it names is its own.
        case unproven
        /// The peer has our own device key: we reached ourselves, or our keys were copied to another machine.
        case ownKey
        /// The connection ended in the middle.
        case cut
        /// Anything else that the protocol forbids.
        case violation(ProtocolViolation)
    }

    package let kind: Kind
    /// What to send, as it is, before closing; mostly nothing.
    package let reply: [UInt8]

    init(_ kind: Kind, reply: [UInt8] = []) {
        self.kind = kind
        self.reply = reply
    }

    package var description: String {
        switch kind {
        case .notPortolan: "The other side does not speak Portolan; check the address and the port."
        case .versionRefused(let versions):
            versions.count == 1
                ? "The other side speaks version \(versions.lowerBound) of the protocol, this one \(Preface.version); "
                    + "bring both up to date."
                : "The other side speaks versions \(versions.lowerBound) to \(versions.upperBound) of the protocol, "
                    + "this one \(Preface.version); bring both up to date."
        case .versionUnknown(let version):
            "The other side speaks version \(version) of the protocol, this one \(Preface.version); "
                + "bring both up to date."
        case .forged:
            "The handshake does not verify: it was changed on its way, or the other side is something else; try again."
        case .unproven:
            "The other side could not prove the device key that it showed; do not trust it."
        case .ownKey:
            "The other side has this device's own key: this is the device itself, or its state was copied to another "
                + "machine, which then needs a new key."
        case .cut: "The other side closed the connection during the handshake; it may be busy or have refused."
        case .violation(let violation): "The other side broke the protocol during the handshake: \(violation)"
        }
    }
}
