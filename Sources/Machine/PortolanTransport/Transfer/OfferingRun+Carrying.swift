import PortolanConcurrency
import PortolanFiles
import PortolanProtocol
import PortolanValues

/// Path of accepted content, from its source to the wire.
extension OfferingRun {
    /// Produces and sends one representation.
    ///
    /// - Parameter isSeen: true if the peer's right to see it was just checked.
    func carry(
        _ transfer: OutgoingTransfer, of offer: Offer, _ order: OfferOrder, _ underWay: TransferUnderWay, isSeen: Bool
    ) async {
        defer { underWay.end() }
        let offering = order.offering
        let number = transfer.number
        let (item, representation) = (transfer.item, transfer.representation)
        let content: OfferedContent?
        do {
            content = try await self.content(at: OfferedPlace(item, representation), of: offering, isSeen: isSeen)
        } catch {
            offering.report(.broke(item: item, representation: representation, sentence: "\(error)"))
            mailbox.post(.exportFailed(transfer: number, Self.failure(for: error)))
            return
        }
        guard let content, !underWay.isStopped else {
            mailbox.post(.exportFailed(transfer: number, .cancelled))
            return
        }
        var sending = ContentSender(
            transfer, of: offer.items[item].representations[representation], on: session, lanes, order.manner, underWay,
            filter: Self.filter(by: offering), report: { offering.report($0) },
            began: { mailbox.post(.began(transfer: number)) })
        do {
            let (end, failure) = try await sending.send(content)
            if let failure { reportTrouble(failure) }
            mailbox.post(.sentAll(transfer: number, end))
        } catch {
            reportTrouble(error)
            let failure = underWay.isStopped ? .cancelled : Self.failure(for: error)
            switch sending.breakOff(failure) {
            case .notBegun: mailbox.post(.exportFailed(transfer: number, failure))
            case .end(let end): mailbox.post(.sentAll(transfer: number, end))
            case .lanesAreBroken: mailbox.post(.over(error))
            }
        }

        func reportTrouble(_ error: any Error) {
            // The end of a connection says nothing about the representation.
            if underWay.isStopped || error is TransportError { return }
            offering.report(.broke(item: item, representation: representation, sentence: "\(error)"))
        }
    }

    /// - Returns: nil if the peer may not see the representation any more: waiting for its turn, and making it, may
    ///   take long.
    private func content(
        at place: OfferedPlace, of offering: any OfferSource, isSeen: Bool
    ) async throws -> OfferedContent? {
        guard try isSeen || offering.isSeen(place) else { return nil }
        if let content = offering.contentAtHand(at: place) { return content }
        let content = try await offering.produce(place)
        return try offering.isSeen(place) ? content : nil
    }

    /// Returns the offer with the content of small items and estimates of folders, and the records of these items.
    func bringingInline(_ offer: Offer, _ order: OfferOrder) -> (offer: Offer, inline: [Int: SentInline]) {
        let filter = Self.filter(by: order.offering)
        let reading = InlineReader(manner: order.manner, filter: filter)
        let estimate = FolderEstimate(filter: filter)
        var contents: [Int: InlineContent] = [:]
        var estimates: [Int: UInt64] = [:]
        var sent: [Int: SentInline] = [:]
        var room = Limits.inlineContent
        for (item, offered) in offer.items.enumerated() {
            let representation = offered.representations[0]
            guard room > 0 || representation.isFolder,
                let source = order.offering.contentAtHand(at: OfferedPlace(item, 0))
            else { continue }
            guard room > 0, let read = reading.read(source, as: representation, at: 0, room: room) else {
                estimates[item] = estimate.bytes(of: source, as: representation)
                continue
            }
            room -= read.content.content.count
            contents[item] = read.content
            estimates[item] = UInt64(read.bytes)
            sent[item] = SentInline(read)
        }
        guard !contents.isEmpty || !estimates.isEmpty,
            let full = try? offer.bringing(contents, estimates: estimates)
        else { return (offer, [:]) }
        return (full, sent)
    }

    /// Reports the acceptance of an item whose content was sent with the offer.
    func reportInline(_ item: Int, _ sent: SentInline, to offering: any OfferSource) {
        let size = UInt64(sent.bytes)
        offering.report(.began(item: item, representation: 0, name: sent.name, size: size))
        offering.report(.sent(item: item, Advance(done: size, transferred: size)))
        if sent.withheld.count > 0 { offering.report(.withheld(item: item, sent.withheld)) }
    }

    private static func filter(by offering: any OfferSource) -> SourceFilter {
        { restriction throws(FileError) in
            return try translating(offering.maySee(restriction)) { (error: any Error) in
                FileError(.unreadable, "Whether the receiver may see a part of it cannot be found out: \(error)")
            }
        }
    }

    private static func failure(for error: any Error) -> SourceFailure {
        switch error {
        case let error as FileError: error.kind == .sourceChanged ? .changed : .unreadable
        case is CancellationError: .cancelled
        default: .export
        }
    }
}

/// Record of content that was sent within an offer.
struct SentInline {
    let name: String
    /// Bytes of content.
    let bytes: Int
    /// Entries that the receiver may not see.
    let withheld: WithholdingReport

    init(_ read: InlineReader.Result) {
        name = String(decoding: read.content.name, as: UTF8.self)
        bytes = read.bytes
        withheld = read.withheld
    }
}
