// Declarations of the share surfaces that CoreTransferable's Coverage.md lists as present, by their labels. Compiling
// is the proof; ShareTests, DropTests and PasteboardTests test their behaviour.
import Foundation
import Portolan
import PortolanControls

private typealias Words = [String]
private typealias Links = [URL]

private enum ShareSurfaceDeclarations {
    static func shareLink(_ url: URL) {
        typealias One<Value, Image: Transferable, Icon: Transferable> = ShareLink<CollectionOfOne<Value>, Image, Icon>
        where Value: Transferable
        let _: (Recipe, String?, String?, SharePreview<String, URL>) -> One<Recipe, String, URL> =
            ShareLink.init(item:subject:message:preview:)
        let _:
            ([Recipe], String?, String?, @escaping @Sendable (Recipe) -> SharePreview<String, URL>) -> ShareLink<
                [Recipe], String, URL
            > = ShareLink.init(items:subject:message:preview:)
        let _: (String, String?, String?) -> One<String, Never, Never> = ShareLink.init(item:subject:message:)
        let _: (URL, String?, String?) -> One<URL, Never, Never> = ShareLink.init(item:subject:message:)
        let _: (Words, String?, String?) -> ShareLink<Words, Never, Never> = ShareLink.init(items:subject:message:)
        let _: (Links, String?, String?) -> ShareLink<Links, Never, Never> = ShareLink.init(items:subject:message:)
    }

    static func sharePreview(_ url: URL) {
        let _: (String, URL, String) -> SharePreview<URL, String> = SharePreview.init(_:image:icon:)
        let _: (String, URL) -> SharePreview<URL, Never> = SharePreview.init(_:image:)
        let _: (String, URL) -> SharePreview<Never, URL> = SharePreview.init(_:icon:)
        let _: (String) -> SharePreview<Never, Never> = SharePreview.init(_:)
    }

    static func dropping(_ node: Node, _ session: DropSession) async throws {
        try await node.dropDestination(
            for: Recipe.self, action: { (_: [Recipe], _: DropSession) in false }, isTargeted: { (_: Bool) in })
        let _: any Identifiable = session
        let _: Int = session.itemsCount
        let _: UInt64 = session.id
    }

    static func pasting(_ pasteboard: Pasteboard) {
        let _: PasteboardSource<String> = pasteboard.copyable(["text"])
        let _: (URL.Type, @escaping @Sendable () -> [URL]) -> PasteboardSource<URL> = pasteboard.cuttable(for:action:)
        let _:
            (URL.Type, @escaping @Sendable (Links) -> Void, @escaping @Sendable (Links) -> Links)
                -> PasteDestination<URL> = pasteboard.pasteDestination(for:action:validator:)
        let _: PasteButton = PasteButton(payloadType: URL.self) { (_: Links) in }
        let _: PasteButton = PasteButton(supportedContentTypes: [.url]) { (_: [NSItemProvider]) in }
    }
}
