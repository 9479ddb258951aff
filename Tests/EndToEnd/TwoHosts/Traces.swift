import TestSupport
import Testing

/// Traces by which a device is recognised on the link.
struct Traces {
    let deviceName: String
    let hostName: String
    /// 20 bytes.
    let fingerprint: [UInt8]
    let fingerprintText: String
    /// 32 bytes.
    let key: [UInt8]
    let keyText: String

    /// Returns the traces that a recording contains, in any form in which they can occur.
    func found(in seen: CapturedFrames) -> [String] {
        // A shorter text would be met by accident.
        precondition(min(deviceName.utf8.count, hostName.utf8.count) >= 8, "names of at least eight letters")
        let texts = [deviceName, hostName, fingerprintText, fingerprintText.filter { $0 != "-" }, keyText]
        let said = CapturedFrames(frames: seen.frames + seen.streams)
        let found = texts.filter { !said.holding($0).isEmpty }
        return found + [fingerprint, key].filter { !said.holding($0).isEmpty }.map { "\($0)" }
    }
}

extension TestHost {
    /// Returns the traces of the device that `arguments` choose.
    ///
    /// - Parameter deviceName: the name under which it runs.
    func traces(named deviceName: String, _ arguments: [String] = []) async throws -> Traces {
        let identity = try await run(portolan(["id", "--json"] + arguments))
        let object = try #require(jsonObjects(identity.text).first, "\(identity)")
        let fingerprint = try #require(object["fingerprint"] as? String, "\(identity)")
        let key = try #require(object["key"] as? String, "\(identity)")
        return Traces(
            deviceName: deviceName, hostName: name,
            fingerprint: try #require(
                Self.bytes(fingerprint.filter { $0 != "-" }, digits: "abcdefghijklmnopqrstuvwxyz234567", bits: 5)),
            fingerprintText: fingerprint,
            key: try #require(Self.bytes(key, digits: "0123456789abcdef", bits: 4)),
            keyText: key)
    }

    /// The whole bytes that a text of digits encodes, `bits` bits each.
    private static func bytes(_ text: String, digits: String, bits: Int) -> [UInt8]? {
        let digits = Array(digits)
        var bytes: [UInt8] = []
        var (held, count) = (0, 0)
        for character in text {
            guard let value = digits.firstIndex(of: character) else { return nil }
            (held, count) = (held << bits | value, count + bits)
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(held >> count & 0xff))
                held &= 1 << count - 1
            }
        }
        return bytes
    }
}
