/// An advertisement on the air. It stays until withdrawn or until its ``Discovery`` is shut down, not until the handle is gone.
package struct AdvertisementHandle: Sendable {
    /// Each name under which the network has accepted the device: the wanted one, and another after each collision.
    /// Can be read once.
    package let names: AsyncStream<String>
    private let change: @Sendable (Advertisement) async -> Void
    private let withdrawal: @Sendable () async -> Void

    package init(
        names: AsyncStream<String>, update: @escaping @Sendable (Advertisement) async -> Void = { _ in },
        withdraw: @escaping @Sendable () async -> Void
    ) {
        self.names = names
        change = update
        withdrawal = withdraw
    }

    /// Replaces the TXT record; name, host and port of `advertisement` are those of the first one.
    package func update(_ advertisement: Advertisement) async { await change(advertisement) }

    /// Takes the device off the network; others are told so. Does nothing the second time.
    package func withdraw() async { await withdrawal() }
}
