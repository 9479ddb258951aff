import Foundation
import PortolanCrypto
import PortolanValues
import SwiftProtobuf
import TestSupport
import Testing

@testable import PortolanTrust

/// Devices with fixed keys, a moment, and random numbers from a seed.
struct Workshop {
    static let now = Date(timeIntervalSince1970: 1_800_000_000)

    var random: SeededGenerator
    let founder: DeviceKey
    let second: DeviceKey
    let third: DeviceKey

    init(seed: UInt64 = 1) throws {
        random = SeededGenerator(seed: seed)
        founder = try DeviceKey(seed: [UInt8](repeating: 1, count: 32))
        second = try DeviceKey(seed: [UInt8](repeating: 2, count: 32))
        third = try DeviceKey(seed: [UInt8](repeating: 3, count: 32))
    }

    /// A key without a device: sufficient for members that sign nothing.
    mutating func somebody() -> PinnedKey {
        PinnedKey(bytes: (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) })!
    }

    mutating func found(now: Date = now) throws -> TeamHeads {
        TeamHeads.found(try TeamName("acme"), by: founder, called: try DeviceName("ada"), now: now, using: &random)
    }

    /// A team in which the first three devices are admins.
    mutating func foundByThree() throws -> TeamHeads {
        var team = try found()
        for (key, name) in [(second, "ben"), (third, "cleo")] {
            try change(&team, .add(key.pinned, name: DeviceName(name), groups: []))
            try change(&team, .promote(key.pinned))
        }
        return team
    }

    mutating func change(
        _ team: inout TeamHeads, _ change: RosterChange, by key: DeviceKey? = nil, now: Date = now
    ) throws {
        try team.change(change, by: key ?? founder, now: now, using: &random)
    }

    /// The team after a change.
    mutating func changed(
        _ team: TeamHeads, _ change: RosterChange, by key: DeviceKey? = nil, now: Date = now
    ) throws -> TeamHeads {
        var team = team
        try self.change(&team, change, by: key, now: now)
        return team
    }

    /// The team's only roster after `edit`, signed again by the signer that it then names.
    func forged(_ team: TeamHeads, by key: DeviceKey, _ edit: (inout WireRoster) -> Void) throws -> TeamHeads.Update {
        var wire = try WireRoster(serializedBytes: team.heads[0].signed.bytes)
        wire.signer = Data(key.publicKey.bytes)
        edit(&wire)
        return try team.heads[0].update(with: wire.serializedBytes(), by: key)
    }
}

extension DeviceKey {
    var pinned: PinnedKey { PinnedKey(publicKey) }
}

extension TeamHeads {
    var update: Update { updates[0] }

    func has(_ key: PinnedKey) -> Bool { team.member(key) != nil }

    /// Takes all heads of another device.
    mutating func meet(_ other: TeamHeads) throws {
        for update in other.updates { _ = try adopt(update, now: Workshop.now) }
    }
}

extension TeamHeads.Head {
    /// Other bytes with this head's secret, with a valid signature.
    func update(with bytes: [UInt8], by key: DeviceKey) -> TeamHeads.Update {
        let signature = key.signature(for: Array("portolan/1 roster".utf8) + bytes)
        return .init(signed: SignedRoster(bytes: bytes, signature: signature), secret: secret)
    }
}

/// Reason why a roster is rejected; records an issue if it is not.
func refusal(_ body: () throws(RosterError) -> Void) -> RosterError? {
    do {
        try body()
        return nil
    } catch {
        return error
    }
}
