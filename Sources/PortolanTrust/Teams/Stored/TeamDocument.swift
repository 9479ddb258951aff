import Foundation
import PortolanCrypto

/// One team as it stands in its file: lines of a word and hexadecimal digits, and the SHA-256 of them all at the end.
///
/// ```
/// portolan team, version 1: keep it secret
/// team 4xw2…                         the team's identifier
/// added 1700000000                   when this device came to it, in seconds since 1970
/// device 6d7e…                       the key that this device had then
/// head SECRET SIGNATURE ROSTER       one or more
/// older SECRET                       none or more, the latest first
/// sha256 19b1…
/// ```
///
/// The signatures guard the rosters; the sum tells damage to anything else, and a file that was cut, from what was written.
struct TeamDocument {
    let team: TeamID
    let added: Date
    let device: PinnedKey
    let heads: [TeamHeads.Update]
    let olderSecrets: [SecretBytes]

    /// What is wrong with a file, as a clause for a person.
    struct Defect: Error {
        let reason: String
    }

    /// Eight heads with the largest rosters, and everything else.
    static let sizeLimit = 4 << 20

    private static let title = Array("portolan team, version 1: keep it secret".utf8)
    private static let sumWord = Array("sha256 ".utf8)
    private static let newline = UInt8(ascii: "\n")

    /// Holds secrets: the caller wipes it.
    var text: [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(heads.reduce(4096) { $0 + 2 * ($1.signed.bytes.count + 128) })
        text += Self.title + [Self.newline]
        text += "team \(team)\nadded \(Int(added.timeIntervalSince1970))\ndevice ".utf8
        Hexadecimal.append(device.bytes, to: &text)
        text.append(Self.newline)
        for head in heads {
            text += "head ".utf8
            head.secret.withUnsafeBytes { Hexadecimal.append($0, to: &text) }
            text.append(UInt8(ascii: " "))
            Hexadecimal.append(head.signed.signature, to: &text)
            text.append(UInt8(ascii: " "))
            Hexadecimal.append(head.signed.bytes, to: &text)
            text.append(Self.newline)
        }
        for secret in olderSecrets {
            text += "older ".utf8
            secret.withUnsafeBytes { Hexadecimal.append($0, to: &text) }
            text.append(Self.newline)
        }
        let sum = sha256([text])
        text += Self.sumWord
        Hexadecimal.append(sum, to: &text)
        text.append(Self.newline)
        return text
    }

    /// Exactly what `text` writes is a team; every file that was cut or changed anywhere is not.
    static func parse(_ contents: [UInt8]) throws(Defect) -> TeamDocument {
        guard contents.starts(with: title) else { throw Defect(reason: "it is not a team, or one of a later version") }
        let sumLength = sumWord.count + 64 + 1
        let body = contents.dropLast(sumLength)
        var summed = Array(body)
        defer { PrivateDirectory.wipe(&summed) }
        guard contents.count > sumLength, contents[body.endIndex...].starts(with: sumWord), contents.last == newline,
            let sum = Hexadecimal.bytes(contents[(body.endIndex + sumWord.count)...].dropLast()),
            sum == sha256([summed])
        else { throw Defect(reason: "it was cut off or changed since it was written") }
        // What follows can fail only for a file that somebody made, with a sum that fits.
        guard let document = lines(of: body) else { throw Defect(reason: "it is not a whole team") }
        return document
    }

    private static func lines(of body: ArraySlice<UInt8>) -> TeamDocument? {
        var lines = body.split(separator: newline, omittingEmptySubsequences: false)[...]
        guard lines.popFirst()?.elementsEqual(title) == true, lines.popLast()?.isEmpty == true,
            let team = value("team", of: lines.popFirst()).flatMap({ TeamID(String(decoding: $0, as: UTF8.self)) }),
            let added = value("added", of: lines.popFirst()).flatMap({ Int64(String(decoding: $0, as: UTF8.self)) }),
            let device = value("device", of: lines.popFirst()).flatMap(Hexadecimal.bytes).flatMap({
                PinnedKey(bytes: $0)
            })
        else { return nil }
        var heads: [TeamHeads.Update] = []
        while let head = value("head", of: lines.first) {
            let parts = head.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
            guard parts.count == 3, let secret = secret(parts[0]), let signature = Hexadecimal.bytes(parts[1]),
                let roster = Hexadecimal.bytes(parts[2])
            else { return nil }
            heads.append(TeamHeads.Update(signed: SignedRoster(bytes: roster, signature: signature), secret: secret))
            lines.removeFirst()
        }
        var older: [SecretBytes] = []
        for line in lines {
            guard let secret = value("older", of: line).flatMap(secret) else { return nil }
            older.append(secret)
        }
        return TeamDocument(
            team: team, added: Date(timeIntervalSince1970: Double(added)), device: device, heads: heads,
            olderSecrets: older)
    }

    private static func value(_ word: String, of line: ArraySlice<UInt8>?) -> ArraySlice<UInt8>? {
        let start = Array("\(word) ".utf8)
        guard let line, line.starts(with: start) else { return nil }
        return line.dropFirst(start.count)
    }

    private static func secret(_ digits: ArraySlice<UInt8>) -> SecretBytes? {
        guard digits.count == 64, var bytes = Hexadecimal.bytes(digits) else { return nil }
        defer { PrivateDirectory.wipe(&bytes) }
        return SecretBytes(copying: bytes)
    }
}
