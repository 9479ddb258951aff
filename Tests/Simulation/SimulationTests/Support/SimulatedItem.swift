import Glibc
import PortolanCompression
import PortolanProtocol
import PortolanTransport
import PortolanValues
import SimulationSupport

@testable import PortolanFiles

/// An item with one representation, a file or folder, which the production code sends.
struct SimulatedItem: OfferSource {
    private let source: SimulatedSource
    private let folder: SourceFolderOnDisk
    /// Open for as long as the item is, for a stream.
    private let stream: Descriptor?
    private let manner: SendingManner

    /// - Parameter worthAnotherLane: bytes that are worth a connection besides the first.
    init(_ source: SimulatedSource, in folder: SourceFolderOnDisk, worthAnotherLane: UInt64) {
        manner = SendingManner(
            compression: .never, requirements: [.content], worthAnotherLane: worthAnotherLane)
        self.source = source
        self.folder = folder
        stream = source.isStream ? Descriptor(owning: open(folder.path(of: source), O_RDONLY | O_CLOEXEC)) : nil
    }

    /// Sends the item in a new session.
    ///
    /// - Returns: the outcome, or the error that ended the session.
    func send(from host: VirtualHost, to address: Int) async -> Result<ItemOutcome, any Error> {
        do {
            let session = try await host.open(to: address)
            let outcomes = try await SessionDriver.run(on: session, ledger: NoTeams()) { driver in
                try await driver.offer(self, answerWait: .seconds(600), manner: manner)
            }
            guard let outcome = outcomes?.first else { throw Trouble("Nothing was offered") }
            return .success(outcome)
        } catch {
            return .failure(error)
        }
    }

    func makeOffer(_ id: UInt64, answering request: UInt64?) throws -> Offer? {
        let representation = try OfferedRepresentation(
            type: OfferedType(identifier: source.isFolder ? "public.folder" : "public.data"), channel: .file,
            suggestedName: source.name, isFolder: source.isFolder,
            source: source.isStream ? [] : [UInt8](repeating: 7, count: 16))
        return try Offer(id: id, items: [OfferedItem(title: "title", representations: [representation])])
    }

    func seen(among places: Set<OfferedPlace>) -> Set<OfferedPlace> { places }
    func maySee(_ restriction: Restriction) -> Bool { restriction == .everyone }

    func produce(_ place: OfferedPlace) -> OfferedContent {
        if let stream { return .stream(stream.number) }
        return .file(path: folder.path(of: source), on: folder.place)
    }

    func report(_ event: OfferingEvent) {}
}
