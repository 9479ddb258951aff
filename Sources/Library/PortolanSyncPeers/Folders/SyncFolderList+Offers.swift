import Foundation
import PortolanCrypto
import PortolanProtocol
import PortolanTrust
import PortolanValues

/// Folders that others share with this device, as last announced.
extension SyncFolderList {
    /// Folder that a peer shares with this device.
    package struct SharedFolderOffer: Hashable, Codable, Sendable {
        /// Identifier, in hexadecimal digits.
        package var id: String
        /// Name at the peer; untrusted text.
        package var name: String
        var statements: [SignedFolderStatement]

        /// For whom it is; nil for damaged statements.
        package var audience: FolderAudience? { FolderAudience(statements) }
    }

    /// Folders of one device.
    package struct Offers: Hashable, Codable, Sendable {
        /// Key of the device, in hexadecimal digits.
        package var key: String
        /// Name of the peer; safe to print.
        package var peer: String
        /// Contact or team, in the form for `portolan sync join`.
        package var source: String
        package var folders: [SharedFolderOffer]
    }

    private static let offersName = "offered"
    /// Largest number of devices that are remembered.
    private static let mostOffers = 256

    /// Returns the offers of each device, without folders that this one has joined, and those that are not for both.
    package func offers() throws(StoreError) -> [Offers] {
        let joined = Set(try all().compactMap(\.id).map { Hexadecimal.text($0.bytes) })
        var offers = try storedOffers()
        guard !offers.isEmpty, let own = try DeviceIdentity.storedKey(in: home) else { return [] }
        let known = PeerStore(home: home, own: own)
        let standing = try known.standing(of: own, now: .now)
        for place in offers.indices {
            let device = Hexadecimal.bytes(inEitherCase: offers[place].key).flatMap { try? DevicePublicKey(bytes: $0) }
            let theirs = try device.map { one throws(StoreError) in try known.standing(of: one, now: .now) }
            offers[place].folders.removeAll { folder in
                guard !joined.contains(folder.id), let device, let theirs, let audience = folder.audience else {
                    return true
                }
                return !audience.includes(theirs) { $0.matches(device) }
                    || !audience.includes(own: PinnedKey(own), standing)
            }
        }
        return offers.filter { !$0.folders.isEmpty }
    }

    /// Stores the present offers of devices. Those of other devices stay.
    package func remember(_ news: [Offers]) throws(StoreError) {
        let before = try storedOffers()
        let keys = Set(news.map(\.key))
        let all = news.filter { !$0.folders.isEmpty } + before.filter { !keys.contains($0.key) }
        let offers = Self.fitting(Array(all.prefix(Self.mostOffers)))
        guard offers != before else { return }
        try PrivateDirectory(path: directoryPath).replace(Self.offersName, with: Self.text(offers))
    }

    /// The offers for which the file has room, in their order; large ones are left out first.
    private static func fitting(_ all: [Offers]) -> [Offers] {
        let sizes = all.map { text([$0]).count }
        var room = sizeLimit
        let kept = all.indices.sorted { sizes[$0] < sizes[$1] }.prefix { place in
            room -= sizes[place]
            return room >= 0
        }
        return kept.sorted().map { all[$0] }
    }

    func storedOffers() throws(StoreError) -> [Offers] { try hints(Self.offersName) ?? [] }
}
