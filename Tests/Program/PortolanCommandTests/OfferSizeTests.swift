import PortolanCrypto
import PortolanValues
import Testing

@testable import Portolan
@testable import PortolanCommand

/// Sizes of an offer, as shown for the decision.
@Suite struct OfferSizeTests {
    private func offer(_ items: [(size: UInt64?, apparent: UInt64?, isFolder: Bool)], most: UInt64?? = nil) throws
        -> IncomingOffer
    {
        let key = try DeviceKey(seed: [UInt8](repeating: 1, count: 32))
        return IncomingOffer(
            peer: RemotePeer(
                name: "ada", fingerprint: key.publicKey.fingerprint, address: "127.0.0.1:1", isKnown: true,
                standing: .anyone),
            items: items.map { item in
                IncomingOffer.Item(
                    transfer: TransferID(item: 0), title: "item", contentType: "public.data", typeDescription: nil,
                    suggestedName: nil,
                    representation: 0, representationCount: 1, size: item.size, apparentSize: item.apparent,
                    mostBytes: most ?? item.apparent, isFolder: item.isFolder, restriction: .everyone, preview: nil,
                    forms: [])
            }, notImportable: [])
    }

    private func estimated(_ sizes: [UInt64?]) throws -> IncomingOffer {
        var offer = try offer(sizes.map { _ in (nil, nil, true) })
        for (index, size) in sizes.enumerated() { offer.items[index].estimatedSize = size }
        return offer
    }

    private static func text(_ offer: IncomingOffer) -> String {
        "\(OfferText.body(offer))\n\(OfferText.question(offer))"
    }

    @Test func acceptedSizeIsShown() throws {
        let known = Self.text(try offer([(1000, 1000, false), (234, 234, false)]))
        #expect(known.contains("\nTake 2 items, 1.23 kB, from "))
        let mixed = Self.text(try offer([(1000, 1000, false), (nil, nil, true), (nil, nil, false)]))
        #expect(mixed.contains("\nTake 3 items, 1.00 kB and 2 of unknown size, from "))
        #expect(mixed.contains("folder, size unknown"))
        let unknown = Self.text(try offer([(nil, nil, false)]))
        #expect(unknown.contains("\nTake 1 item, size unknown, from "))
        let sparse = Self.text(try offer([(1000, 4_000_000_000, false)]))
        #expect(sparse.contains("1.00 kB in a file of 4.00 GB"))
        let larger = Self.text(try offer([(1000, 1000, false)], most: 4_000_000))
        #expect(larger.contains("1.00 kB, or in another form, up to 4.00 MB"))
        let open = Self.text(try offer([(1000, 1000, false)], most: .some(nil)))
        #expect(open.contains("1.00 kB, or in another form, size unknown"))
    }

    @Test func estimateOfAFolderIsShownAsOne() throws {
        let one = Self.text(try estimated([2_100_000_000]))
        #expect(one.contains("folder, about 2.10 GB, as its sender estimates"))
        #expect(one.contains("\nTake 1 item, about 2.10 GB, from "))
        let two = Self.text(try estimated([1000, nil]))
        #expect(two.contains("\nTake 2 items, about 1.00 kB and 1 of unknown size, from "))
        let most = Self.text(try estimated([UInt64](repeating: 1 << 62, count: 5)))
        #expect(most.contains("\nTake 5 items, about 18.4 EB, from "))
    }

    @Test func eventHasTheEstimateOfAFolder() throws {
        let text = NodeEvent(\.offer, .init(try estimated([1000]))).line
        #expect(text.contains(#""estimatedBytes":1000,"#) && text.contains(#""sizeKnown":false"#))
        #expect(text.contains(#""bytes":null,"#) && text.contains(#""mostBytes":null,"#))
        #expect(try NodeEvent(\.offer, .init(offer([(1, 1, false)]))).line.contains(#""estimatedBytes":null,"#))
    }

    @Test func eventsHaveBothSizes() throws {
        let text = NodeEvent(\.offer, .init(try offer([(1000, 4000, false), (nil, nil, true)]))).line
        #expect(text.contains(#""apparentBytes":4000,"#) && text.contains(#""bytes":1000,"#))
        #expect(text.contains(#""apparentBytes":null,"#) && text.contains(#""bytes":null,"#))
        #expect(text.contains(#""sizeKnown":true"#) && text.contains(#""sizeKnown":false"#))
    }
}
