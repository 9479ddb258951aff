/// State and action of a paste button, without its appearance.
public struct PasteButton: Sendable {
    private let pasteboard: Pasteboard
    private let isUsable: @Sendable () -> Bool
    private let paste: @Sendable () async throws -> Void

    /// Makes a button that pastes values.
    ///
    /// - Parameter onPaste: called with the pasted values; never with none.
    public init<Payload: Transferable>(
        payloadType: Payload.Type = Payload.self, pasteboard: Pasteboard = .general,
        onPaste: @escaping @Sendable ([Payload]) -> Void
    ) {
        let destination = pasteboard.pasteDestination(for: payloadType, action: onPaste)
        self.pasteboard = pasteboard
        isUsable = { destination.canPaste }
        paste = { try await destination.paste() }
    }

    /// Makes a button that pastes items of some types as providers, which load content on request.
    ///
    /// - Parameter payloadAction: called with a provider for each item that has a representation of one of the types.
    public init(
        supportedContentTypes: [UTType], pasteboard: Pasteboard = .general,
        payloadAction: @escaping @Sendable ([NSItemProvider]) -> Void
    ) {
        @Sendable func usable() -> [Item] {
            pasteboard.items.filter { item in
                item.representations.contains { form in
                    supportedContentTypes.contains { form.contentType.conforms(to: $0) }
                }
            }
        }
        self.pasteboard = pasteboard
        isUsable = { !usable().isEmpty }
        paste = { payloadAction(usable().map { $0.makeItemProvider() }) }
    }

    /// True if the pasteboard has something to paste.
    public var isEnabled: Bool { isUsable() }

    /// Values of ``isEnabled``, now and at each change.
    public var enabledStates: AsyncStream<Bool> {
        let changes = pasteboard.changes
        let isUsable = isUsable
        return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                var last: Bool?
                for await _ in changes {
                    let isEnabled = isUsable()
                    if isEnabled != last { continuation.yield(isEnabled) }
                    last = isEnabled
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Pastes. Does nothing while the button is disabled.
    ///
    /// - Throws: the importer's error if no value could be imported.
    public func press() async throws {
        guard isEnabled else { return }
        try await paste()
    }
}
