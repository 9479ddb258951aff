import Portolan

extension ReceiveCommand {
    /// Longest search for the device that shows the code.
    var searchWait: Duration { wait ?? CodeSearch.usualWait }

    /// Time in which the device that showed its code must offer something.
    private var offerWait: Duration { wait ?? .seconds(75) }

    /// Time in which that device must return after a break of the connection: as long as a sender retries by default.
    private var retryWait: Duration { wait ?? .seconds(600) }

    /// Ends the command when the device of the code has not made its offer in time.
    func endWithoutOffer(of met: MetDevice, _ watch: OfferWatch) async throws {
        let time = try await watch.waitUntilIdle(for: offerWait, afterBreak: retryWait)
        guard !watch.hasOffered else {
            throw CommandFailure(
                .unreachable,
                "Not all that “\(met.name)” offered was received, and nothing more has come for \(time.asArgument). The code is used: "
                    + "make another one.")
        }
        throw CommandFailure(
            .unreachable,
            "“\(met.name)” showed the code, and has offered nothing for \(time.asArgument). Does 'portolan send' still run "
                + "there, and not 'portolan pair'? Does it find this machine ('portolan doctor' there)? The code is used: make "
                + "another one.")
    }

    /// Ends the command after an idle time of this length.
    ///
    /// - Throws: `CommandFailure` if nothing was received, or not all of the expected offer.
    func endWithoutArrival(for time: Duration, _ watch: OfferWatch) async throws {
        _ = try await watch.waitUntilIdle(for: time, afterBreak: time)
        let isOne = endsWithOffer || output != nil
        guard isOne || !watch.hasStored else { return }
        let sentence =
            if watch.hasStored {
                "Not all that was offered was received, and nothing more has come for \(time.asArgument)."
            } else if watch.hasOffered {
                "No offered item was received, and no other has come for \(time.asArgument)."
            } else {
                "No device has offered an item for \(time.asArgument). Does the other machine see this one? There: portolan peers"
            }
        throw CommandFailure(.unreachable, sentence)
    }
}
