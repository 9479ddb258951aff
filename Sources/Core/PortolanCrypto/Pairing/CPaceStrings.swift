/// The strings that CPace hashes (draft-irtf-cfrg-cpace-21, section 6.3 and appendix A), in memory that is wiped.
enum CPaceStrings {
    /// G.DSI of section 8.3, which separates this group's strings from other groups'.
    private static let domain = "CPaceRistretto255"

    /// Computes lv_cat (appendix A.1.3): the fields in sequence, each with its length before it, so that different
    /// lists of fields give different strings.
    static func lvCat(_ fields: [SecretPiece]) -> SecretBytes {
        .joined(fields.flatMap { [.open(lengthPrefix($0.count)), $0] }, keeping: .wiped)
    }

    /// The part of prepend_len that comes before the string (appendix A.1.1): its length as LEB128.
    static func lengthPrefix(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = count
        repeat {
            bytes.append(UInt8(rest & 0x7f) | (rest > 0x7f ? 0x80 : 0))
            rest >>= 7
        } while rest > 0
        return bytes
    }

    /// generator_string (section 8.1, appendix A.2).
    ///
    /// The zeros after the password fill the first block of the hash, so that no data of an attacker is hashed in one
    /// block with the password, and a short password's length does not show in the time it takes.
    static func generatorString(password: SecretBytes, channel: [UInt8], session: [UInt8]) -> SecretBytes {
        let domain = Array(domain.utf8)
        let used = [domain.count, password.count].reduce(0) { $0 + lengthPrefix($1).count + $1 }
        let padding = [UInt8](repeating: 0, count: max(0, SHA512.blockLength - used - 1))
        return lvCat([.open(domain), .secret(password), .open(padding), .open(channel), .open(session)])
    }

    /// Computes the input of the hash for the intermediate session key (section 7.2): lv_cat(DSI ‖ "_ISK", sid, K) ‖
    /// transcript_ir.
    ///
    /// transcript_ir (appendix A.3.4) is itself made by lv_cat, which leaves one list of fields.
    static func keyString(
        session: [UInt8], sharedSecret: SecretBytes, initiator: CPaceMessage, responder: CPaceMessage
    ) -> SecretBytes {
        lvCat(
            [.open(Array("\(domain)_ISK".utf8)), .open(session), .secret(sharedSecret)]
                + transcript(initiator: initiator, responder: responder))
    }

    /// Returns the fields of transcript_ir (appendix A.3.4).
    static func transcript(initiator: CPaceMessage, responder: CPaceMessage) -> [SecretPiece] {
        [initiator, responder].flatMap { [.open($0.share), .open($0.associatedData)] }
    }
}
