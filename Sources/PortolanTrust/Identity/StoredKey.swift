import PortolanCrypto

/// The file that holds the device key: a title, the seed, and the fingerprint of the key it makes, one a line.
///
/// The fingerprint lets a person see whose file it is, and a damaged seed be told from a good one: without it any
/// 32 bytes would pass for a key.
struct StoredKey {
    static let fileName = "device.key"
    /// What was the key before the last ``replace()``.
    static let formerName = "device.key.old"
    private static let title = "portolan device key, version 1: keep it secret"
    private static let sizeLimit = 1024

    private let directoryPath: String

    init(home: HomeDirectory) { directoryPath = home.data }

    func loadOrCreate() throws(StoreError) -> DeviceKey {
        let directory = try PrivateDirectory(path: directoryPath)
        if let key = try load(from: directory) { return key }
        let made = DeviceKey.generate()
        var text = Self.text(of: made)
        defer { PrivateDirectory.wipe(&text) }
        if try directory.create(Self.fileName, text) { return made }
        // Another process was faster: its key is this device's key.
        guard let theirs = try load(from: directory) else {
            throw StoreError(.damaged(reason: "it vanished while it was read"), path: directory.path(of: Self.fileName))
        }
        return theirs
    }

    /// Makes another key; the one before is kept beside it, so that a mistake can be undone by hand.
    func replace() throws(StoreError) -> DeviceKey {
        let directory = try PrivateDirectory(path: directoryPath)
        let made = DeviceKey.generate()
        var text = Self.text(of: made)
        defer { PrivateDirectory.wipe(&text) }
        if var former = try directory.read(Self.fileName, limit: Self.sizeLimit) {
            defer { PrivateDirectory.wipe(&former) }
            try directory.replace(Self.formerName, with: former)
        }
        try directory.replace(Self.fileName, with: text)
        return made
    }

    private func load(from directory: borrowing PrivateDirectory) throws(StoreError) -> DeviceKey? {
        guard var contents = try directory.read(Self.fileName, limit: Self.sizeLimit) else { return nil }
        defer { PrivateDirectory.wipe(&contents) }
        guard let key = Self.key(in: contents) else {
            throw StoreError(
                .damaged(reason: "it does not hold a whole device key"), path: directory.path(of: Self.fileName),
                remedy: "Put back a copy of it, or move it away to start again with a new key: "
                    + "every device that knows this one will then refuse it until it forgets the old key.")
        }
        return key
    }

    static func text(of key: DeviceKey) -> [UInt8] {
        let seed = key.withSeed { Hexadecimal.digits(of: $0) }
        return Array("\(title)\n".utf8) + seed + Array("\n\(key.publicKey.fingerprint)\n".utf8)
    }

    /// Exactly what `text(of:)` writes is a key; every file that was cut or changed anywhere is not.
    static func key(in contents: [UInt8]) -> DeviceKey? {
        let lines = contents.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard lines.count == 4, lines[0].elementsEqual(title.utf8), lines[1].count == 64, lines[3].isEmpty,
            var seed = Hexadecimal.bytes(lines[1])
        else { return nil }
        defer { PrivateDirectory.wipe(&seed) }
        guard let key = try? DeviceKey(seed: seed), lines[2].elementsEqual(key.publicKey.fingerprint.description.utf8)
        else { return nil }
        return key
    }
}
