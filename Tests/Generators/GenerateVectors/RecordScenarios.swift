import PortolanCrypto

func recordScenarios() -> [Scenario] {
    var scenarios: [Scenario] = []
    for suite in RecordSuite.allCases {
        let label = suite == .aes256gcm ? "aes256gcm" : "chacha20poly1305"
        let plain: [(UInt8, [UInt8])] = [
            (1, Array("a control message".utf8)),
            (2, PayloadBytes.header(transfer: 1, entry: 0, offset: 0) + Array("payload".utf8)),
            (3, []),
        ]
        let whole = Stream(suite, plain)
        scenarios.append(whole.scenario("records-\(label)", "A control record, a payload record and the end."))
        scenarios.append(
            Stream(suite, Array(plain.suffix(2)), first: 65535).scenario(
                "records-\(label)-next-epoch",
                "The last record of the first key, and the first of the second: records 65535 and 65536."))
        scenarios.append(
            Stream(suite, Array(plain.suffix(2)), first: 3 * 65536 - 1).scenario(
                "records-\(label)-third-epoch", "Records 196607 and 196608, whose secrets are two and three steps on."))
    }
    scenarios += brokenStreams() + headerScenarios()
    return scenarios
}

/// Makes streams that must be refused, with the plaintext that may be released before the failure.
private func brokenStreams() -> [Scenario] {
    let plain: [(UInt8, [UInt8])] = [
        (1, Array("first".utf8)), (1, Array("second".utf8)), (3, []),
    ]
    let whole = Stream(.chacha20poly1305, plain)
    let firstLength = 4 + 5 + 16
    let secondLength = 4 + 6 + 16
    func flipped(_ offset: Int) -> [UInt8] {
        var bytes = whole.bytes
        bytes[offset] ^= 1
        return bytes
    }
    let (first, second, end) = (
        Array(whole.bytes[..<firstLength]), Array(whole.bytes[firstLength..<(firstLength + secondLength)]),
        Array(whole.bytes[(firstLength + secondLength)...])
    )
    return [
        whole.broken(
            "records-tampered-body", flipped(firstLength + 4), "forged", released: 1,
            "One bit of the second record's ciphertext is wrong."),
        whole.broken(
            "records-tampered-tag", flipped(firstLength - 1), "forged", released: 0,
            "One bit of the first record's tag is wrong."),
        whole.broken(
            "records-tampered-type", [3] + whole.bytes.dropFirst(), "limit", released: 0,
            "The first record's type says end, which its length contradicts."),
        whole.broken(
            "records-shortened-length", flipped(3), "forged", released: 0,
            "The first record's length says one byte less."),
        whole.broken("records-reordered", second + first + end, "forged", released: 0, "Two records changed places."),
        whole.broken("records-repeated", first + first + end, "forged", released: 1, "A record comes twice."),
        whole.broken("records-dropped", first + end, "forged", released: 1, "A record is missing."),
        whole.broken(
            "records-truncated-without-end", first + second, "truncated", released: 2,
            "Whole records, and the connection ends without the end record."),
        whole.broken(
            "records-truncated-inside", Array(whole.bytes.dropLast()), "truncated", released: 2,
            "The connection ends one byte before the end record's."),
        whole.broken("records-empty", [], "truncated", released: 0, "The connection ends before anything came."),
        whole.broken(
            "records-after-end", whole.bytes + first, "unexpected", released: 3, "Something follows the end record."),
    ]
}

