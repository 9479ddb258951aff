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
        /// Key of its maker, in hexadecimal digits.
        package var maker: String?
        /// For whom it is; safe to print.
        package var with: [String]?
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

    /// Returns the offers of each device, without folders that this one has joined.
    package func offers() throws(StoreError) -> [Offers] {
        let joined = Set(try all().compactMap(\.id).map { Hexadecimal.text($0.bytes) })
        var offers = try storedOffers()
        for place in offers.indices { offers[place].folders.removeAll { joined.contains($0.id) } }
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

    private func storedOffers() throws(StoreError) -> [Offers] { try hints(Self.offersName) ?? [] }
}
