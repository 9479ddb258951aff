import PortolanFiles
import PortolanProtocol
import PortolanSyncPlan
import PortolanTransport
import PortolanTrust
import PortolanValues

/// Contents of a folder as an item that the peer of a session has requested (SYNC.md 7.4).
struct ContentOffering: OfferSource {
    let want: Message.SyncWant
    let contents: [SourceContent]
    let role: SyncRole

    func makeOffer(_ id: UInt64, answering request: UInt64?) throws -> Offer? {
        guard role.host.mayHave(want.folder, role) else { return nil }
        let representation = try OfferedRepresentation(
            type: OfferedType(identifier: "public.folder"), channel: .file,
            size: contents.map(\.size).reduce(0) { min($0 + $1, Limits.size) }, isFolder: true,
            source: want.folder.bytes)
        return try Offer(
            id: id, items: [OfferedItem(title: "", representations: [representation])], request: request)
    }

    func seen(among places: Set<OfferedPlace>) -> Set<OfferedPlace> {
        role.host.mayHave(want.folder, role) ? places : []
    }

    func maySee(_ restriction: Restriction) -> Bool { role.host.maySee(restriction, role) }

    func produce(_ place: OfferedPlace) -> OfferedContent {
        let (host, role) = (role.host, role)
        return .contents(
            SourceTree(contents: contents, name: .sanitised(fromLocal: Array("contents".utf8))) {
                host.maySee($0, role)
            })
    }

    func report(_ event: OfferingEvent) {
        switch event {
        case .began:
            role.going.begin(contents, of: want.folder)
            role.host.sends(want.folder, to: role)
        case .sent(_, let advance): role.going.note(advance.done, of: want.folder)
        case .settled: role.going.settle(want.folder)
        default: break
        }
    }
}
