// MARK: - Registering

extension NSItemProvider {
    /// A provider of an object, in all the types it can be written as.
    public convenience init(object: any NSItemProviderWriting) {
        self.init()
        registerObject(object) { object.itemProviderVisibilityForRepresentation(withTypeIdentifier: $0) }
    }

    /// Adds an object, in all the types it can be written as. `visibility` holds for those that the object does not
    /// restrict further.
    public func registerObject(
        _ object: any NSItemProviderWriting, visibility: NSItemProviderRepresentationVisibility
    ) {
        registerObject(object) { identifier in
            visibility.narrowed(to: object.itemProviderVisibilityForRepresentation(withTypeIdentifier: identifier))
        }
    }

    /// Adds an object that is made on request, in all the types its class can be written as.
    public func registerObject(
        ofClass aClass: any NSItemProviderWriting.Type, visibility: NSItemProviderRepresentationVisibility,
        loadHandler:
            @escaping @Sendable (
                @escaping @Sendable ((any NSItemProviderWriting)?, (any Error)?) -> Void
            ) -> Progress?
    ) {
        for identifier in aClass.writableTypeIdentifiersForItemProvider {
            let restriction = aClass.itemProviderVisibilityForRepresentation(withTypeIdentifier: identifier)
            register(identifier, of: aClass, visibility.narrowed(to: restriction)) { done in
                loadHandler { object, error in
                    guard let object else { return done(nil, error) }
                    _ = object.loadData(withTypeIdentifier: identifier, forItemProviderCompletionHandler: done)
                }
            }
        }
    }

    /// Adds a Swift value that is made on request: a `String` or a `URL`.
    public func registerObject<T: _ObjectiveCBridgeable & SendableMetatype>(
        ofClass aClass: T.Type, visibility: NSItemProviderRepresentationVisibility,
        loadHandler: @escaping @Sendable (@escaping @Sendable (T?, (any Error)?) -> Void) -> Progress?
    ) where T._ObjectiveCType: NSItemProviderWriting {
        registerObject(ofClass: T._ObjectiveCType.self, visibility: visibility) { done in
            loadHandler { value, error in done(value?._bridgeToObjectiveC(), error) }
        }
    }

    private func registerObject(
        _ object: any NSItemProviderWriting, visibility: (String) -> NSItemProviderRepresentationVisibility
    ) {
        let handed = TransferredObject(object)
        for identifier in object.writableTypeIdentifiersForItemProvider {
            register(identifier, of: type(of: object), visibility(identifier)) { done in
                handed.object.loadData(withTypeIdentifier: identifier, forItemProviderCompletionHandler: done)
            }
        }
    }

    private func register(
        _ identifier: String, of aClass: any NSItemProviderWriting.Type,
        _ visibility: NSItemProviderRepresentationVisibility, _ handler: @escaping Registration.DataHandler
    ) {
        var registration = Registration(identifier, visibility, source: .data(handler))
        registration.isURL = aClass is NSURL.Type
        registrations.append(registration)
    }
}

extension NSItemProviderRepresentationVisibility {
    /// Returns the stricter of two levels that both apply.
    fileprivate func narrowed(to other: Self) -> Self {
        rawValue < other.rawValue ? other : self
    }
}

// MARK: - Loading

extension NSItemProvider {
    /// True if the item has a form that an object of this class can be made from.
    public func canLoadObject(ofClass aClass: any NSItemProviderReading.Type) -> Bool {
        (try? registration(readableBy: aClass)) != nil
    }

    /// True if the item has a form that this Swift type, `String` or `URL`, can be made from.
    public func canLoadObject<T: _ObjectiveCBridgeable>(
        ofClass aClass: T.Type
    ) -> Bool where T._ObjectiveCType: NSItemProviderReading {
        canLoadObject(ofClass: T._ObjectiveCType.self)
    }

    /// Makes an object of the first form that its class reads.
    /// - Parameter completionHandler: is called with the object or an error. Cancelling the progress that is returned
    ///   makes it `CocoaError.userCancelled`.
    @discardableResult
    public func loadObject(
        ofClass aClass: any NSItemProviderReading.Type,
        completionHandler: @escaping @Sendable ((any NSItemProviderReading)?, (any Error)?) -> Void
    ) -> Progress {
        load { progress in
            try await self.readable(by: aClass, progress)
        } then: { result in
            do { completionHandler(try result.get().object(of: aClass), nil) } catch { completionHandler(nil, error) }
        }
    }

    /// Makes a Swift value, a `String` or a `URL`, of the first form that it can be made from.
    @discardableResult
    public func loadObject<T: _ObjectiveCBridgeable & SendableMetatype>(
        ofClass aClass: T.Type, completionHandler: @escaping @Sendable (T?, (any Error)?) -> Void
    ) -> Progress where T._ObjectiveCType: NSItemProviderReading {
        loadObject(ofClass: T._ObjectiveCType.self) { object, error in
            do { completionHandler(try object.map { try T(bridging: $0) }, error) } catch {
                completionHandler(nil, error)
            }
        }
    }

    /// An object made of the first form that its class reads.
    /// - Throws: the error of the form's handler or of the class, or an error in ``errorDomain``.
    @_disfavoredOverload
    public func loadObject<T: NSItemProviderReading>(ofClass aClass: T.Type) async throws -> T {
        let content = try await readable(by: aClass, LoadProgress())
        return try T.object(withItemProviderData: content.data, typeIdentifier: content.typeIdentifier)
    }

    /// A Swift value, a `String` or a `URL`, made of the first form that it can be made from.
    /// - Throws: the error of the form's handler or of the class, or an error in ``errorDomain``.
    @_disfavoredOverload
    public func loadObject<T: _ObjectiveCBridgeable>(
        ofClass aClass: T.Type
    ) async throws -> T where T._ObjectiveCType: NSItemProviderReading {
        let content = try await readable(by: T._ObjectiveCType.self, LoadProgress())
        return try T(bridging: content.object(of: T._ObjectiveCType.self))
    }

    private struct ReadableContent: Sendable {
        let data: Data
        let typeIdentifier: String

        func object(of aClass: any NSItemProviderReading.Type) throws -> any NSItemProviderReading {
            try aClass.object(withItemProviderData: data, typeIdentifier: typeIdentifier)
        }
    }

    private func readable(
        by aClass: any NSItemProviderReading.Type, _ progress: LoadProgress
    ) async throws -> ReadableContent {
        let registration = try registration(readableBy: aClass)
        let data = try await take(registration, by: .bytes, progress)
        return ReadableContent(data: data, typeIdentifier: registration.identifier)
    }

    private func registration(readableBy aClass: any NSItemProviderReading.Type) throws -> Registration {
        let all = registrations.all
        let readable = aClass.readableTypeIdentifiersForItemProvider
        guard let first = all.first(where: { registration in readable.contains(where: registration.conforms(to:)) })
        else { throw ItemProviderError.notRegistered(readable.joined(separator: " or "), among: all) }
        return first
    }
}

extension _ObjectiveCBridgeable {
    fileprivate init(bridging object: any NSItemProviderReading) throws {
        let bridgeable = try ItemProviderError.checked(object, as: _ObjectiveCType.self)
        self = Self._unconditionallyBridgeFromObjectiveC(bridgeable)
    }
}
