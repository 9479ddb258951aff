import Foundation
import Glibc
import PortolanCrypto
import PortolanValues
import TestSupport
import Testing

@testable import PortolanTrust

@Suite struct DeviceIdentityTests {
    let temporary: TemporaryHome
    let ada: DeviceName

    init() throws {
        temporary = try TemporaryHome()
        ada = try DeviceName("ada")
    }

    private func load() throws -> DeviceIdentity {
        try DeviceIdentity.loadOrCreate(in: temporary.home, defaultName: ada)
    }

    @Test func firstStartCreatesAnIdentityAndLaterOnesLoadIt() throws {
        let first = try load()
        let other = try DeviceName("other-host")
        let second = try DeviceIdentity.loadOrCreate(in: temporary.home, defaultName: other)
        #expect(first.publicKey == second.publicKey)
        #expect(second.name == ada)
        #expect(temporary.mode(temporary.home.data) == 0o700)
        #expect(temporary.mode(temporary.keyFile) == 0o600)
        #expect(temporary.mode(temporary.nameFile) == 0o600)
        #expect(try temporary.dataEntries() == ["device.key"])
    }

    @Test func onlookerReadsStateAndWritesNothing() throws {
        let invented = try DeviceIdentity.loadOrInvent(in: temporary.home, defaultName: ada)
        #expect(invented.name == ada)
        #expect(!FileManager.default.fileExists(atPath: temporary.home.data))
        #expect(!FileManager.default.fileExists(atPath: temporary.home.state))
        let made = try load()
        let other = try DeviceName("other")
        let found = try DeviceIdentity.loadOrInvent(in: temporary.home, defaultName: other)
        #expect(found.publicKey == made.publicKey && found.name == ada)
        #expect(found.publicKey != invented.publicKey)
    }

    @Test func theNameCanBeChanged() throws {
        let first = try load()
        try DeviceIdentity.rename(to: DeviceName("Ada’s laptop"), in: temporary.home)
        let second = try load()
        #expect(second.name.text == "Ada’s laptop")
        #expect(second.publicKey == first.publicKey)
    }

    @Test func replacedKeyIsKeptBesideTheNewOne() throws {
        let first = try load()
        let old = try temporary.bytes(temporary.keyFile)
        let renewed = try DeviceIdentity.renewKey(in: temporary.home)
        let second = try load()
        #expect(second.fingerprint == renewed)
        #expect(second.publicKey != first.publicKey)
        #expect(second.name == first.name)
        #expect(try temporary.dataEntries() == ["device.key", "device.key.old"])
        #expect(try temporary.bytes(temporary.keyFile + ".old") == old)
        #expect(temporary.mode(temporary.keyFile + ".old") == 0o600)
        #expect(temporary.mode(temporary.keyFile) == 0o600)
    }

    @Test func manyStartsAtOnceGetTheSameKey() async throws {
        let home = temporary.home
        let ada = ada
        let fingerprints = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<24 {
                group.addTask {
                    try DeviceIdentity.loadOrCreate(in: home, defaultName: ada).fingerprint.description
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(fingerprints.count == 1)
        #expect(try temporary.dataEntries() == ["device.key"])
    }

    @Test func truncatedKeyIsAnErrorAndIsNotChanged() throws {
        let whole = try load()
        let bytes = try temporary.bytes(temporary.keyFile)
        for length in 0..<bytes.count {
            try temporary.write(bytes.prefix(length), to: temporary.keyFile)
            #expect(throws: StoreError.self, "cut at \(length)") { try load() }
            #expect(try temporary.bytes(temporary.keyFile).count == length)
        }
        try temporary.write(bytes, to: temporary.keyFile)
        #expect(try load().publicKey == whole.publicKey)
    }

    @Test func aKeyChangedAnywhereIsAnError() throws {
        _ = try load()
        let bytes = try temporary.bytes(temporary.keyFile)
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 0x01
            try temporary.write(changed, to: temporary.keyFile)
            #expect(throws: StoreError.self, "changed at \(index)") { try load() }
        }
    }

    @Test func errorOfADamagedKeyHasAdvice() throws {
        _ = try load()
        try temporary.write([], to: temporary.keyFile)
        let error = try #require(throws: StoreError.self) { try load() }
        #expect(error.path == temporary.keyFile)
        #expect(error.description.contains("damaged"))
        #expect(error.description.contains("move it away"))
    }

    @Test(
        "a key that others can reach is refused with the command that mends it",
        arguments: [0o640, 0o604, 0o660, 0o777])
    func openKey(mode: UInt32) throws {
        _ = try load()
        chmod(temporary.keyFile, mode)
        let error = try #require(throws: StoreError.self) { try load() }
        #expect(error.kind == .tooOpen(mode: mode))
        let own = String(mode & 0o700, radix: 8)
        #expect(error.description.hasSuffix("Run: chmod 0\(own) '\(temporary.keyFile)'"))
    }

    @Test func directoryAccessibleToOthersIsRefused() throws {
        _ = try load()
        chmod(temporary.home.data, 0o755)
        let error = try #require(throws: StoreError.self) { try load() }
        #expect(error.kind == .tooOpen(mode: 0o755))
        #expect(error.path == temporary.home.data)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file to another user"))
    func keyOfAnotherUserIsRefused() throws {
        _ = try load()
        chown(temporary.keyFile, 12345, 12345)
        let error = try #require(throws: StoreError.self) { try load() }
        #expect(error.kind == .foreignOwner(owner: 12345))
    }

    @Test func aLinkAFIFOOrADirectoryInTheKeysPlaceIsRefused() throws {
        _ = try load()
        let elsewhere = temporary.path + "/elsewhere"
        try FileManager.default.moveItem(atPath: temporary.keyFile, toPath: elsewhere)
        symlink(elsewhere, temporary.keyFile)
        #expect(throws: StoreError.self) { try load() }
        unlink(temporary.keyFile)
        mkfifo(temporary.keyFile, 0o600)
        #expect(throws: StoreError.self) { try load() }
        unlink(temporary.keyFile)
        mkdir(temporary.keyFile, 0o700)
        #expect(throws: StoreError.self) { try load() }
    }

    @Test("a damaged name is an error", arguments: ["", "ada", "\n", "a\u{1B}\n", " ada\n", "a\nb\n"])
    func damagedName(contents: String) throws {
        _ = try load()
        try temporary.write(contents.utf8, to: temporary.nameFile)
        let error = try #require(throws: StoreError.self) { try load() }
        #expect(error.path == temporary.nameFile)
        #expect(error.advice == .renameDevice)
    }

    @Test func fuzzedKeyFileIsRefusedOrHasTheSameKey() throws {
        let whole = try load()
        let bytes = StoredKey.text(of: whole.key).withUnsafeBytes { Array($0) }
        let seed: UInt64 = 0x5EED_0002
        var random = SeededGenerator(seed: seed)
        for round in 0..<3000 {
            let mutated = bytes.mutated(using: &random)
            if let key = StoredKey.key(in: SecretBytes(copying: mutated)) {
                #expect(key.publicKey == whole.publicKey, "seed \(seed) round \(round): \(mutated)")
            }
        }
    }
}