/// Headers alone: refused by type and length before any byte of the body is waited for.
private func headerScenarios() -> [Scenario] {
    func header(
        _ name: String, _ bytes: [UInt8], phase: String = "after_acceptance", _ outcome: [String: Any],
        _ comment: String
    )
        -> Scenario
    {
        Scenario(
            "record-header-" + name, kind: "record_header", comment,
            ["bytes": hex(bytes), "phase": phase, "outcome": outcome])
    }
    func accepted(_ type: Int, _ length: Int) -> [String: Any] { ["type": type, "plaintext_length": length] }
    func refused(_ kind: String) -> [String: Any] { ["refused": kind] }
    return [
        header(
            "control-shortest", [1, 0, 0, 17], phase: "before_acceptance", accepted(1, 1), "A control record of 1 byte."
        ),
        header("control-empty", [1, 0, 0, 16], refused("malformed"), "A control record without a byte."),
        header(
            "control-longest", [1, 0x04, 0x00, 0x10], phase: "before_acceptance", accepted(1, 262144),
            "A control record of 256 KiB."),
        header("control-too-long", [1, 0x04, 0x00, 0x11], refused("limit"), "One byte more than 256 KiB."),
        header("payload-shortest", [2, 0, 0, 33], accepted(2, 17), "A payload record with one byte of data."),
        header("payload-empty", [2, 0, 0, 32], refused("malformed"), "A payload record without data."),
        header(
            "payload-longest", [2, 0x10, 0x00, 0x20], accepted(2, 1_048_592), "A payload record with 1 MiB of data."),
        header("payload-too-long", [2, 0x10, 0x00, 0x21], refused("limit"), "One byte more than 1 MiB of data."),
        header(
            "payload-before-acceptance", [2, 0, 0, 33], phase: "before_acceptance", refused("unexpected"),
            "Payload before anything was accepted."),
        header("end", [3, 0, 0, 16], phase: "before_acceptance", accepted(3, 0), "The end record."),
        header("end-with-content", [3, 0, 0, 17], refused("limit"), "An end record that holds something."),
        header("no-tag", [1, 0, 0, 15], refused("malformed"), "A record that is shorter than its tag."),
        header("type-0", [0, 0, 0, 17], refused("malformed"), "A record of type 0."),
        header("type-4", [4, 0, 0, 21], refused("unexpected"), "A tree record, which belongs on a lane."),
        header("type-5", [5, 0, 0, 37], refused("unexpected"), "Packed data, which belongs on a lane."),
        header("type-6", [6, 0, 0, 17], refused("malformed"), "A record of a type that does not exist."),
        header("lane-control", [1, 0, 0, 17], phase: "lane", refused("unexpected"), "A control record on a lane."),
        header("lane-payload", [2, 0, 0, 33], phase: "lane", accepted(2, 17), "A payload record on a lane."),
        header("lane-end", [3, 0, 0, 16], phase: "lane", accepted(3, 0), "The end of a lane."),
        header("lane-tree-empty", [4, 0, 0, 20], phase: "lane", refused("malformed"), "A tree without an element."),
        header("lane-tree-shortest", [4, 0, 0, 21], phase: "lane", accepted(4, 5), "A tree record with a mark."),
        header(
            "lane-tree-longest", [4, 0x10, 0x00, 0x10], phase: "lane", accepted(4, 1_048_576),
            "A tree record of 1 MiB."),
        header("lane-tree-too-long", [4, 0x10, 0x00, 0x11], phase: "lane", refused("limit"), "One byte more."),
        header("lane-packed-empty", [5, 0, 0, 36], phase: "lane", refused("malformed"), "Packed data without any."),
        header("lane-packed-shortest", [5, 0, 0, 37], phase: "lane", accepted(5, 21), "One byte of packed data."),
        header(
            "lane-packed-longest", [5, 0x10, 0x00, 0x23], phase: "lane", accepted(5, 1_048_595),
            "Packed data one byte shorter than the largest that it can hold."),
        header("lane-packed-too-long", [5, 0x10, 0x00, 0x24], phase: "lane", refused("limit"), "One byte more."),
        header("longest-length", [1, 0xFF, 0xFF, 0xFF], refused("limit"), "All that 24 bits can say."),
    ]
}

private struct Stream {
    let suite: RecordSuite
    let secret = fixedBytes(0x90)
    let first: UInt64
    let plain: [(type: UInt8, bytes: [UInt8])]
    let bytes: [UInt8]

    init(_ suite: RecordSuite, _ plain: [(UInt8, [UInt8])], first: UInt64 = 0) {
        self.suite = suite
        self.first = first
        self.plain = plain
        var sealer = RecordSealer(secret: SecretBytes(copying: secret), suite: suite, firstRecord: first)
        var bytes: [UInt8] = []
        for (type, text) in plain {
            var record = [0, 0, 0, 0] + text + [UInt8](repeating: 0, count: 16)
            record.withUnsafeMutableBytes { sealer.seal(type: type, $0) }
            bytes += record
        }
        self.bytes = bytes
    }

    private func content(_ stream: [UInt8], _ outcome: [String: Any]) -> [String: Any] {
        [
            "suite": Int(suite.rawValue), "secret": hex(secret), "first_record": "\(first)",
            "records": plain.map { ["type": Int($0.type), "plaintext": hex($0.bytes)] as [String: Any] },
            "stream": hex(stream), "outcome": outcome,
        ]
    }

    func scenario(_ name: String, _ comment: String) -> Scenario {
        Scenario(name, kind: "records", comment, content(bytes, ["ended": true]))
    }

    func broken(_ name: String, _ stream: [UInt8], _ error: String, released: Int, _ comment: String) -> Scenario {
        Scenario(
            name, kind: "records", comment,
            content(stream, ["refused": error, "released": released]))
    }
}

enum PayloadBytes {
    static func header(transfer: UInt32, entry: UInt32, offset: UInt64) -> [UInt8] {
        func bigEndian(_ value: UInt64, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64(count - 1 - $0))) }
        }
        return bigEndian(UInt64(transfer), 4) + bigEndian(UInt64(entry), 4) + bigEndian(offset, 8)
    }
}

func payloadHeaderScenarios() -> [Scenario] {
    func good(_ name: String, _ transfer: UInt32, _ entry: UInt32, _ offset: UInt64, _ comment: String) -> Scenario {
        Scenario(
            "payload-header-" + name, kind: "payload_header", comment,
            [
                "bytes": hex(PayloadBytes.header(transfer: transfer, entry: entry, offset: offset)),
                "meaning": ["transfer": Int(transfer), "entry": Int(entry), "offset": "\(offset)"] as [String: Any],
            ])
    }
    return [
        good("first", 1, 0, 0, "The first payload of a session."),
        good("plain", 0x0102_0304, 0x0506_0708, 0x090A_0B0C_0D0E_0F10, "Every byte different, to show their order."),
        good("largest", .max, .max, .max, "The largest numbers; whether they make sense is decided elsewhere."),
        Scenario(
            "payload-header-short", kind: "payload_header", "One byte is missing.",
            ["bytes": hex([UInt8](repeating: 0, count: 15)), "refused": "malformed"]),
    ]
}
