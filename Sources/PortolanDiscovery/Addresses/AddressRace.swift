/// Connects to several addresses of one peer at once and keeps the first that answers (Happy Eyeballs, RFC 8305 §5).
///
/// Sans-I/O: feed it what happened and the time, do what it says. The next address starts when the one before has failed or
/// has not answered within `stagger`; all of them together have until the deadline.
///
/// ```swift
/// var race = AddressRace(peer.addresses, deadline: now + .seconds(10))
/// perform(race.start(now: now))
/// // on each outcome: perform(race.failed(attempt, now: now)), perform(race.succeeded(attempt))
/// // at the time of the last .wait(until:): perform(race.tick(now: now))
/// ```
package struct AddressRace: Sendable {
    package typealias Instant = ContinuousClock.Instant

    /// One connection being tried; its number is its place in the list of addresses.
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
        /// Close this one, whatever it does from now on: another has won, or time is up.
        case cancel(Attempt)
        /// Call `tick` at this time unless something else happens before. Replaces the wait before it.
        case wait(until: Instant)
        case giveUp(Failure)
    }

    package enum Failure: Error, Hashable, Sendable {
        case noAddresses
        /// Every address has failed.
        case allFailed
        case deadlinePassed
    }

    /// RFC 8305 §5's Connection Attempt Delay.
    package static let usualStagger = Duration.milliseconds(250)

    private let addresses: [NetworkAddress]
    private let stagger: Duration
    private let deadline: Instant
    private var started = 0
    private var running: [Attempt] = []
    private var nextStart: Instant?
    private var state = State.ready

    private enum State { case ready, racing, over }

    /// - Parameters:
    ///   - addresses: likeliest first, as ``AddressRanking`` orders them.
    ///   - deadline: when the whole race is lost.
    package init(_ addresses: [NetworkAddress], stagger: Duration = usualStagger, deadline: Instant) {
        precondition(stagger > .zero, "attempts need a delay between them")
        self.addresses = addresses
        self.stagger = stagger
        self.deadline = deadline
    }

    package mutating func start(now: Instant) -> [Action] {
        precondition(state == .ready, "a race starts once")
        state = .racing
        if addresses.isEmpty { return end(.noAddresses) }
        if now >= deadline { return end(.deadlinePassed) }
        return startNext(now: now)
    }

    /// The attempt came to nothing; its connection is closed already.
    package mutating func failed(_ attempt: Attempt, now: Instant) -> [Action] {
        guard let index = running.firstIndex(of: attempt) else { return [] }
        running.remove(at: index)
        if now >= deadline { return end(.deadlinePassed) }
        // Waiting on for the delay would only help if something could still answer within it.
        if started < addresses.count { return startNext(now: now) }
        return running.isEmpty ? end(.allFailed) : [.wait(until: deadline)]
    }

    /// The attempt is connected: it has won if it is the first. The actions close all others, or this one if it came too late.
    package mutating func succeeded(_ attempt: Attempt) -> [Action] {
        guard let index = running.firstIndex(of: attempt) else { return [.cancel(attempt)] }
        running.remove(at: index)
        return finish()
    }

    package mutating func tick(now: Instant) -> [Action] {
        guard state == .racing else { return [] }
        if now >= deadline { return end(.deadlinePassed) }
        if let nextStart, now >= nextStart { return startNext(now: now) }
        return [.wait(until: nextStart.map { min($0, deadline) } ?? deadline)]
    }

    /// Ends the race from outside: the task was cancelled.
    package mutating func abandon() -> [Action] { finish() }

    private mutating func startNext(now: Instant) -> [Action] {
        let attempt = Attempt(number: started, address: addresses[started])
        started += 1
        running.append(attempt)
        nextStart = started < addresses.count ? now + stagger : nil
        return [.connect(attempt), .wait(until: nextStart.map { min($0, deadline) } ?? deadline)]
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

extension AddressRace.Failure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noAddresses: "The peer has no address that can be tried."
        case .allFailed: "None of the peer's addresses could be connected to."
        case .deadlinePassed: "None of the peer's addresses answered in time."
        }
    }
}
