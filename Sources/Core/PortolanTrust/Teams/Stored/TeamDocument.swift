import Foundation
import PortolanCrypto
import PortolanValues

/// File format of one team: lines of a word and hexadecimal digits, and the SHA-256 of all lines at the end.
///
/// ```
/// portolan team, version 1: keep it secret
/// team 4xw2…                         the team's identifier
/// added 1700000000                   time at which this device joined, in seconds since 1970
/// device 6d7e…                       the key that this device had then
/// head SECRET SIGNATURE ROSTER       one or more; "-" for a secret that this device lacks
/// left STATEMENT                     none or more: members that have left and are still in the rosters
/// older SECRET                       none or more, the latest first
/// sha256 19b1…
/// ```
///
/// The signatures protect the rosters; the sum detects other damage, and truncation.
struct TeamDocument {
    let team: TeamID
    let added: Date
    let device: PinnedKey
    let heads: [TeamHeads.Update]
    var leavings: [[UInt8]] = []
    let olderSecrets: [SecretBytes]

    /// Largest file, in bytes: eight heads with the largest rosters, and the other lines.
    static let sizeLimit = 4 << 20

    private static let title = Array("portolan team, version 1: keep it secret".utf8)
    private static let sumWord = Array("sha256 ".utf8)
    private static let newline = UInt8(ascii: "\n")
    private static let space = [UInt8(ascii: " ")]
    private static let noSecret = UInt8(ascii: "-")

    var text: SecretBytes {
        let added = Int(added.timeIntervalSince1970)
        let start = "\nteam \(team)\nadded \(added)\ndevice \(Hexadecimal.text(device.bytes))\n"
        var pieces: [SecretPiece] = [.open(Self.title + start.utf8)]
        for head in heads {
            let rest =
                Self.space + Hexadecimal.digits(of: head.signed.signature) + Self.space
                + Hexadecimal.digits(of: head.signed.bytes) + [Self.newline]
            let secret = head.secret.map { SecretPiece.digits(of: $0) } ?? .open([Self.noSecret])
            pieces += [.open(Array("head ".utf8)), secret, .open(rest)]
        }
        for leaving in leavings {
            pieces.append(.open(Array("left ".utf8) + Hexadecimal.digits(of: leaving) + [Self.newline]))
        }
        for secret in olderSecrets {
            pieces += [.open(Array("older ".utf8)), .digits(of: secret), .open([Self.newline])]
        }
        let body = SecretBytes.joined(pieces)
        let sum = body.withUnsafeBytes { sha256($0) }
        return .joined([.secret(body), .open(Self.sumWord + Hexadecimal.digits(of: sum) + [Self.newline])])
    }

    /// Parses a file. Only the exact output of `text` is accepted; a truncated or changed file is not.
    static func parse(_ contents: SecretBytes) throws(StoreDefect) -> TeamDocument {
        try contents.withUnsafeBytes { (contents) throws(StoreDefect) in try parse(contents) }
    }

    private static func parse(_ contents: UnsafeRawBufferPointer) throws(StoreDefect) -> TeamDocument {
        guard contents.starts(with: title) else {
            throw StoreDefect(reason: "it is not a team, or one of a later version")
        }
        let sumLength = sumWord.count + 64 + 1
        let body = contents.dropLast(sumLength)
        guard contents.count > sumLength, contents[body.endIndex...].starts(with: sumWord), contents.last == newline,
            let sum = Hexadecimal.bytes(contents[(body.endIndex + sumWord.count)...].dropLast()),
            sum == sha256(UnsafeRawBufferPointer(rebasing: body))
        else { throw StoreDefect(reason: "it was cut off or changed since it was written") }
        // After this check parsing fails only for a forged file with a matching sum.
        guard let document = lines(of: body) else { throw StoreDefect(reason: "it is not a whole team") }
        return document
    }

    private typealias Bytes = Slice<UnsafeRawBufferPointer>

    private static func lines(of body: Bytes) -> TeamDocument? {
        var lines = body.split(separator: newline, omittingEmptySubsequences: false)[...]
        guard lines.popFirst()?.elementsEqual(title) == true, lines.popLast()?.isEmpty == true,
            let team = value("team", of: lines.popFirst()).flatMap({ TeamID(String(decoding: $0, as: UTF8.self)) }),
            let added = value("added", of: lines.popFirst()).flatMap({ Int64(String(decoding: $0, as: UTF8.self)) }),
            let device = value("device", of: lines.popFirst()).flatMap({ Hexadecimal.bytes($0) }).flatMap({
                PinnedKey(bytes: $0)
            })
        else { return nil }
        var heads: [TeamHeads.Update] = []
        while let head = value("head", of: lines.first) {
            let parts = head.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
            let secret = parts.first.flatMap(Self.secret)
            guard parts.count == 3, secret != nil || parts[0].elementsEqual([noSecret]),
                let signature = Hexadecimal.bytes(parts[1]),
                let roster = Hexadecimal.bytes(parts[2])
            else { return nil }
            heads.append(TeamHeads.Update(signed: SignedRoster(bytes: roster, signature: signature), secret: secret))
            lines.removeFirst()
        }
        var leavings: [[UInt8]] = []
        while let statement = value("left", of: lines.first) {
            guard let bytes = Hexadecimal.bytes(statement) else { return nil }
            leavings.append(bytes)
            lines.removeFirst()
        }
        var older: [SecretBytes] = []
        for line in lines {
            guard let secret = value("older", of: line).flatMap(secret) else { return nil }
            older.append(secret)
        }
        return TeamDocument(
            team: team, added: Date(timeIntervalSince1970: Double(added)), device: device, heads: heads,
            leavings: leavings, olderSecrets: older)
    }

    private static func value(_ word: String, of line: Bytes?) -> Bytes? {
        let start = Array("\(word) ".utf8)
        guard let line, line.starts(with: start) else { return nil }
        return line.dropFirst(start.count)
    }

    private static func secret(_ digits: Bytes) -> SecretBytes? {
        digits.count == 64 ? SecretBytes(hexadecimal: digits) : nil
    }
}
