/// Reason why no session was established. The connection is closed after each of these; only `reply` is sent to the
/// peer.
package struct HandshakeError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
        /// The other side speaks another protocol.
        case notPortolan
        /// The responder does not support this side's version, but these. Not authenticated: for people only.
        case versionRefused(ClosedRange<UInt8>)
        /// The initiator has a version that this side does not support.
        case versionUnknown(UInt8)
        /// A handshake message does not verify.
        case forged
        /// The peer did not prove that it owns the device key that it names.
        case unproven
        /// The peer has our own device key: we reached ourselves, or our keys were copied to another machine.
        case ownKey
        /// Responder: the initiator's opening is not admitted.
        case refused(Refusal)
        /// Initiator: the responder did not answer a member of its team.
        case notAdmitted
        /// Initiator: the other side did not prove that it has the same code. The code is spent.
        case wrongCode
        /// Responder: the initiator entered a wrong code. The code is spent.
        case wrongGuess
        /// The connection ended in the middle.
        case cut
        /// The peer broke another rule of the protocol.
        case violation(ProtocolViolation)
    }

    /// Opening that the responder does not admit.
    package enum Refusal: Hashable, Sendable {
        /// A handshake with everyone.
        case notOpen
        /// Opening under a nonce that is not advertised, or not any more.
        case nonceUnknown
        /// Opening with a code, while none is open for that purpose.
        case noCode
        /// Opening with a code that ended during the run, or whose uses are reserved by other runs.
        case codeOver
    }

    package let kind: Kind
    /// Bytes to send unencrypted before closing; usually empty.
    package let reply: [UInt8]

    package init(_ kind: Kind, reply: [UInt8] = []) {
        self.kind = kind
        self.reply = reply
    }

    static func violation(_ kind: ProtocolViolation.Kind, _ sentence: String) -> HandshakeError {
        HandshakeError(.violation(ProtocolViolation(kind, sentence)))
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
        case .refused(.notOpen): "Somebody connected as a stranger, and this device does not talk to strangers."
        case .refused(.nonceUnknown):
            "Somebody connected as a member of a team, under an announcement that this device does not make."
        case .refused(.noCode):
            "Somebody connected with a code, and this device does not wait for one, or not for that."
        case .refused(.codeOver): "Somebody connected with a code that is used up, or has been spent meanwhile."
        case .notAdmitted:
            "The other side did not answer as a member of the team does: its announcement has changed, its team has a "
                + "newer secret than this device or an older one, or it is busy; try again."
        case .wrongCode:
            "The code is wrong, or somebody else answered. It cannot be used again; ask for a new one."
        case .wrongGuess:
            "Somebody entered a wrong code. The code cannot be used again; make a new one, and take care if this "
                + "happens more than once, because somebody may be trying codes."
        case .cut: "The other side closed the connection during the handshake; it may be busy or have refused."
        case .violation(let violation): "The other side broke the protocol during the handshake: \(violation)"
        }
    }
}
