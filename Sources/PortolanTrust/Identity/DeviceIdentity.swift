import PortolanCrypto
import PortolanValues

/// Who this device is: its long-term key, by which others know it, and the name it goes by.
public struct DeviceIdentity: Sendable {
    public var name: DeviceName
    public let key: DeviceKey

    public var publicKey: DevicePublicKey { key.publicKey }
    /// What people compare aloud.
    public var fingerprint: Fingerprint { publicKey.fingerprint }

    /// An identity that is kept nowhere: for tests, and for programs that bring their own store.
    public init(name: DeviceName, key: DeviceKey) {
        self.name = name
        self.key = key
    }

    /// This installation's identity; made on the first start, and the same ever after.
    ///
    /// Two processes starting at once get the same key. A damaged key file is an error: a new key would make every
    /// peer that knows this device refuse it, so only a person may decide that.
    ///
    /// - Parameter defaultName: evaluated for a device that has no name yet; usually `DeviceName(account:hostName:)`.
    package static func loadOrCreate(
        in home: HomeDirectory, defaultName: @autoclosure () -> DeviceName
    ) throws(StoreError) -> DeviceIdentity {
        DeviceIdentity(
            name: try StoredName(home: home).loadOrCreate(defaultName()),
            key: try StoredKey(home: home).loadOrCreate())
    }

    /// Gives this installation another key, as one whose disk was copied from another machine's needs; what runs already keeps the
    /// old one until it restarts.
    ///
    /// To others it is another device from then on: no contact of theirs, and no member of their teams.
    /// - Returns: the new key's fingerprint. The old key is kept beside it.
    @discardableResult
    package static func renewKey(in home: HomeDirectory) throws(StoreError) -> Fingerprint {
        try StoredKey(home: home).replace().publicKey.fingerprint
    }

    /// The name that this installation has had since its first start; nil before that. Makes nothing.
    package static func storedName(in home: HomeDirectory) throws(StoreError) -> DeviceName? {
        try StoredName(home: home).loadIfThere()
    }

    /// Gives this installation another name; what runs already keeps the old one until it restarts.
    package static func rename(to name: DeviceName, in home: HomeDirectory) throws(StoreError) {
        try StoredName(home: home).replace(with: name)
    }
}

extension HomeDirectory {
    /// The file that holds the device key.
    public var deviceKeyFile: String { data + "/" + StoredKey.fileName }
}
