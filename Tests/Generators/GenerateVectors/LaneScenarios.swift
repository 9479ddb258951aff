import PortolanCrypto
import PortolanProtocol

/// Makes the vectors of a lane's beginning and content. The prefaces are assembled by hand; only the keys come from the
/// library.
func laneScenarios() -> [Scenario] {
    let direction = fixedBytes(0x90)
    let plain: [(type: UInt8, bytes: [UInt8])] = [
        (4, TreeBytes.record([TreeBytes.folder(0, name: ""), TreeBytes.mark])),
        (2, PayloadBytes.header(transfer: 1, entry: 0, offset: 0) + Array("payload".utf8)), (3, []),
    ]
    let numbers: [(String, UInt32)] = [("0", 0), ("15", 15), ("great", 0x0102_0304)]
    var scenarios: [Scenario] = []
    for suite in RecordSuite.allCases {
        let keys = LaneKeys(direction: SecretBytes(copying: direction), suite: suite)
        for (name, number) in numbers {
            let preface = keys.preface(number).encode()
            var sealer = keys.makeSealer(number)
            let stream = plain.flatMap { type, text in
                var record = [0, 0, 0, 0] + text + [UInt8](repeating: 0, count: 16)
                record.withUnsafeMutableBytes { sealer.seal(type: type, $0) }
                return record
            }
            scenarios.append(
                Scenario(
                    "lane-\(suite == .aes256gcm ? "aes256gcm" : "chacha20poly1305")-\(name)", kind: "lane",
                    "Lane \(number): a folder and a mark, payload, the end.",
                    [
                        "suite": Int(suite.rawValue), "secret": hex(direction), "number": Int(number),
                        "id": hex(keys.id), "preface": hex(preface),
                        "records": plain.map { ["type": Int($0.type), "plaintext": hex($0.bytes)] as [String: Any] },
                        "stream": hex(stream),
                    ]))
        }
    }
    return scenarios + refusedPrefaces() + laneAdmissionScenarios()
}

private func refusedPrefaces() -> [Scenario] {
    let good = Array("PORTLANE".utf8) + [2, 0, 0, 0] + [UInt8](repeating: 7, count: 52)
    func changed(_ place: Int, _ byte: UInt8) -> [UInt8] {
        var bytes = good
        bytes[place] = byte
        return bytes
    }
    func refused(
        _ name: String, _ bytes: [UInt8], _ kind: String, reply: [UInt8]? = nil, _ comment: String
    ) -> Scenario {
        Scenario(
            "lane-preface-" + name, kind: "lane_preface", comment,
            (["bytes": hex(bytes), "refused": kind] as [String: Any]).with("reply", reply.map(hex)))
    }
    let spoken = Array("PORTLANE".utf8) + [0, 2, 2, 0]
    return [
        refused("session", changed(4, 0x4F), "malformed", "Other bytes at the front."),
        refused(
            "version-1", changed(8, 1), "malformed", reply: spoken,
            "The version before this one, whose preface had 60 bytes."),
        refused("version-3", changed(8, 3), "malformed", reply: spoken, "Another version."),
        refused("reserved", changed(11, 1), "malformed", "A reserved byte that is not zero."),
        refused("short", Array(good.dropLast()), "malformed", "One byte is missing."),
    ]
}

/// Lanes of one direction that arrive one after the other at the responder, and its decisions.
private func laneAdmissionScenarios() -> [Scenario] {
    let direction = fixedBytes(0x90)
    let keys = LaneKeys(direction: SecretBytes(copying: direction), suite: .chacha20poly1305)
    func preface(_ number: UInt32, changed place: Int? = nil) -> [UInt8] {
        var bytes = keys.preface(number).encode()
        if let place { bytes[place] ^= 1 }
        return bytes
    }
    func scenario(_ name: String, _ steps: [([UInt8], Bool)], _ comment: String) -> Scenario {
        Scenario(
            "lane-admission-" + name, kind: "lane_admission", comment,
            [
                "suite": 2, "secret": hex(direction),
                "steps": steps.map { ["bytes": hex($0), "taken": $1] as [String: Any] },
            ])
    }
    return [
        scenario(
            "once",
            [
                (preface(0), true), (preface(0), false), (preface(2), true), (preface(1), true), (preface(2), false),
                (preface(1), false),
            ], "Each number is good once, in any order."),
        scenario(
            "far-below",
            [
                (preface(0), true), (preface(100), true), (preface(37), true), (preface(36), false),
                (preface(99), true), (preface(0), false),
            ], "A number that is 64 or more below one that came counts as used."),
        scenario(
            "refused-counts-for-nothing",
            [
                (preface(500, changed: 63), false), (preface(400, changed: 16), false), (preface(0), true),
                (preface(1, changed: 32), false), (preface(1), true),
            ], "Prefaces with a wrong token, and of another direction, use no number."),
    ]
}

func packedHeaderScenarios() -> [Scenario] {
    let place = PayloadBytes.header(transfer: 1, entry: 2, offset: 3)
    func record(_ length: UInt64, data: Int) -> [UInt8] {
        place + TreeBytes.number(length, 4) + [UInt8](repeating: 0x28, count: data)
    }
    func good(_ name: String, _ length: Int, data: Int, _ comment: String) -> Scenario {
        Scenario(
            "packed-header-" + name, kind: "packed_header", comment,
            [
                "bytes": hex(record(UInt64(length), data: data)),
                "meaning": ["transfer": 1, "entry": 2, "offset": "3", "original_length": length] as [String: Any],
            ])
    }
    func refused(_ name: String, _ bytes: [UInt8], _ kind: String, _ comment: String) -> Scenario {
        Scenario("packed-header-" + name, kind: "packed_header", comment, ["bytes": hex(bytes), "refused": kind])
    }
    return [
        good("smallest", 2, data: 1, "Two bytes in one; whether that can be is for the decoder."),
        good("largest", 1_048_576, data: 12, "1 MiB of data in twelve bytes."),
        refused("not-shorter", record(12, data: 12), "malformed", "As long as what it holds."),
        refused("one-byte", record(1, data: 1), "malformed", "One byte is never packed."),
        refused("too-long", record(1_048_577, data: 12), "limit", "More than one record may hold."),
        refused("short", Array(record(2, data: 0)), "malformed", "A header and nothing else."),
    ]
}
