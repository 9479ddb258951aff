import Foundation
import Glibc
import PortolanCrypto
import PortolanValues
import TestSupport
import Testing

@testable import PortolanTrust

@Suite(.aside) struct TeamFileTests {
    let ada: TeamDevice
    let bob: TeamDevice
    let id: TeamID
    let file: String

    init() throws {
        ada = try TeamDevice("ada")
        bob = try TeamDevice("bob")
        id = try ada.create("acme")
        try ada.add(bob, to: id, groups: ["design"])
        let other = PinnedKey(DeviceKey.generate().publicKey)
        try ada.change(id, .add(other, name: DeviceName("carol"), groups: []))
        try ada.change(id, .remove(other))
        file = ada.file(id)
    }

    /// Every call that reads an unusable file throws an error, and nothing replaces the file.
    private func expectRefused(_ comment: Comment, by ada: TeamDevice) {
        let bytes = try? ada.temporary.bytes(file)
        #expect(throws: StoreError.self, comment) { try ada.store.standing(of: bob.key, now: .noon) }
        #expect(throws: StoreError.self, comment) {
            try ada.store.standing(of: DeviceKey.generate().publicKey, now: .noon)
        }
        #expect(throws: StoreError.self, comment) {
            try ada.store.presumedStanding(of: bob.key.fingerprint, now: .noon)
        }
        #expect(throws: StoreError.self, comment) { try ada.store.teams.all() }
        #expect(throws: StoreError.self, comment) { try ada.teams.all() }
        #expect(throws: StoreError.self, comment) { try ada.teams.named("acme") }
        #expect(throws: TeamError.self, comment) { try ada.change(id, .renew) }
        #expect(throws: TeamError.self, comment) {
            try ada.teams.create(name: TeamName("x"), by: ada.identity, now: .noon)
        }
        #expect(throws: TeamError.self, comment) { try ada.teams.adopt(id, [], own: ada.identity, now: .noon) }
        #expect(throws: TeamError.self, comment) { try ada.teams.renewIfDue(by: ada.identity, now: .noon) }
        #expect((try? ada.temporary.bytes(file)) == bytes, comment)
    }

    @Test func documentRoundTrips() throws {
        let bytes = try ada.temporary.bytes(file)
        let document = try parsed(bytes)
        #expect(document.team == id)
        #expect(document.device == ada.pin)
        #expect(document.added == .noon)
        #expect(document.heads.count == 1)
        #expect(document.olderSecrets.count == 1)
        #expect(document.text == SecretBytes(copying: bytes))
    }

    @Test func aFileCutAnywhereIsNone() throws {
        let bytes = try ada.temporary.bytes(file)
        for length in 0..<bytes.count {
            #expect(throws: StoreDefect.self, "cut at \(length)") {
                try parsed(Array(bytes.prefix(length)))
            }
        }
    }

    @Test("a team that was cut is an error for every question, and is kept", arguments: [0, 1, 40, 41, 200, -65, -1])
    func truncatedTeamIsAnErrorAndKept(length: Int) throws {
        let bytes = try ada.temporary.bytes(file)
        _ = try ada.store.standing(of: bob.key, now: .noon)
        let cut = length < 0 ? bytes.count + length : length
        try ada.temporary.write(bytes.prefix(cut), to: file)
        chmod(file, 0o600)
        expectRefused("cut at \(cut)", by: ada)
        // With the file put back, everything is as before.
        try ada.temporary.write(bytes, to: file)
        chmod(file, 0o600)
        #expect(try ada.store.standing(of: bob.key, now: .noon).memberships.count == 1)
    }

    @Test func fuzzedFileIsThisTeamOrAnError() throws {
        let seed: UInt64 = 0x5EED_0042
        var random = SeededGenerator(seed: seed)
        let bytes = try ada.temporary.bytes(file)
        for round in 0..<2000 {
            let mutated = bytes.mutated(using: &random)
            guard mutated != bytes else { continue }
            #expect(throws: StoreDefect.self, "seed \(seed) round \(round)") { try parsed(mutated) }
        }
    }

    @Test(
        "a made-up file is not believed for having the right sum",
        arguments: [
            ("team ", "team x"), ("added ", "added x"), ("device ", "device 0"), ("head ", "heads "),
            ("head ", "head 0"),
            ("older ", "other "), ("older ", "older 0"), ("version 1", "version 2"),
        ])
    func forgedFileIsRefusedDespiteItsSum(old: String, new: String) throws {
        let whole = String(decoding: try ada.temporary.bytes(file), as: UTF8.self)
        let body = whole.components(separatedBy: "sha256 ")[0].replacingOccurrences(of: old, with: new)
        let sum = Hexadecimal.text(sha256([Array(body.utf8)]))
        let changed = body + "sha256 " + sum + "\n"
        try #require(changed != whole)
        #expect(throws: StoreDefect.self) { try parsed(Array(changed.utf8)) }
    }

    @Test func mismatchedRosterOrSecretIsDamage() throws {
        let document = try parsed(try ada.temporary.bytes(file))
        let head = document.heads[0]
        var bytes = head.signed.bytes
        bytes[bytes.count / 2] ^= 1
        let heads: [[TeamHeads.Update]] = [
            [], [.init(signed: SignedRoster(bytes: bytes, signature: head.signed.signature), secret: head.secret)],
            [.init(signed: head.signed, secret: .random(count: 32))],
            [.init(signed: SignedRoster(bytes: [], signature: []), secret: head.secret)],
        ]
        for (number, heads) in heads.enumerated() {
            let made = TeamDocument(
                team: id, added: .noon, device: ada.pin, heads: heads, olderSecrets: document.olderSecrets)
            try PrivateDirectory(path: ada.directory).replace(TeamFiles.fileName(id), with: made.text)
            expectRefused("case \(number)", by: ada)
        }
    }

    @Test func teamUnderAnotherFileNameIsDamage() throws {
        let other = try bob.create("other")
        try PrivateDirectory(path: ada.directory).replace(
            TeamFiles.fileName(id), with: try bob.temporary.bytes(bob.file(other)))
        expectRefused("another team", by: ada)
        // The file of another team is not accepted with the line of its identifier changed, either.
        let made = try parsed(try bob.temporary.bytes(bob.file(other)))
        let forged = TeamDocument(
            team: id, added: made.added, device: made.device, heads: made.heads, olderSecrets: [])
        try PrivateDirectory(path: ada.directory).replace(TeamFiles.fileName(id), with: forged.text)
        expectRefused("another team under this name", by: ada)
    }

    @Test("a file that others can read or write is refused", arguments: [0o640, 0o604, 0o602, 0o660] as [mode_t])
    func readableOrWritableFileIsRefused(mode: mode_t) throws {
        chmod(file, mode)
        expectRefused("mode \(mode)", by: ada)
        chmod(file, 0o600)
        #expect(try ada.team(id) != nil)
    }

    @Test("a directory that others can enter is refused", arguments: ["/teams", ""])
    func directoryMode(name: String) throws {
        _ = try ada.store.standing(of: bob.key, now: .noon)
        chmod(ada.temporary.home.data + name, 0o711)
        expectRefused("directory \(name)", by: ada)
    }

    @Test func unreadableFileIsAnError() throws {
        unlink(file)
        mkdir(file, 0o700)
        expectRefused("a directory", by: ada)
        rmdir(file)
        mkfifo(file, 0o600)
        expectRefused("a FIFO", by: ada)
        unlink(file)
        symlink(bob.temporary.path, file)
        expectRefused("a link", by: ada)
    }

    @Test func tooLargeFileIsNotRead() throws {
        try ada.temporary.write(repeatElement(UInt8(ascii: "a"), count: TeamDocument.sizeLimit + 1), to: file)
        chmod(file, 0o600)
        let error = try #require(throws: StoreError.self) { try ada.teams.all() }
        #expect(error.kind == .tooLarge(limit: TeamDocument.sizeLimit))
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file to another user"))
    func teamFileOfAnotherUserIsRefused() throws {
        chown(file, 12345, 12345)
        expectRefused("another user's file", by: ada)
        chown(file, 0, 0)
        chown(ada.directory, 12345, 12345)
        expectRefused("another user's directory", by: ada)
    }

    @Test func unreadableTeamCanBeLeft() throws {
        try ada.temporary.write([], to: file)
        #expect(try ada.teams.leave(id))
        #expect(try ada.teams.all().isEmpty)
    }

    @Test func leftoverOfAnInterruptedWriteIsRemoved() throws {
        // All files that can exist when the process ends: a temporary file, empty, half or whole, beside the earlier
        // file.
        let bytes = try ada.temporary.bytes(file)
        let before = try #require(try ada.team(id)).team
        for (number, length) in [0, bytes.count / 2, bytes.count].enumerated() {
            try ada.temporary.write(bytes.prefix(length), to: ada.directory + "/.\(id).team.\(number)abc")
        }
        try ada.temporary.write("\(id)".utf8, to: ada.directory + "/.default.1abc")
        #expect(try ada.teams.all().map(\.team) == [before])
        #expect(try ada.store.standing(of: bob.key, now: .noon).memberships.count == 1)
        #expect(try ada.entries().count == 6)
        try ada.change(id, .renew)
        #expect(try ada.entries() == ["\(id).team", "lock"])
    }

    @Test func filesOfOtherKindsAreLeftAlone() throws {
        let names = [
            "notes.txt", "\(id).team.old", "\(id).TEAM", "acme.team", "\("\(id)".uppercased()).team", ".hidden",
        ]
        for name in names { try ada.temporary.write([1], to: ada.directory + "/" + name) }
        #expect(try ada.teams.all().map(\.id) == [id])
        try ada.change(id, .renew)
        #expect(try ada.entries() == Set(names + ["\(id).team", "lock"]))
    }

    @Test func moreTeamsThanCanBeUsedAreAnError() throws {
        for _ in 0..<TeamStore.capacity {
            let other = try #require(TeamID(bytes: (0..<16).map { _ in UInt8.random(in: .min ... .max) }))
            try ada.temporary.write([], to: ada.file(other))
        }
        let error = try #require(throws: StoreError.self) { try ada.store.standing(of: bob.key, now: .noon) }
        #expect(error.description.contains("17 teams"))
    }
}

private func parsed(_ bytes: [UInt8]) throws(StoreDefect) -> TeamDocument {
    try TeamDocument.parse(.joined([.open(bytes)]))
}
