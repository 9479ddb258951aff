import PortolanCrypto
import PortolanTrust
import PortolanValues

/// Meaning of a service record. Each of the three kinds is written and read here.
package enum ServiceRecordKind: Hashable, Sendable {
    /// An openly visible device; without a fingerprint, an older, broken or handmade record.
    case open(Fingerprint?)
    /// A device that is visible to its teams alone.
    case hidden(PresenceSeal)
    /// A device that waits for another with a code, and has no identity yet.
    case waiting(number: Int, WaitingPurpose)
    /// A record without a valid meaning.
    case unreadable
}

/// Purpose of a waiting device that shows the number of a code.
package enum WaitingPurpose: String, Sendable, CaseIterable {
    /// Pairing with another device.
    case pair
    /// Invitation of another device to a team.
    case join
}

extension Advertisement {
    /// Makes the advertisement of a device that is visible to everyone.
    ///
    /// - Parameter activities: activities of this instance of the device.
    package static func open(
        name: String, fingerprint: Fingerprint, port: UInt16, activities: Activities
    ) throws(DiscoveryError) -> Advertisement {
        try Advertisement(
            name: name, port: port,
            txt: format + [(RecordKeyword.fingerprint, fingerprint.bytes), (RecordKeyword.activities, activities.txt)])
    }

    /// Makes the advertisement of a device that only its teams recognise: new names and a new host at each call.
    package static func hidden(_ seal: PresenceSeal, port: UInt16) throws(DiscoveryError) -> Advertisement {
        try Advertisement(
            name: randomName(), host: randomName(), port: port,
            txt: format + [(RecordKeyword.nonce, seal.nonce), (RecordKeyword.slots, seal.slots)])
    }

    /// Makes the advertisement of a device that waits with a code. It has the code's number, which is public, and no
    /// identity.
    package static func waiting(
        number: Int, for purpose: WaitingPurpose, port: UInt16
    ) throws(DiscoveryError) -> Advertisement {
        precondition(PairingCode.numbers.contains(number), "codes begin with a number from 1 to 99")
        return try Advertisement(
            name: randomName(), host: randomName(), port: port,
            txt: format + [(purpose.rawValue, Array("\(number)".utf8))])
    }

    /// Makes a name of 80 random bits as 16 characters, which is unique without probing.
    private static func randomName() -> String {
        Base32.text((0..<10).map { _ in UInt8.random(in: .min ... .max) })
    }

    private static let format = [
        (key: RecordKeyword.format, value: [one]), (key: RecordKeyword.versions, value: [one]),
    ]
}

extension ServiceRecord {
    package var meaning: ServiceRecordKind {
        // A TXT record of another format (RFC 6763 §6.7) cannot be read here.
        guard (1...63).contains(instanceName.utf8.count), txt[RecordKeyword.format].map({ $0 == [one] }) ?? true else {
            return .unreadable
        }
        // Contradicting keys make a record invalid: a number together with a name would link a name to a code.
        let kinds = [
            RecordKeyword.nonce, RecordKeyword.slots, WaitingPurpose.pair.rawValue, WaitingPurpose.join.rawValue,
        ].filter {
            txt[$0] != nil
        }
        switch kinds {
        case []: return .open(txt[RecordKeyword.fingerprint].flatMap { Fingerprint(bytes: $0) })
        case [RecordKeyword.nonce, RecordKeyword.slots]:
            guard txt[RecordKeyword.fingerprint] == nil, let nonce = txt[RecordKeyword.nonce],
                let slots = txt[RecordKeyword.slots]
            else {
                return .unreadable
            }
            return PresenceSeal(nonce: nonce, slots: slots).map(ServiceRecordKind.hidden) ?? .unreadable
        case let single where single.count == 1:
            guard txt[RecordKeyword.fingerprint] == nil, let purpose = WaitingPurpose(rawValue: single[0]),
                let number = txt[single[0]].flatMap(Self.number)
            else { return .unreadable }
            return .waiting(number: number, purpose)
        default: return .unreadable
        }
    }

    /// TXT `v`: decimal numbers separated by commas; empty if it cannot be read.
    var versions: [UInt8] {
        guard let value = txt[RecordKeyword.versions], value.count <= 64 else { return [] }
        let numbers = value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { digits in
            digits.allSatisfy { (0x30...0x39).contains($0) } ? UInt8(String(decoding: digits, as: UTF8.self)) : nil
        }
        return numbers.contains(nil) ? [] : numbers.compactMap { $0 }
    }

    /// TXT `does`, for open records. Other records do not state it, and may do anything.
    var activities: Activities { Activities(txt: txt[RecordKeyword.activities]) }

    /// Parses a code's number in its canonical form.
    private static func number(_ digits: [UInt8]) -> Int? {
        guard (1...2).contains(digits.count), let number = Int(String(decoding: digits, as: UTF8.self)),
            PairingCode.numbers.contains(number), Array("\(number)".utf8) == digits
        else { return nil }
        return number
    }
}

private enum RecordKeyword {
    static let format = "txtvers"
    static let versions = "v"
    static let fingerprint = "id"
    static let activities = "does"
    static let nonce = "n"
    static let slots = "t"
}

private let one = UInt8(ascii: "1")
