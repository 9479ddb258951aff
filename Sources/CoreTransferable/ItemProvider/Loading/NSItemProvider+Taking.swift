import Foundation
import Synchronization
import UniformTypeIdentifiers

extension NSItemProvider {
    /// Has a form made and takes it in.
    /// - Throws: what its handler fails with, ``ItemProviderError``, `CancellationError`.
    func take<Value>(
        _ registration: Registration, by intake: Intake<Value>, _ progress: LoadProgress
    ) async throws -> Value {
        let identifier = registration.identifier
        return try await Answer<Value>.wait(for: identifier, within: loadTimeout, showing: progress) { answer in
            switch registration.source {
            case .data(let handler):
                return handler { data, error in
                    answer.give {
                        guard let data else { throw error ?? ItemProviderError.nothingGiven(identifier) }
                        return try intake.data(data)
                    }
                }
            case .file(let handler, let opensInPlace):
                return handler { file, _, error in
                    answer.give {
                        guard let file else { throw error ?? ItemProviderError.nothingGiven(identifier) }
                        return try intake.file(file.present(for: identifier), opensInPlace)
                    }
                }
            case .item(let handler):
                handler(
                    { item, error in
                        answer.give {
                            guard let item else { throw error ?? ItemProviderError.nothingGiven(identifier) }
                            switch try ItemContent(of: item, as: registration) {
                            case .data(let data): return try intake.data(data)
                            case .file(let file): return try intake.file(file.present(for: identifier), true)
                            }
                        }
                    }, nil, nil)
                return nil
            case .form(let form):
                return running {
                    try await form.export()
                } whenDone: { result in
                    answer.give {
                        switch try result.get() {
                        case .data(let data): try intake.data(data)
                        case .file(let sent):
                            try intake.file(sent.file.present(for: identifier), sent.allowAccessingOriginalFile)
                        }
                    }
                }
            }
        }
    }

    /// The name for a file of this form: the one that was set, else that of the form, else that of its file.
    func fileNames(for registration: Registration) -> @Sendable (URL?) -> String {
        let (name, derivedName) = settings.value.withLock { ($0.name, $0.derivedName) }
        return { file in
            let fileName = file?.lastPathComponent
            let candidates = [
                name.map { registration.fileName(for: $0, madeFrom: fileName) }, registration.fileName,
                derivedName.map { registration.fileName(for: $0, madeFrom: fileName) }, fileName,
            ]
            return candidates.compactMap(\.self).first(where: \.isFileName)
                ?? registration.fileName(for: "item", madeFrom: fileName)
        }
    }
}

/// Runs asynchronous work in a task of its own, whose progress cancels it.
func running<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value,
    whenDone: @escaping @Sendable (Result<Value, any Error>) -> Void
) -> Progress {
    let progress = LoadProgress()
    let task = Task {
        let result: Result<Value, any Error>
        do { result = .success(try await work()) } catch { result = .failure(error) }
        _ = progress.finish()
        providerQueue.async { whenDone(result) }
    }
    progress.whenCancelled { task.cancel() }
    return progress
}

/// The bytes or the file that an object stands for.
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
            // A file's URL stands for its contents, unless it is the URL that was asked for.
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
    /// A name with the extension that this form has, or else with that of the file it is made from.
    fileprivate func fileName(for name: String, madeFrom fileName: String?) -> String {
        let fitted = contentType?.fileName(for: name) ?? name
        guard fitted == name, contentType?.preferredFilenameExtension == nil, let fileName else { return fitted }
        let ending = NSString(string: fileName).pathExtension
        return ending.isEmpty || name.hasSuffix(".\(ending)") ? name : "\(name).\(ending)"
    }
}

extension URL {
    /// The file or folder that is there.
    fileprivate func present(for identifier: String) throws -> TransferableFile {
        do {
            return try TransferableFile(self)
        } catch {
            throw ItemProviderError.unreadable(identifier, because: error)
        }
    }
}

extension String {
    /// Whether this names a file in a folder, and not a place elsewhere.
    fileprivate var isFileName: Bool {
        !isEmpty && self != "." && self != ".." && utf8.count <= 255
            && !unicodeScalars.contains { $0 == "/" || $0 == "\0" }
    }
}
