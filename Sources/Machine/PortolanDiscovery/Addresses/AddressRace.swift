/// Connects to several addresses of one peer at once and keeps the first that answers (Happy Eyeballs, RFC 8305 §5).
///
/// The type does no input or output: the caller reports events with their time, and performs the returned actions. The
/// next address starts when the one before has failed or has not answered within `stagger`; all of them together have
/// until the deadline. An address answers when the peer there has proved its identity; one that only accepts
/// connections is skipped.
///
/// A race that can seek asks for more addresses if none has answered. Added addresses join the race, and it is lost
/// only when no more will come.
///
/// ```swift
/// var race = AddressRace(peer.addresses, deadline: now + .seconds(10))
/// perform(race.start(now: now))
/// // on each outcome: perform(race.failed(attempt, now: now)), perform(race.succeeded(attempt))
/// // at the time of the last .wait(until:): perform(race.tick(now: now))
/// ```
package struct AddressRace: Sendable {
    package typealias Instant = ContinuousClock.Instant

    /// A connection attempt; its number is the index in the list of addresses.
    package struct Attempt: Hashable, Sendable {
        package let number: Int
        package let address: NetworkAddress

        package init(number: Int, address: NetworkAddress) {
            self.number = number
            self.address = address
        }
    }

    package enum Action: Hashable, Sendable {
        case connect(Attempt)
        /// Look for more addresses; call `add` for each result, and `addNoMore` at the end. Returned at most once.
        case seek
        /// Close this connection, and ignore its later events: another has won, or the time is over.
        case cancel(Attempt)
        /// Call `tick` at this time unless another event comes before. Replaces the former wait.
        case wait(until: Instant)
        case giveUp(Failure)
    }

    package enum Failure: Hashable, Sendable {
        case noAddresses
        /// Every address has failed.
        case allFailed
        case deadlinePassed
    }

    /// Connection Attempt Delay of RFC 8305 §5.
    package static let usualStagger = Duration.milliseconds(250)
    /// Time for a connected peer to prove its identity, before the next address starts.
    package static let introductionStagger = Duration.milliseconds(500)
    /// Time after which more addresses are searched, if the known ones are silent.
    package static let seekDelay = Duration.seconds(1)
    /// Largest number of addresses that are tried.
    package static let maximumAddresses = 64

    private var addresses: [NetworkAddress]
    private let stagger: Duration
    private let deadline: Instant
    private var started = 0
    private var running: [Attempt] = []
    private var lastStart: Instant?
    /// Latest start of the next address, if there is one.
    private var nextStart: Instant?
    private var more: More
    private var state = State.ready

    private enum State { case ready, racing, over }

    /// State of the search for further addresses.
    private enum More: Hashable {
        case none
        case atWish(Instant?)
        case coming

        var seekTime: Instant? { if case .atWish(let time) = self { time } else { nil } }
    }

    /// - Parameters:
    ///   - addresses: likeliest first, as ``AddressRanker`` orders them.
    ///   - canSeek: true if more addresses can be looked for.
    ///   - deadline: end of the race.
    package init(
        _ addresses: [NetworkAddress], canSeek: Bool = false, stagger: Duration = usualStagger, deadline: Instant
    ) {
        precondition(stagger > .zero, "attempts need a delay between them")
        self.addresses = Array(addresses.prefix(Self.maximumAddresses))
        self.stagger = stagger
        self.deadline = deadline
        more = canSeek ? .atWish(nil) : .none
    }

    package mutating func start(now: Instant) -> [Action] {
        precondition(state == .ready, "a race starts once")
        state = .racing
        if addresses.isEmpty, more == .none { return end(.noAddresses) }
        if now >= deadline { return end(.deadlinePassed) }
        if more != .none { more = .atWish(now + Self.seekDelay) }
        return addresses.isEmpty ? runDry() : startNext(now: now)
    }

    /// Reports a connection: the peer there has yet to prove its identity.
    package mutating func connected(_ attempt: Attempt, now: Instant) -> [Action] {
        guard state == .racing, running.contains(attempt), let next = nextStart else { return [] }
        nextStart = max(next, now + Self.introductionStagger)
        return [wait]
    }

    /// Reports the failure of an attempt, whose connection is closed.
    package mutating func failed(_ attempt: Attempt, now: Instant) -> [Action] {
        guard let index = running.firstIndex(of: attempt) else { return [] }
        running.remove(at: index)
        if now >= deadline { return end(.deadlinePassed) }
        // Waiting for the delay would only help if another attempt could still answer within it.
        if started < addresses.count { return startNext(now: now) }
        return running.isEmpty ? runDry() : [wait]
    }

    /// Adds addresses that were found meanwhile.
    ///
    /// - Returns: the number of addresses that take part, numbered after the former ones, and the actions.
    package mutating func add(_ found: [NetworkAddress], now: Instant) -> (taken: Int, actions: [Action]) {
        guard state == .racing else { return (0, []) }
        let taken = min(found.count, Self.maximumAddresses - addresses.count)
        addresses += found.prefix(taken)
        guard started < addresses.count, nextStart == nil else { return (taken, []) }
        nextStart = running.isEmpty ? now : lastStart.map { max($0 + stagger, now) } ?? now
        return (taken, tick(now: now))
    }

    /// Ends the search: no more addresses will be found.
    package mutating func addNoMore() -> [Action] {
        guard state == .racing else { return [] }
        more = .none
        return running.isEmpty && started == addresses.count ? runDry() : []
    }

    /// Reports an attempt whose peer has proved its identity; the first one wins. The actions close all others, or this
    /// one if it came too late.
    package mutating func succeeded(_ attempt: Attempt) -> [Action] {
        guard let index = running.firstIndex(of: attempt) else { return [.cancel(attempt)] }
        running.remove(at: index)
        return finish()
    }

    package mutating func tick(now: Instant) -> [Action] {
        guard state == .racing else { return [] }
        if now >= deadline { return end(.deadlinePassed) }
        var actions: [Action] = []
        if let time = more.seekTime, now >= time {
            more = .coming
            actions = [.seek]
        }
        if let nextStart, now >= nextStart { return actions + startNext(now: now) }
        return actions + [wait]
    }

    /// Ends the race after a cancellation of the task.
    package mutating func abandon() -> [Action] { finish() }

    private mutating func startNext(now: Instant) -> [Action] {
        let attempt = Attempt(number: started, address: addresses[started])
        started += 1
        running.append(attempt)
        lastStart = now
        nextStart = started < addresses.count ? now + stagger : nil
        return [.connect(attempt), wait]
    }

    /// Handles the case that all known addresses have failed.
    private mutating func runDry() -> [Action] {
        nextStart = nil
        switch more {
        case .none: return end(addresses.isEmpty ? .noAddresses : .allFailed)
        case .coming: return [wait]
        case .atWish:
            more = .coming
            return [.seek, wait]
        }
    }

    private var wait: Action {
        .wait(until: [nextStart, more.seekTime].compactMap(\.self).min().map { min($0, deadline) } ?? deadline)
    }

    private mutating func end(_ failure: Failure) -> [Action] { finish() + [.giveUp(failure)] }

    private mutating func finish() -> [Action] {
        defer {
            running = []
            state = .over
        }
        return running.map(Action.cancel)
    }
}
