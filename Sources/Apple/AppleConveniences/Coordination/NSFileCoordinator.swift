import Synchronization

/// Coordinates readers and writers of the same files in this process.
///
/// Readers of an item share it; a writer has it alone. An item includes its contents: a writer of a folder waits for
/// the readers of its files. Requests are granted in their order, except that a thread which already holds an item does
/// not queue behind waiters for that item.
///
/// On Linux coordination ends at the process: other programs are neither blocked nor informed. File presenters are not
/// informed either. Calls with ``NSErrorPointer`` block their thread while they wait, so they do not belong on Swift's
/// cooperative threads, as on Apple's systems.
public final class NSFileCoordinator: NSObject, Sendable {
    public struct ReadingOptions: OptionSet, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// Reads without asking presenters to save first. No presenter is asked in any case.
        public static let withoutChanges = ReadingOptions(rawValue: 1)
        /// Passes the target of a symbolic link to the accessor.
        public static let resolvesSymbolicLink = ReadingOptions(rawValue: 2)
        /// Reads only metadata, without waiting.
        public static let immediatelyAvailableMetadataOnly = ReadingOptions(rawValue: 4)
    }

    public struct WritingOptions: OptionSet, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        // The first four announce the change to presenters. With each of them the writer has exclusive access to the
        // item.
        public static let forDeleting = WritingOptions(rawValue: 1)
        public static let forMoving = WritingOptions(rawValue: 2)
        public static let forMerging = WritingOptions(rawValue: 4)
        public static let forReplacing = WritingOptions(rawValue: 8)
        /// Writes only metadata, without waiting.
        public static let contentIndependentMetadataOnly = WritingOptions(rawValue: 16)
    }

    private let purpose: Mutex<String>
    private let asker = FileClaims.WaitOwner()

    /// - Parameter filePresenter: On Apple's systems, a presenter that is not informed of this coordinator's changes.
    ///   Here no presenter is informed.
    public init(filePresenter: (any NSFilePresenter)? = nil) {
        purpose = Mutex(UUID().uuidString)
    }

    /// Coordinators with the same purpose are parts of one piece of work and do not wait for each other. Each has one
    /// of its own until it is given another.
    public var purposeIdentifier: String {
        get { purpose.withLock(\.self) }
        set { purpose.withLock { $0 = newValue } }
    }

    /// Makes every wait of this coordinator end with `CocoaError.userCancelled`, those to come as well. An accessor
    /// that is running is not interrupted.
    public func cancel() {
        FileClaims.shared.cancel(asker)
    }

    /// Does nothing: presenters are not informed; see ``NSFilePresenter``.
    public func item(at oldURL: URL, willMoveTo newURL: URL) {}

    /// Does nothing: presenters are not informed; see ``NSFilePresenter``.
    public func item(at oldURL: URL, didMoveTo newURL: URL) {}
}

// MARK: - Waiting on the calling thread

extension NSFileCoordinator {
    /// Runs `reader` with shared access to the item.
    /// - Parameter outError: Reason if `reader` was not run: cancelled, no file URL, or a deadlock, because the
    ///   calling thread is writing the item with another coordinator.
    public func coordinate(
        readingItemAt url: URL, options: ReadingOptions = [], error outError: NSErrorPointer,
        byAccessor reader: (URL) -> Void
    ) {
        let item = options.item(at: url)
        claim([options.part(for: item)], for: [url], outError) { reader(item) }
    }

    /// Runs `writer` with exclusive access to the item.
    /// - Parameter outError: As for reading.
    public func coordinate(
        writingItemAt url: URL, options: WritingOptions = [], error outError: NSErrorPointer,
        byAccessor writer: (URL) -> Void
    ) {
        claim([options.part(for: url)], for: [url], outError) { writer(url) }
    }

    /// Runs `readerWriter` when both items are free; one is not held while the other is waited for.
    public func coordinate(
        readingItemAt readingURL: URL, options readingOptions: ReadingOptions = [], writingItemAt writingURL: URL,
        options writingOptions: WritingOptions = [], error outError: NSErrorPointer,
        byAccessor readerWriter: (URL, URL) -> Void
    ) {
        let item = readingOptions.item(at: readingURL)
        let parts = [readingOptions.part(for: item), writingOptions.part(for: writingURL)]
        claim(parts, for: [readingURL, writingURL], outError) { readerWriter(item, writingURL) }
    }

    /// Runs `writer` when both items are free; one is not held while the other is waited for.
    public func coordinate(
        writingItemAt url1: URL, options options1: WritingOptions = [], writingItemAt url2: URL,
        options options2: WritingOptions = [], error outError: NSErrorPointer, byAccessor writer: (URL, URL) -> Void
    ) {
        let parts = [options1.part(for: url1), options2.part(for: url2)]
        claim(parts, for: [url1, url2], outError) { writer(url1, url2) }
    }

    private func claim(
        _ parts: [FileClaims.Part?], for urls: [URL], _ outError: NSErrorPointer, _ accessor: () -> Void
    ) {
        do {
            let claim = try claim(parts, for: urls, thread: pthread_self())
            defer { FileClaims.shared.release(claim) }
            accessor()
        } catch {
            outError?.pointee = error as NSError
        }
    }

    private func claim(
        _ parts: [FileClaims.Part?], for urls: [URL], thread: pthread_t?
    ) throws -> FileClaims.Identifier {
        if let url = urls.first(where: { !$0.isFileURL }) {
            throw CocoaError(.fileReadUnsupportedScheme, userInfo: [NSURLErrorKey: url])
        }
        return try FileClaims.shared.claim(parts.compactMap(\.self), for: purposeIdentifier, by: asker, thread: thread)
    }
}

// MARK: - Waiting elsewhere

extension NSFileCoordinator {
    /// Runs `accessor` on `queue` once all items are free, with nil, or with the error if access failed. Returns at
    /// once.
    public func coordinate(
        with intents: [NSFileAccessIntent], queue: OperationQueue,
        byAccessor accessor: @escaping @Sendable ((any Error)?) -> Void
    ) {
        // The wait blocks a thread of Dispatch, which starts more; the threads of the queue stay free.
        DispatchQueue.global().async { [self] in
            let outcome = Result { try claim(intents.map(\.claim), for: intents.map(\.url), thread: nil) }
            queue.addOperation {
                switch outcome {
                case .success(let claim):
                    FileClaims.shared.continueOnThisThread(claim)
                    defer { FileClaims.shared.release(claim) }
                    accessor(nil)
                case .failure(let error):
                    accessor(error)
                }
            }
        }
    }
}

// MARK: - Effect of options

extension NSFileCoordinator.ReadingOptions {
    func item(at url: URL) -> URL {
        contains(.resolvesSymbolicLink) ? url.resolvingSymlinksInPath() : url
    }

    func part(for url: URL) -> FileClaims.Part? {
        contains(.immediatelyAvailableMetadataOnly) ? nil : FileClaims.Part(url, isWriting: false)
    }
}

extension NSFileCoordinator.WritingOptions {
    func part(for url: URL) -> FileClaims.Part? {
        contains(.contentIndependentMetadataOnly) ? nil : FileClaims.Part(url, isWriting: true)
    }
}
