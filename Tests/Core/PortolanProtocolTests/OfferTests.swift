import Foundation
import PortolanProtocol
import PortolanTrust
import PortolanValues
import Testing
import UniformTypeIdentifiers

@Suite struct OfferTests {
    @Test func aTypeIsDescribedWithItsAncestorsNearestFirst() throws {
        let png = try OfferedType(UTType.png)
        #expect(png.identifier == "public.png")
        #expect(png.ancestors.first == "public.image")
        #expect(Set(png.ancestors) == Set(UTType.png.supertypes.map(\.identifier)))
        for (place, ancestor) in png.ancestors.enumerated() {
            let own = try #require(UTType(ancestor)).supertypes.map(\.identifier)
            #expect(own.allSatisfy { png.ancestors.firstIndex(of: $0).map { $0 > place } ?? false })
        }
        #expect(png.extensions.first == "png")
        #expect(png.mimeTypes.first == "image/png")
    }

    @Test func everyKnownTypeCanBeOffered() throws {
        for type in [UTType.folder, .json, .plainText, .zip, .html, .mp3, .data, .item, .url] {
            #expect(try OfferedType(type).conforms(to: type))
        }
        let dynamic = try #require(UTType(filenameExtension: "never-heard-of"))
        #expect(try OfferedType(dynamic).conforms(to: .data))
    }

