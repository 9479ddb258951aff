/// An advertisement on the air. It stays until withdrawn or until its ``Discovery`` is shut down, not until the handle is gone.
package struct AdvertisementHandle: Sendable {
    /// Each name under which the network has accepted the device: the wanted one, and another after each collision.
    /// Can be read once.
    package let names: AsyncStream<String>
    private let withdrawal: @Sendable () async -> Void

    package init(names: AsyncStream<String>, withdraw: @escaping @Sendable () async -> Void) {
        self.names = names
        withdrawal = withdraw
    }

    /// Takes the device off the network; others are told so. Does nothing the second time.
    package func withdraw() async { await withdrawal() }
}
