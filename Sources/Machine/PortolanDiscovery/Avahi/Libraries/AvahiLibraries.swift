import CAvahi

/// Error of the dynamic linker for one of Avahi's libraries.
struct MissingLibrary: Error, Hashable, CustomStringConvertible {
    let reason: String

    var description: String { "the library is not there (\(reason))" }
}

/// The two libraries, opened once per process at first use.
enum AvahiLibraries {
    private static let openedClient: Result<PortolanAvahiClient, MissingLibrary> = {
        var table = PortolanAvahiClient()
        if let reason = portolan_avahi_client_load(&table) {
            return .failure(MissingLibrary(reason: String(cString: reason)))
        }
        return .success(table)
    }()

    private static let openedCore: Result<PortolanAvahiCore, MissingLibrary> = {
        var table = PortolanAvahiCore()
        if let reason = portolan_avahi_core_load(&table) {
            return .failure(MissingLibrary(reason: String(cString: reason)))
        }
        // The library writes to standard error by default.
        table.set_log_function { _, _ in }
        return .success(table)
    }()

    static func client() throws(MissingLibrary) -> PortolanAvahiClient { try openedClient.get() }

    static func core() throws(MissingLibrary) -> PortolanAvahiCore { try openedCore.get() }
}
