@testable import PortolanDiscovery

/// An Avahi stack that follows the script of a test and counts its calls.
final class ScriptedStack: AvahiStack, AvahiObjects {
    let settlingDelay = Duration.zero
    var active: any AvahiObjects { self }

    private(set) var openings = 0
    private(set) var isOpen = false
    private(set) var browsers: [(BrowserEvent) -> Void] = []
    private(set) var resolvers: [ServiceRecord.ID: (ResolverEvent) -> Void] = [:]
    private(set) var mostResolvers = 0
    private(set) var groups = 0
    private(set) var published: [String] = []
    /// The host of each address record that was asked for.
    private(set) var hosts: [String] = []
    /// TXT strings of the services that were changed.
    private(set) var updates: [[String]] = []
    /// TXT strings of the services that were added.
    private(set) var texts: [[String]] = []
    private var groupEvent: (GroupEvent) -> Void = { _ in }
    private var onState: (StackState) -> Void = { _ in }
    /// True while the stack calls back: nothing may be closed then.
    private var isCalling = false

    /// States that the next openings report at once.
    var states: [StackState] = []
    /// Error of the next opening, if any.
    var obstacle: AvahiFailure?
    /// Names that another program on this machine has.
    var takenNames: Set<String> = []

    func report(_ state: StackState) {
        isCalling = true
        onState(state)
        isCalling = false
    }

    func browse(_ event: BrowserEvent) { for browser in browsers { browser(event) } }

    func resolve(_ id: ServiceRecord.ID, _ event: ResolverEvent) { resolvers[id]?(event) }

    func group(_ event: GroupEvent) { groupEvent(event) }

    // MARK: AvahiStack

    func open(isPatient: Bool, onState: @escaping (StackState) -> Void) throws(AvahiFailure) {
        openings += 1
        if let obstacle { throw obstacle }
        isOpen = true
        self.onState = onState
        report(states.isEmpty ? .ready(canPublish: true) : states.removeFirst())
    }

    func close() {
        precondition(!isCalling, "closed inside a callback")
        precondition(resolvers.isEmpty && browsers.isEmpty && groups == 0, "closed with something left in it")
        isOpen = false
    }

    private func handle<Event>(
        _ onEvent: @escaping (Event) -> Void, release: @escaping () -> Void
    ) throws(AvahiFailure) -> AvahiHandle<Event> {
        guard isOpen else { throw .noDaemon }
        return try AvahiHandle(onEvent: onEvent, release: { _ in release() }, failure: .failure) { _ in
            OpaquePointer(bitPattern: 1)
        }
    }

    func browse(
        interface: Int32, onEvent: @escaping (BrowserEvent) -> Void
    ) throws(AvahiFailure) -> AvahiHandle<BrowserEvent> {
        browsers.append(onEvent)
        return try handle(onEvent) { [self] in browsers = [] }
    }

    func resolve(
        _ id: ServiceRecord.ID, onEvent: @escaping (ResolverEvent) -> Void
    ) throws(AvahiFailure) -> AvahiHandle<ResolverEvent> {
        resolvers[id] = onEvent
        mostResolvers = max(mostResolvers, resolvers.count)
        return try handle(onEvent) { [self] in resolvers[id] = nil }
    }

    func makeGroup(onEvent: @escaping (GroupEvent) -> Void) throws(AvahiFailure) -> AvahiHandle<GroupEvent> {
        groups += 1
        groupEvent = onEvent
        return try handle(onEvent) { [self] in groups -= 1 }
    }

    func add(
        _ service: Advertisement, as name: String, interface: Int32, to group: AvahiHandle<GroupEvent>
    ) throws(AvahiFailure) {
        if takenNames.contains(name) { throw .collision }
        published.append(name)
        texts.append(strings(of: service))
    }

    private func strings(of service: Advertisement) -> [String] {
        service.txt.map { "\($0.key)=\(String(decoding: $0.value, as: UTF8.self))" }
    }

    func updateText(
        of service: Advertisement, as name: String, interface: Int32, in group: AvahiHandle<GroupEvent>
    ) throws(AvahiFailure) {
        updates.append(strings(of: service))
    }

    func add(
        _ address: IPAddress, of host: String?, interface: Int32, to group: AvahiHandle<GroupEvent>
    ) throws(AvahiFailure) {
        hosts.append(host ?? "")
    }

    func commit(_ group: AvahiHandle<GroupEvent>) throws(AvahiFailure) {}

    func reset(_ group: AvahiHandle<GroupEvent>) { published = [] }
}
