@testable import PortolanDiscovery

/// A station on the test's own thread, turned by hand.
final class StationBench {
    let loop: AvahiLoop
    let stack = ScriptedStack()
    let station: AvahiStation

    init(_ states: StackState..., prefixes: @escaping () -> LinkPrefixes = LinkPrefixes.current) throws {
        loop = try AvahiLoop()
        stack.states = states
        station = AvahiStation(
            loop: loop, stack: stack, interfaces: [everyInterface], stride: { 1 }, prefixes: prefixes)
        station.open { _ in }
        turn()
    }

    deinit { station.shutDown() }

    func turn(for duration: Duration = .milliseconds(3)) {
        let end = ContinuousClock.now + duration
        while ContinuousClock.now < end {
            loop.after(.milliseconds(1)) {}
            loop.turn()
        }
    }

    /// - Parameter wanted: the only instance to ask for; nil looks around.
    func watch(_ wanted: String? = nil, as number: Int = 1) -> AsyncStream<DiscoveryEvent> {
        let (events, stream) = AsyncStream.makeStream(
            of: DiscoveryEvent.self, bufferingPolicy: .bufferingOldest(Subscriber.streamCapacity))
        station.subscribe(number, stream, wanted: wanted)
        turn()
        return events
    }
}