    @Test func hiddenFormsLeaveNoTraceInTheOffer() throws {
        func candidate(_ levels: [Visibility]) throws -> CandidateItem {
            var all: [OfferedRepresentation] = []
            for (place, level) in levels.enumerated() {
                all.append(
                    try OfferedRepresentation(
                        type: type("com.example.r\(place)"), restriction: Restriction(level, for: nil), channel: .data))
            }
            return CandidateItem(title: "t", representations: all)
        }
        let shown = try #require(
            try Offer.visible(
                to: .anyone, from: [candidate([.all]), candidate([.team]), candidate([.group, .all])], id: 9))
        #expect(shown.offer.items.count == 2)
        let source = shown.source(item: 1, representation: 0)
        #expect(source.item == 2 && source.representation == 1)
        // The bytes equal the offer of a sender that hides nothing.
        let open = try #require(
            try Offer.visible(
                to: .anyone,
                from: [
                    candidate([.all]),
                    CandidateItem(title: "t", representations: [candidate([.group, .all]).representations[1]]),
                ], id: 9))
        #expect(Message.offer(shown.offer).encode() == Message.offer(open.offer).encode())
        #expect(try Offer.visible(to: .anyone, from: [candidate([.team, .ownProcess])], id: 9) == nil)
        #expect(try Offer.visible(to: .anyone, from: [], id: 9) == nil)
    }

    @Test func hiddenRepresentationsUseUpNoLimit() throws {
        func item(_ shown: Int, hidden: Int) throws -> CandidateItem {
            let hiddenOne = try OfferedRepresentation(type: type("public.data"), restriction: .nobody, channel: .data)
            let shownOne = try OfferedRepresentation(type: type("public.data"), channel: .data)
            return CandidateItem(
                title: "t",
                representations: Array(repeating: hiddenOne, count: hidden) + Array(repeating: shownOne, count: shown))
        }
        let full = try #require(try Offer.visible(to: .anyone, from: [item(32, hidden: 40)], id: 1))
        #expect(full.offer.items[0].representations.count == 32)
        #expect(throws: InvalidValue.self) { _ = try Offer.visible(to: .anyone, from: [item(33, hidden: 0)], id: 1) }
        let many = Array(repeating: try item(0, hidden: 1), count: 1030)
        #expect(try Offer.visible(to: .anyone, from: many + [item(1, hidden: 0)], id: 1)?.offer.items.count == 1)
    }

    @Test func titleIsTheNameOfTheFirstVisibleRepresentation() throws {
        func form(_ name: String?, _ restriction: Restriction = .everyone) throws -> OfferedRepresentation {
            try OfferedRepresentation(
                type: type("public.data"), restriction: restriction, channel: .data, suggestedName: name)
        }
        func title(_ forms: [OfferedRepresentation], given: String? = nil) throws -> String? {
            let item = CandidateItem(title: given, representations: forms)
            return try Offer.visible(to: .anyone, from: [item], id: 1)?.offer.items[0].title
        }
        #expect(try title([form("plan to fire Bob.txt", .nobody), form("hello.txt")]) == "hello.txt")
        #expect(try title([form("plan to fire Bob.txt", .nobody), form(nil)]) == "item")
        #expect(try title([form("plan.txt", .nobody), form("hello.txt")], given: "given") == "given")
    }

    @Test func pictureHasTheRestrictionOfItsSource() throws {
        let picture = try ItemPreview.Picture(type: "public.png", data: Data([1]))
        let form = try OfferedRepresentation(type: type("public.data"), channel: .data)
        func preview(_ preview: CandidatePreview) throws -> ItemPreview? {
            let item = CandidateItem(title: "t", representations: [form], preview: preview)
            return try Offer.visible(to: .anyone, from: [item], id: 1)?.offer.items[0].preview
        }
        let hidden = CandidatePreview.Picture(picture, restriction: .nobody)
        let shown = CandidatePreview.Picture(picture)
        #expect(try preview(CandidatePreview(message: "m", image: hidden, icon: shown))?.image == nil)
        #expect(try preview(CandidatePreview(message: "m", image: hidden, icon: shown))?.icon == picture)
        #expect(try preview(CandidatePreview(message: "m", image: hidden))?.message == "m")
        #expect(try preview(CandidatePreview(image: hidden, icon: hidden)) == nil)
    }

    @Test func tooLargeOfferIsALocalError() throws {
        let long = CandidateItem(
            title: String(repeating: "t", count: 1024),
            representations: [try OfferedRepresentation(type: type("public.data"), channel: .data)])
        let error = #expect(throws: InvalidValue.self) {
            _ = try Offer.visible(to: .anyone, from: Array(repeating: long, count: 400), id: 1)
        }
        #expect(error?.isLimit == true)
    }

    @Test func picturesAreDroppedFirst() throws {
        let icon = try ItemPreview.Picture(type: "public.png", data: Data(repeating: 1, count: Limits.picture))
        let item = CandidateItem(
            title: "t", representations: [try OfferedRepresentation(type: type("public.data"), channel: .data)],
            preview: CandidatePreview(try ItemPreview(message: "hello", icon: icon)))
        let few = try #require(try Offer.visible(to: .anyone, from: Array(repeating: item, count: 7), id: 1))
        #expect(few.offer.items.allSatisfy { $0.preview?.icon == icon })
        let many = try #require(try Offer.visible(to: .anyone, from: Array(repeating: item, count: 9), id: 1))
        #expect(many.offer.items.count == 9)
        #expect(many.offer.items.allSatisfy { $0.preview?.icon == nil && $0.preview?.message == "hello" })
    }

    @Test func limitsAreReachedAndNotPassed() throws {
        let one = try OfferedRepresentation(type: type("public.data"), channel: .data)
        _ = try OfferedItem(title: "", representations: Array(repeating: one, count: 32))
        #expect(throws: InvalidValue.self) {
            _ = try OfferedItem(title: "", representations: Array(repeating: one, count: 33))
        }
        let item = try OfferedItem(title: "", representations: [one])
        _ = try Offer(id: 1, items: Array(repeating: item, count: 1024))
        #expect(throws: InvalidValue.self) { _ = try Offer(id: 1, items: Array(repeating: item, count: 1025)) }
        #expect(throws: InvalidValue.self) { _ = try OfferedItem(title: "", representations: []) }
        #expect(throws: InvalidValue.self) { _ = try Offer(id: 1, items: []) }
    }
}
