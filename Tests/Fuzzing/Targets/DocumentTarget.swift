import Crypto
import Foundation
import PortolanCrypto
import PortolanDiscovery
import PortolanFiles
import PortolanTrust
import PortolanValues

extension FuzzTarget {
    /// Files of this device that another program may have written, and texts that people type or are shown.
    static let documents = FuzzTarget("documents") { input in
        switch input.number(below: 8) {
        case 0: DocumentFuzzer.read("data", "known-peers.json", &input) { _ = try? KnownPeers(home: $0).all() }
        case 1:
            DocumentFuzzer.read("state", "pairing-attempts.json", &input) {
                _ = try? PairingAttempts(home: $0).allowance(now: TeamFuzzer.now)
            }
        case 2, 3: DocumentFuzzer.readTeam(&input)
        case 4:
            let name = input.flag() ? "device.key" : "name"
            DocumentFuzzer.read(name == "name" ? "state" : "data", name, &input) {
                _ = try? DeviceIdentity.loadOrCreate(in: $0, defaultName: Parties.own.name)
            }
        default: DocumentFuzzer.readText(&input)
        }
    }
}

private enum DocumentFuzzer {
    /// Puts a file where `look` reads it.
    static func read(_ folder: String, _ name: String, _ input: inout FuzzInput, _ look: (HomeDirectory) -> Void) {
        let bytes = input.rest()
        Scratch.with { path in
            mkdir(path + "/" + folder, 0o700)
            Scratch.write(bytes, to: path + "/\(folder)/\(name)")
            look(valid { try HomeDirectory(override: path, environment: [:]) })
        }
    }

    /// The file of a team, with a correct sum or the input's.
    static func readTeam(_ input: inout FuzzInput) {
        let hasRightSum = input.byte() % 4 != 0
        var bytes = input.rest()
        if hasRightSum {
            let digits = SHA256.hash(data: bytes).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }
            bytes += Array("sha256 \(digits.joined())\n".utf8)
        }
        Scratch.with { path in
            mkdir(path + "/data", 0o700)
            mkdir(path + "/data/teams", 0o700)
            Scratch.write(bytes, to: path + "/data/teams/\(TeamFuzzer.team.id).team")
            let home = valid { try HomeDirectory(override: path, environment: [:]) }
            for team in (try? TeamStore(home: home).all()) ?? [] {
                _ = (team.removedKeys, team.warning(now: TeamFuzzer.now))
            }
            _ = try? TeamStore(home: home).named("acme")
        }
    }

    static func readText(_ input: inout FuzzInput) {
        let bytes = input.rest()
        let text = String(decoding: bytes, as: UTF8.self)
        do throws(PairingCodeError) {
            _ = try PairingCode(text)
        } catch {
            _ = error.description
        }
        require(PairingCode.completions(of: text).count <= 99 * 512, "More completions than codes")
        if let address = try? FixedAddress(parsing: text, defaultPort: 1) { _ = "\(address)" }
        if let fingerprint = Fingerprint(parsing: text) { _ = fingerprint.description }
        if let name = try? DeviceName(text) {
            require((try? DeviceName(name.text)) == name, "A name that is none when it is read again")
        }
        if let name = try? TeamName(text) { require((try? TeamName(name.text)) == name, "Another name") }
        if let name = try? GroupName(text) { require((try? GroupName(name.text)) == name, "Another name") }
        if let id = TeamID(text) { require(TeamID(id.description) == id, "Another team") }
        for shown in [DisplayText(text, limit: 40), DisplayText(bytes: bytes, limit: 40), DisplayText(sentence: text)] {
            require(
                shown.text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }, "A control character")
        }
        _ = DisplayText.isHarmless(text)
        if let restriction = RestrictionText.restriction(in: bytes) {
            require(RestrictionText.bytes(of: restriction) == bytes, "A restriction is written otherwise")
            _ = restriction.description
        }
    }
}
