import PortolanCrypto
import PortolanValues

/// Identity of this device: its long-term key, by which other devices know it, and its name.
public struct DeviceIdentity: Sendable {
    public var name: DeviceName
    public let key: DeviceKey

    public var publicKey: DevicePublicKey { key.publicKey }
    /// Short form of the key, which people compare aloud.
    public var fingerprint: Fingerprint { publicKey.fingerprint }

    /// Makes an identity that is not stored: for tests, and for programs with a store of their own.
    public init(name: DeviceName, key: DeviceKey) {
        self.name = name
        self.key = key
    }

    /// Loads this installation's identity, which the first start creates and later starts keep.
    ///
    /// Two processes starting at once get the same key. A damaged key file is an error: peers that know this device
    /// would reject a new key, so only a person may decide that.
    ///
    /// - Parameter defaultName: evaluated for a device that has no name yet; usually `DeviceName(account:hostName:)`.
    package static func loadOrCreate(
        in home: HomeDirectory, defaultName: @autoclosure () -> DeviceName
    ) throws(StoreError) -> DeviceIdentity {
        DeviceIdentity(
            name: try StoredName(home: home).loadOrCreate(defaultName()),
            key: try StoredKey(home: home).loadOrCreate())
    }

    /// Returns this installation's identity without changing the disk: missing parts are invented, and not stored.
    package static func loadOrInvent(
        in home: HomeDirectory, defaultName: @autoclosure () -> DeviceName
    ) throws(StoreError) -> DeviceIdentity {
        DeviceIdentity(
            name: try StoredName(home: home).load() ?? defaultName(),
            key: try StoredKey(home: home).load() ?? .generate())
    }

    /// Replaces this installation's key, for example after its disk was copied from another machine. Running programs
    /// keep the old key until they restart.
    ///
    /// Other devices then take this one for a new device: neither a contact nor a member of a team.
    /// - Returns: the new key's fingerprint. The old key is kept beside it.
    @discardableResult
    package static func renewKey(in home: HomeDirectory) throws(StoreError) -> Fingerprint {
        try StoredKey(home: home).replace().publicKey.fingerprint
    }

    /// Name that this installation has had since its first start; nil before that. Creates nothing.
    package static func storedName(in home: HomeDirectory) throws(StoreError) -> DeviceName? {
        try StoredName(home: home).load()
    }

    /// Public key of this installation; nil before its first start. Creates nothing.
    package static func storedKey(in home: HomeDirectory) throws(StoreError) -> DevicePublicKey? {
        try StoredKey(home: home).load()?.publicKey
    }

    /// Renames this installation. Running programs keep the old name until they restart.
    package static func rename(to name: DeviceName, in home: HomeDirectory) throws(StoreError) {
        try StoredName(home: home).replace(with: name)
    }
}

extension HomeDirectory {
    /// Path of the file with the device key.
    public var deviceKeyFile: String { data + "/" + StoredKey.fileName }
}
