import Glibc
import PortolanConcurrency
import PortolanFiles
import Synchronization
import UniformTypeIdentifiers

/// Makes the forms that peers have chosen, each once.
///
/// A result is kept by the content it was made from. Two that want the same at the same time wait for one run; a run that nobody
/// waits for any more is stopped.
package final class Conversions: Sendable {
    /// How many programs run at a time unless the caller says otherwise.
    package static let usualConcurrency = 2

    private let cacheFolder: CacheFolder
    private let limits: ConversionCache.Limits
    private let tools: ToolSearch
    /// Nil for those of the machine, which are found out on the thread of the first run and not where this is made.
    private let layers: Confinement?
    private let digest: ContentDigest
    private let readers = BlockingThreads(named: "digest", limit: 2)
    private let runners: BlockingThreads
    private let running = Mutex<[CacheKey: SharedWork<ConvertedFile>]>([:])
    private let hasTidied = Atomic(false)

    /// - Parameters:
    ///   - cacheFolder: where results are kept and programs work; prepared when the first form is made.
    ///   - digest: a digest that nobody finds two contents for.
    package convenience init(
        cacheFolder: CacheFolder, limits: ConversionCache.Limits = .usual, tools: ToolSearch = .environment,
        concurrency: Int = usualConcurrency, digest: @escaping ContentDigest
    ) {
        self.init(
            cacheFolder: cacheFolder, limits: limits, tools: tools, concurrency: concurrency, layers: nil,
            digest: digest)
    }

    /// - Parameter layers: what holds the programs in; at most what the machine has.
    init(
        cacheFolder: CacheFolder, limits: ConversionCache.Limits, tools: ToolSearch, concurrency: Int,
        layers: Confinement?, digest: @escaping ContentDigest
    ) {
        self.cacheFolder = cacheFolder
        self.limits = limits
        self.tools = tools
        self.layers = layers
        self.digest = digest
        runners = BlockingThreads(named: "convert", limit: concurrency)
    }

    /// Makes a form of a file, or finds it made.
    ///
    /// - Parameters:
    ///   - file: the content, complete; a link is followed. It is never written to.
    ///   - type: what the content is; it conforms to what the converter takes.
    /// - Returns: the result. The file stays where it is until others have been wanted more; open it before the next conversion,
    ///   or link it to a place of its own.
    package func convert(
        _ file: String, of type: UTType, by converter: Converter
    ) async throws(ConverterError) -> ConvertedFile {
        let subject = ConversionSubject(type: type, converter: converter)
        let reading = SharedWork<Prepared>(cancelled: subject.cancelled)
        let prepared = try await value(of: reading, on: readers) { stop throws(ConverterError) in
            try self.prepare(file, subject, until: stop)
        }
        if let found = prepared.found { return found }
        let (run, waiter, isNew) = join(prepared, subject)
        if isNew { start(run, prepared, subject) }
        return try await run.value(for: waiter)
    }

    // MARK: - Before a run

    private struct Prepared: Sendable {
        let cache: ConversionCache
        let source: SourceContent
        let key: CacheKey
        let found: ConvertedFile?
    }

    private func prepare(
        _ file: String, _ subject: ConversionSubject, until stop: StopSign
    ) throws(ConverterError) -> Prepared {
        let source = try SourceContent(file, of: subject)
        let digest = try source.digest(after: subject.identity, with: digest, until: stop)
        let key = CacheKey(digest: digest, type: subject.converter.to)
        let cache = try openCache(subject)
        return Prepared(cache: cache, source: source, key: key, found: cache.find(key))
    }

    private func openCache(_ subject: ConversionSubject) throws(ConverterError) -> ConversionCache {
        let cache: ConversionCache
        do throws(CacheFolder.Failure) {
            cache = try ConversionCache(cacheFolder, limits: limits)
        } catch {
            throw subject.error(.cacheUnusable, "results cannot be kept (\(error))")
        }
        if !hasTidied.exchange(true, ordering: .relaxed) {
            WorkFolder.removeAbandoned(in: cache.path)
            cache.evict()
        }
        return cache
    }

    // MARK: - Runs

    private func join(
        _ prepared: Prepared, _ subject: ConversionSubject
    ) -> (run: SharedWork<ConvertedFile>, waiter: SharedWork<ConvertedFile>.Waiter, isNew: Bool) {
        running.withLock { running in
            if let run = running[prepared.key], let waiter = run.join() { return (run, waiter, false) }
            let run = SharedWork<ConvertedFile>(cancelled: subject.cancelled)
            guard let waiter = run.join() else { preconditionFailure("new work that is abandoned") }
            running[prepared.key] = run
            return (run, waiter, true)
        }
    }

    private func start(_ run: SharedWork<ConvertedFile>, _ prepared: Prepared, _ subject: ConversionSubject) {
        Task(executorPreference: runners) {
            let outcome = Result { () throws(ConverterError) in
                if run.stop.isRaised { throw subject.cancelled }
                // Another may have made it between our look and this run.
                if let found = prepared.cache.find(prepared.key) { return found }
                return try Conversion(
                    subject: subject, source: prepared.source, cache: prepared.cache, key: prepared.key,
                    tools: self.tools, layers: self.layers ?? .onThisMachine
                ).run(until: run.stop)
            }
            self.running.withLock { running in
                if running[prepared.key] === run { running[prepared.key] = nil }
            }
            run.finish(outcome)
        }
    }

    private func value<Value>(
        of work: SharedWork<Value>, on threads: BlockingThreads,
        _ body: @escaping @Sendable (StopSign) throws(ConverterError) -> Value
    ) async throws(ConverterError) -> Value {
        guard let waiter = work.join() else { preconditionFailure("new work that is abandoned") }
        Task(executorPreference: threads) {
            work.finish(Result { () throws(ConverterError) in try body(work.stop) })
        }
        return try await work.value(for: waiter)
    }
}

extension ConversionSubject {
    /// What a result follows from beside the content, as bytes that no other subject has.
    fileprivate var identity: [UInt8] {
        let parts = ["portolan converter 1", converter.to.identifier, inputName, outputName] + converter.command
        return parts.flatMap { part -> [UInt8] in
            withUnsafeBytes(of: UInt64(part.utf8.count).littleEndian, Array.init) + Array(part.utf8)
        }
    }
}
