import Synchronization

// MARK: - Registering

extension NSItemProvider {
    /// Callback for an item or a preview.
    public typealias CompletionHandler = @Sendable ((any NSSecureCoding)?, (any Error)?) -> Void

    /// Makes an item or a preview and calls its handler with it. The class expected is not known here; the options are
    /// those of the call.
    public typealias LoadHandler = @Sendable (CompletionHandler?, AnyClass?, [AnyHashable: Any]?) -> Void

    /// Makes a provider of an existing object.
    ///
    /// Asked for data, it gives `NSData`, text as UTF-8, a URL's text where the type is that of a URL, and else the
    /// contents of the file that a URL points to.
    /// - Parameter typeIdentifier: nil takes the types that the object's class writes.
    public convenience init(item: (any NSSecureCoding)?, typeIdentifier: String?) {
        self.init()
        guard let item = item?.referenceObject else { return }
        let writable = (item as? any NSItemProviderWriting)?.writableTypeIdentifiersForItemProvider
        let handed = TransferredObject(item)
        for identifier in typeIdentifier.map({ [$0] }) ?? writable ?? [] {
            let isURL = UTType(identifier)?.conforms(to: .url) ?? false
            let isFile = !isURL && (item as? NSURL)?.isFileURL == true
            registrations.append(
                Registration(identifier, isFile: isFile, source: .item { done, _, _ in done?(handed.object, nil) }))
        }
    }

    /// Adds a form whose object is made on request.
    public func registerItem(forTypeIdentifier typeIdentifier: String, loadHandler: @escaping LoadHandler) {
        registrations.append(Registration(typeIdentifier, source: .item(loadHandler)))
    }
}

// MARK: - Loading

extension NSItemProvider {
    /// Loads the first form that conforms to a type as an object: the one that was registered as an item, a URL where
    /// one was registered as an object or value; else the `NSURL` of a file that may be opened in place, or the content
    /// as `NSData`.
    public func loadItem(
        forTypeIdentifier typeIdentifier: String, options: [AnyHashable: Any]? = nil,
        completionHandler: CompletionHandler? = nil
    ) {
        let options = TransferredObject(options)
        _ = load { progress in
            try await self.item(typeIdentifier, options, progress)
        } then: { result in
            completionHandler?(result.value?.object, result.error)
        }
    }

    /// The first form that conforms to a type as an object.
    /// - Throws: the error of the form's handler, or an error in ``errorDomain``.
    public func loadItem(
        forTypeIdentifier typeIdentifier: String, options: [AnyHashable: Any]? = nil
    ) async throws -> any NSSecureCoding {
        try await item(typeIdentifier, TransferredObject(options), LoadProgress()).object
    }

    /// Makes the item's preview; nil where it has none.
    public var previewImageHandler: LoadHandler? {
        get { settings.value.withLock(\.previewImageHandler) }
        set { settings.value.withLock { $0.previewImageHandler = newValue } }
    }

    /// Loads the item's preview.
    public func loadPreviewImage(
        options: [AnyHashable: Any]! = [:], completionHandler: CompletionHandler!
    ) {
        let options = TransferredObject<[AnyHashable: Any]?>(options)
        let handler: CompletionHandler? = completionHandler
        _ = load { progress in
            try await self.preview(options, progress)
        } then: { result in
            handler?(result.value?.object, result.error)
        }
    }

    /// The item's preview.
    /// - Throws: the error of ``previewImageHandler``, or an error in ``errorDomain``.
    public func loadPreviewImage(options: [AnyHashable: Any]! = [:]) async throws -> any NSSecureCoding {
        try await preview(TransferredObject(options), LoadProgress()).object
    }

    private typealias Item = TransferredObject<any NSSecureCoding>

    private func item(
        _ typeIdentifier: String, _ options: TransferredObject<[AnyHashable: Any]?>, _ progress: LoadProgress
    ) async throws -> Item {
        let registration = try registration(conformingTo: typeIdentifier)
        if case .item(let handler) = registration.source {
            return try await item(by: handler, for: registration.identifier, options, progress)
        }
        return switch try await take(registration, by: .item, progress) {
        case .data(let data): TransferredObject(registration.object(from: data))
        case .file(let file): TransferredObject(NSURL(file))
        }
    }

    private func preview(_ options: TransferredObject<[AnyHashable: Any]?>, _ progress: LoadProgress) async throws
        -> Item
    {
        guard let handler = previewImageHandler else { throw ItemProviderError.noPreview() }
        return try await item(by: handler, for: "the preview image", options, progress)
    }

    private func item(
        by handler: @escaping LoadHandler, for what: String, _ options: TransferredObject<[AnyHashable: Any]?>,
        _ progress: LoadProgress
    ) async throws -> Item {
        try await HandlerResult<Item>.wait(for: what, within: loadTimeout, showing: progress) { answer in
            handler(
                { item, error in
                    answer.give { _ in
                        guard let item else { throw error ?? ItemProviderError.nothingGiven(what) }
                        return TransferredObject(item)
                    }
                }, nil, options.object)
            return nil
        }
    }
}

extension Registration {
    fileprivate func object(from data: Data) -> any NSSecureCoding {
        let url = isURL ? try? NSURL.object(withItemProviderData: data, typeIdentifier: identifier) : nil
        return url ?? NSData(data: data)
    }
}
