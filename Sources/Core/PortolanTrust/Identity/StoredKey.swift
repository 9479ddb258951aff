import PortolanCrypto

/// File with the device key: a title, the seed, and the fingerprint of the key, one a line.
///
/// The fingerprint shows a person whose file it is, and detects a damaged seed: without it any 32 bytes would be
/// accepted as a key.
struct StoredKey {
    static let fileName = "device.key"
    /// Name of the file with the key before the last ``replace()``.
    static let formerName = "device.key.old"
    private static let title = "portolan device key, version 1: keep it secret"
    private static let sizeLimit = 1024

    private let directoryPath: String

    init(home: HomeDirectory) { directoryPath = home.data }

    func loadOrCreate() throws(StoreError) -> DeviceKey {
        let directory = try PrivateDirectory(path: directoryPath)
        if let key = try load(from: directory) { return key }
        let made = DeviceKey.generate()
        if try directory.create(Self.fileName, Self.text(of: made)) { return made }
        // Another process created the file first: its key is this device's key.
        guard let theirs = try load(from: directory) else {
            throw StoreError(.damaged(reason: "it vanished while it was read"), path: directory.path(of: Self.fileName))
        }
        return theirs
    }

    /// - Returns: nil where there is none yet.
    func load() throws(StoreError) -> DeviceKey? {
        guard let directory = try PrivateDirectory(existing: directoryPath) else { return nil }
        return try load(from: directory)
    }

    /// Makes another key; the former one is kept beside it, so that a mistake can be undone by hand.
    func replace() throws(StoreError) -> DeviceKey {
        let directory = try PrivateDirectory(path: directoryPath)
        let made = DeviceKey.generate()
        if let former = try directory.readSecret(Self.fileName, limit: Self.sizeLimit) {
            try directory.replace(Self.formerName, with: former)
        }
        try directory.replace(Self.fileName, with: Self.text(of: made))
        return made
    }

    private func load(from directory: borrowing PrivateDirectory) throws(StoreError) -> DeviceKey? {
        guard let contents = try directory.readSecret(Self.fileName, limit: Self.sizeLimit) else { return nil }
        guard let key = Self.key(in: contents) else {
            throw StoreError(
                .damaged(reason: "it does not hold a whole device key"), path: directory.path(of: Self.fileName),
                remedy: "Put back a copy of it, or move it away to start again with a new key: "
                    + "every device that knows this one will then refuse it until it forgets the old key.")
        }
        return key
    }

    static func text(of key: DeviceKey) -> SecretBytes {
        .joined([
            .open(Array("\(title)\n".utf8)), .digits(of: key.seed),
            .open(Array("\n\(key.publicKey.fingerprint)\n".utf8)),
        ])
    }

    /// Parses a key file. Only the exact output of `text(of:)` is accepted; a truncated or changed file is not.
    static func key(in contents: SecretBytes) -> DeviceKey? {
        contents.withUnsafeBytes { contents in
            let lines = contents.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            guard lines.count == 4, lines[0].elementsEqual(title.utf8), lines[1].count == 64, lines[3].isEmpty,
                let seed = SecretBytes(hexadecimal: lines[1]), let key = try? DeviceKey(seed: seed),
                lines[2].elementsEqual(key.publicKey.fingerprint.description.utf8)
            else { return nil }
            return key
        }
    }
}
