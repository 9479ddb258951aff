import PortolanCrypto
import Synchronization

/// Open code of this device, with all its runs: even with many concurrent runs, the code allows one wrong guess.
///
/// A use is reserved when a first Noise message has proved that the other side has the code, and is consumed when the
/// handshake is established. A run that breaks in between returns its use, since its peer had the code and did not
/// guess. So at most as many machines are admitted as the code has uses. A wrong first message ends the code at once;
/// runs that have proved the code before may finish, all others fail.
package final class PairingGate: Sendable {
    package enum State: Hashable, Sendable {
        /// The code can be entered `uses` more times.
        case waiting(uses: Int)
        /// The code was entered as often as allowed.
        case used
        /// A wrong code was entered, so an attacker may be guessing. Only a new code helps.
        case guessedWrong
        /// The code was not entered in time.
        case expired
        /// The code is not needed any more.
        case closed
    }

    package let purpose: PairingPurpose
    /// Number of the code, which is not secret.
    package let number: Int
    /// Changes of ``state``, except `expired`, which happens by itself; finished with the last change.
    package let changes: AsyncStream<State>

    private struct Inside {
        /// Secret of the code, while it can be used.
        var secret: SecretBytes?
        var uses: Int
        /// Runs with a reserved use.
        var reserved: Set<Int> = []
        var runs = 0
        var end: State?
    }

    private let inside: Mutex<Inside>
    private let continuation: AsyncStream<State>.Continuation
    private let expiry: ContinuousClock.Instant
    private let now: @Sendable () -> ContinuousClock.Instant

    /// - Parameters:
    ///   - code: code that is used only here.
    ///   - purpose: purpose of the code; runs for the other purpose are refused.
    ///   - uses: number of machines that may enter it.
    ///   - validity: lifetime of the code.
    ///   - now: current time.
    package init(
        code: PairingCode, purpose: PairingPurpose, uses: Int = 1, validity: Duration,
        now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        precondition(uses > 0, "a code is for somebody")
        self.purpose = purpose
        number = code.number
        inside = Mutex(Inside(secret: code.secret, uses: uses))
        (changes, continuation) = AsyncStream.makeStream()
        self.now = now
        expiry = now() + validity
    }

    deinit {
        continuation.finish()
    }

    package var state: State {
        inside.withLock { inside in
            expire(&inside)
            return inside.end ?? .waiting(uses: inside.uses)
        }
    }

    /// Closes the gate. Without effect if the code has ended otherwise.
    package func close() {
        inside.withLock { end(&$0, .closed) }
    }

    // MARK: For handshakes

    /// Takes the secret for a run; `nil` if no code is open for this purpose, or no use is free.
    func secret(for purpose: PairingPurpose) -> SecretBytes? {
        guard purpose == self.purpose else { return nil }
        return inside.withLock { inside in isFree(&inside) ? inside.secret : nil }
    }

    /// Calls `verify` for a first Noise message, unless the code has ended. Never verifies two at once.
    ///
    /// - Throws: `.refused(.codeOver)` without a call of `verify`; `.wrongGuess`, which ends the code, in place of
    ///   `.forged`; and other errors of `verify`.
    func judge(_ verify: () throws(HandshakeError) -> Void) throws(HandshakeError) -> PairingUse {
        let run = try inside.withLock { (inside) throws(HandshakeError) -> Int in
            guard isFree(&inside) else { throw HandshakeError(.refused(.codeOver)) }
            do throws(HandshakeError) {
                try verify()
            } catch {
                guard error.kind == .forged else { throw error }
                end(&inside, .guessedWrong)
                throw HandshakeError(.wrongGuess)
            }
            inside.runs += 1
            inside.reserved.insert(inside.runs)
            return inside.runs
        }
        return PairingUse(gate: self, run: run)
    }

    fileprivate func take(_ run: Int) {
        inside.withLock { inside in
            guard inside.reserved.remove(run) != nil else { return }
            inside.uses -= 1
            if inside.uses == 0 {
                end(&inside, .used)
            } else if inside.end == nil {
                continuation.yield(.waiting(uses: inside.uses))
            }
        }
    }

    fileprivate func giveBack(_ run: Int) {
        inside.withLock { _ = $0.reserved.remove(run) }
    }

    private func isFree(_ inside: inout Inside) -> Bool {
        expire(&inside)
        return inside.end == nil && inside.reserved.count < inside.uses
    }

    private func expire(_ inside: inout Inside) {
        if now() >= expiry { end(&inside, .expired) }
    }

    private func end(_ inside: inout Inside, _ state: State) {
        guard inside.end == nil else { return }
        inside.end = state
        inside.secret = nil
        continuation.yield(state)
        continuation.finish()
    }
}

/// Use of a code, reserved for a run that has shown that it has the code.
struct PairingUse: ~Copyable, Sendable {
    fileprivate let gate: PairingGate
    fileprivate let run: Int

    /// Takes the use, after the handshake is established.
    consuming func take() { gate.take(run) }

    deinit {
        // A use that was taken cannot be given back.
        gate.giveBack(run)
    }
}
