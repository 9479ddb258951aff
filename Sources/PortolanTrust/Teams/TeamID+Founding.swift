import PortolanCrypto
import PortolanValues

extension TeamID {
    /// How many bytes of salt go into it.
    package static let saltLength = 16

    /// The team that a device founds with a salt: the first 16 bytes of
    /// SHA-256("portolan/1 team" ‖ founder's key ‖ salt).
    package init(founder: PinnedKey, salt: [UInt8]) {
        let digest = sha256([Array("portolan/1 team".utf8), founder.bytes, salt])
        guard let team = TeamID(bytes: digest.prefix(Self.length)) else { preconditionFailure("A digest is longer") }
        self = team
    }
}
