import PortolanFiles
import PortolanProtocol
import PortolanTrust

/// What was taken, from its source to the wire.
extension OfferingRole {
    /// Produces and sends one representation.
    func carry(
        _ transfer: OutgoingTransfer, of offer: Offer, _ order: OfferOrder, _ underWay: TransferUnderWay
    ) async {
        defer { underWay.end() }
        let offering = order.offering
        let number = transfer.number
        let item = transfer.item
        let representation = transfer.representation
        let content: OfferedContent
        do {
            // Waiting for its turn, and producing it, may each take long.
            guard try offering.maySee(item: item, representation: representation) else {
                mailbox.post(.exportFailed(transfer: number, .cancelled))
                return
            }
            content = try await offering.produce(item: item, representation: representation)
            guard !underWay.isStopped, try offering.maySee(item: item, representation: representation) else {
                mailbox.post(.exportFailed(transfer: number, .cancelled))
                return
            }
        } catch {
            offering.report(.broke(item: item, representation: representation, sentence: "\(error)"))
            mailbox.post(.exportFailed(transfer: number, Self.failure(for: error)))
            return
        }
        var sending = ContentSending(
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
            // A connection that is gone says nothing of the representation.
            if underWay.isStopped || error is TransportError { return }
            offering.report(.broke(item: item, representation: representation, sentence: "\(error)"))
        }
    }

    private static func filter(by offering: any Offering) -> SourceFilter {
        { restriction throws(FileError) in
            do {
                return try offering.maySee(restriction)
            } catch {
                throw FileError(.unreadable, "Whether the receiver may see a part of it cannot be found out: \(error)")
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
