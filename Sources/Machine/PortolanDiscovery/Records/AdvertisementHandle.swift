/// A published advertisement. It stays until it is withdrawn or its ``Discovery`` is shut down; releasing the handle
/// does not end it.
package struct AdvertisementHandle: Sendable {
    /// Stream of names under which the network has accepted the device: the wanted one, and another after each
    /// collision. Can be read once.
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

    /// Withdraws the advertisement and informs the network. Does nothing the second time.
    package func withdraw() async { await withdrawal() }
}
