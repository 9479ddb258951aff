import PortolanCrypto
import PortolanValues

extension TeamID {
    /// Length of the salt, in bytes.
    package static let saltLength = 16

    /// Computes the identifier of a team from its founder and a salt: the first 16 bytes of SHA-256("portolan/1 team" ‖
    /// founder's key ‖ salt).
    package init(founder: PinnedKey, salt: [UInt8]) {
        let digest = sha256([Array("portolan/1 team".utf8), founder.bytes, salt])
        guard let team = TeamID(bytes: digest.prefix(Self.length)) else { preconditionFailure("A digest is longer") }
        self = team
    }
}
