import Portolan
import PortolanValues

extension ReceiveCommand {
    /// Time in which the device that shows the code has to be found.
    var searchWait: Duration { wait ?? CodeSearch.usualWait }

    /// Time in which a device that showed its code has to offer something.
    private var offerWait: Duration { wait ?? .seconds(75) }

    /// Time in which it has to come back when the connection broke: as long as a sender usually tries.
    private var retryWait: Duration { wait ?? .seconds(600) }

    /// Ends when what was promised with a code has not been offered in time.
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

    /// Ends when nothing has come for so long.
    ///
    /// - Throws: `CommandFailure` where nothing was received, or not all of the one offer that it is for.
    func endWithoutArrival(for time: Duration, _ watch: OfferWatch) async throws {
        _ = try await watch.waitUntilIdle(for: time, afterBreak: time)
        let isOne = endsWithOffer || output != nil
        guard isOne || !watch.hasStored else { return }
        let sentence =
            if watch.hasStored {
                "Not all that was offered was received, and nothing more has come for \(time.asArgument)."
            } else if watch.hasOffered {
                "Nothing that was offered was received, and nothing more has come for \(time.asArgument)."
            } else {
                "Nobody has offered anything for \(time.asArgument). Does the other machine see this one? There: portolan peers"
            }
        throw CommandFailure(.unreachable, sentence)
    }
}
