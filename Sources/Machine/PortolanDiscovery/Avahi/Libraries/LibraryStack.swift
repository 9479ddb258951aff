/// Avahi through one of its two libraries, which have the same objects under different names.
///
/// With the daemon, every call is a round trip of D-Bus that blocks for up to 25 seconds, so this object has its own
/// thread. In the process, the stack announces addresses under its own host name.
final class LibraryStack: AvahiStack, AvahiObjects {
    private let functions: StackFunctions
    private var connection: OpaquePointer?
    /// Address records of the stack's own host name, from the first advertisement without another host on: a process
    /// that only browses or hides announces nothing.
    private var hostRecords: HostRecords?
    private var onState: (StackState) -> Void = { _ in }

    init(_ functions: StackFunctions) { self.functions = functions }

    var settlingDelay: Duration { functions.settlingDelay }

    var active: any AvahiObjects { self }

    func open(isPatient: Bool, onState: @escaping (StackState) -> Void) throws(AvahiFailure) {
        precondition(connection == nil, "closed before it is opened again")
        self.onState = onState
        var code: Int32 = 0
        let opened = functions.connect(isPatient, Unmanaged.passUnretained(self).toOpaque(), &code)
        connection = opened
        if opened == nil { throw AvahiFailure(code: code) }
        functions.host?.loop.onClockSetBack = { [weak self] in self?.onState(.broken(.clockWasSetBack)) }
    }

    func close() {
        guard let connection else { return }
        self.connection = nil
        functions.host?.loop.onClockSetBack = {}
        hostRecords?.close()
        hostRecords = nil
        functions.disconnect(connection)
    }

    /// Called by the C callbacks. The first call comes from inside the constructor, before that has returned the
    /// pointer.
    ///
    /// - Parameter translate: converts the library's state and last failure; nil for a state without meaning here.
    static func changed(
        _ userdata: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
        _ translate: (_ failure: @autoclosure () -> AvahiFailure) -> StackState?
    ) {
        guard let connection, let userdata else { return }
        let stack = Unmanaged<LibraryStack>.fromOpaque(userdata).takeUnretainedValue()
        stack.connection = connection
        if let state = translate(stack.failure) { stack.onState(state) }
    }

    private var failure: AvahiFailure {
        connection.map { AvahiFailure(code: functions.failureCode($0)) } ?? functions.absence
    }

    private func connected() throws(AvahiFailure) -> OpaquePointer {
        guard let connection else { throw functions.absence }
        return connection
    }

    // MARK: Browsing

    func browse(
        interface: Int32, onEvent: @escaping (BrowserEvent) -> Void
    ) throws(AvahiFailure) -> AvahiHandle<BrowserEvent> {
        let connection = try connected()
        return try AvahiHandle(onEvent: onEvent, release: functions.freeBrowser, failure: failure) {
            functions.makeBrowser(connection, interface, $0)
        }
    }

    func resolve(
        _ id: ServiceRecord.ID, onEvent: @escaping (ResolverEvent) -> Void
    ) throws(AvahiFailure) -> AvahiHandle<ResolverEvent> {
        let connection = try connected()
        return try AvahiHandle(onEvent: onEvent, release: functions.freeResolver, failure: failure) {
            functions.makeResolver(connection, id, $0)
        }
    }

    // MARK: Publishing

    func makeGroup(onEvent: @escaping (GroupEvent) -> Void) throws(AvahiFailure) -> AvahiHandle<GroupEvent> {
        let connection = try connected()
        return try AvahiHandle(onEvent: onEvent, release: functions.freeGroup, failure: failure) {
            functions.makeGroup(connection, $0)
        }
    }

    func add(
        _ service: Advertisement, as name: String, interface: Int32, to group: AvahiHandle<GroupEvent>
    ) throws(AvahiFailure) {
        let connection = try connected()
        let code = withStringList(service.strings) { txt in
            functions.addService(
                connection, group.pointer, interface, name, service.hostName, service.port, txt)
        }
        try AvahiFailure.check(code)
        if let host = functions.host, service.host == nil, hostRecords == nil {
            hostRecords = HostRecords(of: nil, stack: self, loop: host.loop, links: host.interfaces)
        }
    }

    func updateText(
        of service: Advertisement, as name: String, interface: Int32, in group: AvahiHandle<GroupEvent>
    ) throws(AvahiFailure) {
        let connection = try connected()
        let code = withStringList(service.strings) { txt in
            functions.updateText(connection, group.pointer, interface, name, txt)
        }
        try AvahiFailure.check(code)
    }

    func add(
        _ address: IPAddress, of host: String?, interface: Int32, to group: AvahiHandle<GroupEvent>
    ) throws(AvahiFailure) {
        try AvahiFailure.check(functions.addAddress(try connected(), group.pointer, interface, address, host))
    }

    func commit(_ group: AvahiHandle<GroupEvent>) throws(AvahiFailure) {
        try AvahiFailure.check(functions.commit(group.pointer))
    }

    func reset(_ group: AvahiHandle<GroupEvent>) {
        // With the daemon, the call fails only if the daemon has stopped, and the group with it.
        _ = functions.reset(group.pointer)
    }
}
