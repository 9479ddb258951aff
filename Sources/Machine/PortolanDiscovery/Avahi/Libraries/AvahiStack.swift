/// Interface to Avahi, implemented by the daemon or inside this process.
///
/// ``LibraryStack`` is the one that does it, by libavahi-client or libavahi-core. All calls and callbacks belong to one
/// thread.
protocol AvahiStack: AnyObject {
    /// Delay between Avahi's "all for now" and the report that the network has answered.
    var settlingDelay: Duration { get }

    /// Connects. States arrive through `onState`, the first one possibly before this returns.
    ///
    /// - Parameter isPatient: true to wait for a daemon that is not running yet.
    func open(isPatient: Bool, onState: @escaping (StackState) -> Void) throws(AvahiFailure)

    /// Closes the connection. Every handle must have been freed before; never called from inside a callback.
    func close()

    /// The stack that has the objects of the present connection.
    var active: any AvahiObjects { get }
}

/// Browsers, resolvers and groups of a connection.
protocol AvahiObjects: AnyObject {
    /// - Parameter interface: its index, or ``everyInterface``.
    func browse(
        interface: Int32, onEvent: @escaping (BrowserEvent) -> Void
    ) throws(AvahiFailure) -> AvahiHandle<BrowserEvent>

    func resolve(
        _ id: ServiceRecord.ID, onEvent: @escaping (ResolverEvent) -> Void
    ) throws(AvahiFailure) -> AvahiHandle<ResolverEvent>

    func makeGroup(onEvent: @escaping (GroupEvent) -> Void) throws(AvahiFailure) -> AvahiHandle<GroupEvent>

    /// Adds a service to a group that has not been committed.
    func add(_ service: Advertisement, as name: String, interface: Int32, to group: AvahiHandle<GroupEvent>)
        throws(AvahiFailure)
    /// Replaces the TXT record of a service in a committed group.
    func updateText(
        of service: Advertisement, as name: String, interface: Int32, in group: AvahiHandle<GroupEvent>
    ) throws(AvahiFailure)
    /// Adds an address record to a group that has not been committed, without a reverse record and without probing for
    /// the name.
    ///
    /// - Parameter host: the whole name; nil for the stack's own.
    func add(_ address: IPAddress, of host: String?, interface: Int32, to group: AvahiHandle<GroupEvent>)
        throws(AvahiFailure)
    func commit(_ group: AvahiHandle<GroupEvent>) throws(AvahiFailure)
    /// Removes the records of a group, committed or not.
    func reset(_ group: AvahiHandle<GroupEvent>)
}

/// AVAHI_IF_UNSPEC.
let everyInterface: Int32 = -1

enum StackState: Equatable {
    /// Browsing works; publishing works too unless the host name is being settled.
    case ready(canPublish: Bool)
    /// No daemon runs at the moment; this connection notices its return.
    case absent
    /// The connection is unusable.
    case broken(AvahiFailure)
}

enum BrowserEvent {
    case new(ServiceRecord.ID, isOwn: Bool)
    case removed(ServiceRecord.ID)
    case allForNow
    case failed(AvahiFailure)
}

enum ResolverEvent {
    case found(ResolvedService)
    /// The query had no answer in time, or the record has vanished.
    case failed(AvahiFailure)
}

enum GroupEvent {
    case established
    case collision
    case failed(AvahiFailure)
}

struct ResolvedService {
    let hostName: String
    let ip: IPAddress
    let port: UInt16
    let txt: [String: [UInt8]]
}

/// An object of the C library with the closure for its callback.
final class AvahiHandle<Event> {
    private(set) var pointer: OpaquePointer?
    private let onEvent: (Event) -> Void
    private let release: (OpaquePointer) -> Void

    /// - Parameter make: calls the C constructor with the pointer that its callback passes to ``deliver(_:to:)``.
    init(
        onEvent: @escaping (Event) -> Void, release: @escaping (OpaquePointer) -> Void,
        failure: @autoclosure () -> AvahiFailure, make: (UnsafeMutableRawPointer) -> OpaquePointer?
    ) throws(AvahiFailure) {
        self.onEvent = onEvent
        self.release = release
        guard let pointer = make(Unmanaged.passUnretained(self).toOpaque()) else { throw failure() }
        self.pointer = pointer
    }

    /// Frees the C object, which then no longer refers to this one.
    func free() {
        guard let pointer else { return }
        self.pointer = nil
        release(pointer)
    }

    deinit { free() }

    /// Called by the C callbacks. The handle may be freed inside `onEvent`; it lives until that returns.
    static func deliver(_ event: Event?, to userdata: UnsafeMutableRawPointer?) {
        guard let event, let userdata else { return }
        let handle = Unmanaged<AvahiHandle<Event>>.fromOpaque(userdata).takeUnretainedValue()
        withExtendedLifetime(handle) { handle.onEvent(event) }
    }
}
