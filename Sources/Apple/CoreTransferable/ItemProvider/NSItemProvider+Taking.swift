import Synchronization

extension NSItemProvider {
    /// Loads a form and converts its content.
    /// - Throws: the error of its handler, ``ItemProviderError``, `CancellationError`.
    func take<Value>(
        _ registration: Registration, by intake: ContentConversion<Value>, _ progress: LoadProgress
    ) async throws -> Value {
        if case .form(let form) = registration.source { return try await take(form, of: registration, by: intake) }
        let timeout = loadTimeout
        return try await HandlerResult<Value>.wait(for: registration.identifier, within: timeout, showing: progress) {
            answer in
            switch registration.source {
            case .data(let handler):
                return handler { data, error in
                    answer.give { _ in
                        guard let data else { throw error ?? ItemProviderError.nothingGiven(registration.identifier) }
                        return try registration.taking { try intake.data(data) }
                    }
                }
            case .file(let handler, let opensInPlace):
                return handler { file, _, error in
                    answer.give { stop in
                        guard let file else { throw error ?? ItemProviderError.nothingGiven(registration.identifier) }
                        return try registration.taking {
                            try intake.file(registration.found(file), opensInPlace, stop)
                        }
                    }
                }
            case .item(let handler):
                handler(
                    { item, error in
                        answer.give { stop in
                            guard let item else {
                                throw error ?? ItemProviderError.nothingGiven(registration.identifier)
                            }
                            let content = try ItemContent(of: item, as: registration)
                            return try registration.taking {
                                switch content {
                                case .data(let data): try intake.data(data)
                                case .file(let file): try intake.file(registration.found(file), true, stop)
                                }
                            }
                        }
                    }, nil, nil)
                return nil
            case .form:
                preconditionFailure("A form of a value has no handler.")
            }
        }
    }

    /// Loads a form of a `Transferable` value, by a task instead of a handler.
    private func take<Value>(
        _ form: ExportableRepresentation, of registration: Registration, by intake: ContentConversion<Value>
    ) async throws -> Value {
        let timeout = loadTimeout
        let late = ItemProviderError.noAnswer(registration.identifier, within: timeout)
        let payload = try await waiting(atMost: timeout, or: late) { try await form.export() }
        return try await DiskWork.run { stop in
            try registration.taking {
                switch payload {
                case .data(let data): try intake.data(data)
                case .file(let sent):
                    try intake.file(registration.found(sent.file), sent.allowAccessingOriginalFile, stop)
                }
            }
        }
    }

    /// Returns the function for the file name of a form: the name that was set, else that of the form, else that of its
    /// file.
    func fileNames(for registration: Registration) -> @Sendable (URL?) -> String {
        let (name, derivedName) = settings.value.withLock { ($0.name, $0.derivedName?.stem) }
        return { file in
            let fileName = file?.lastPathComponent
            func fitted(_ name: String?) -> String? {
                name.flatMap { FittedName.isName($0) ? registration.fileName(for: $0, madeFrom: fileName) : nil }
            }
            let candidates = [fitted(name), registration.fileName, fitted(derivedName), fileName]
            return FittedName(
                candidates.compactMap(\.self).first(where: FittedName.isName)
                    ?? registration.fileName(for: "item", madeFrom: fileName)
            ).text
        }
    }
}

/// Content of an object: bytes or a file.
private enum ItemContent {
    case data(Data)
    case file(URL)

    init(of item: any NSSecureCoding, as registration: Registration) throws {
        switch item {
        case let data as NSData:
            self = .data(Data(referencing: data))
        case let text as NSString:
            self = .data(Data(text.description.utf8))
        case let url as NSURL:
            // A file URL stands for the file's contents, unless the URL itself was requested.
            if let file = url.absoluteURL, file.isFileURL, !(registration.contentType?.conforms(to: .url) ?? false) {
                self = .file(file)
            } else {
                self = .data(Data(url.absoluteString.utf8))
            }
        default:
            throw ItemProviderError.notCoercible("\(type(of: item))", to: registration.identifier)
        }
    }
}

extension Registration {
    /// Checks that the file or folder exists, and is of the kind of the type.
    fileprivate func found(_ file: URL) throws -> TransferableFile {
        try TransferableFile(file, as: contentType)
    }

    /// Converts content; errors name the type.
    fileprivate func taking<Value>(_ take: () throws -> Value) throws -> Value {
        do {
            return try take()
        } catch let error as CancellationError {
            throw error
        } catch {
            throw ItemProviderError.unreadable(identifier, because: error)
        }
    }

    /// Adds the extension of this form to a name, or else that of its file.
    fileprivate func fileName(for name: String, madeFrom fileName: String?) -> String {
        let fitted = contentType?.fileName(for: name) ?? name
        guard fitted == name, contentType?.preferredFilenameExtension == nil, let fileName = fileName ?? self.fileName
        else { return fitted }
        let ending = NSString(string: fileName).pathExtension
        return ending.isEmpty || name.hasSuffix(".\(ending)") ? name : "\(name).\(ending)"
    }
}
