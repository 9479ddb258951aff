import Glibc
import PortolanConcurrency
import PortolanFiles
import PortolanValues
import Synchronization
import UniformTypeIdentifiers

/// Runs the conversions that peers have chosen, each once.
///
/// A result is cached under the digest of its source. Concurrent requests for the same result wait for one run; a run
/// without waiters is stopped.
package final class Conversions: Sendable {
    /// Default for the number of programs that run at a time.
    package static let usualConcurrency = 2

    private let cacheFolder: CacheFolder
    private let limits: ConversionCache.Limits
    private let tools: ToolSearch
    /// Layers of confinement; nil for those of the machine, which are tested on the thread of the first run.
    private let layers: Confinement?
    private let digest: ContentDigestFunction
    private let readers = BlockingThreads(named: "digest", limit: 2)
    private let runners: BlockingThreads
    private let running = Mutex<[CacheKey: SharedWork<ConvertedFile>]>([:])
    private let hasTidied = Atomic(false)

    /// - Parameters:
    ///   - cacheFolder: folder for results and for running programs; prepared at the first conversion.
    ///   - digest: a collision-resistant digest.
    package convenience init(
        cacheFolder: CacheFolder, limits: ConversionCache.Limits = .usual, tools: ToolSearch = .environment,
        concurrency: Int = usualConcurrency, digest: @escaping ContentDigestFunction
    ) {
        self.init(
            cacheFolder: cacheFolder, limits: limits, tools: tools, concurrency: concurrency, layers: nil,
            digest: digest)
    }

    /// - Parameter layers: confinement of the programs; at most that of the machine.
    init(
        cacheFolder: CacheFolder, limits: ConversionCache.Limits, tools: ToolSearch, concurrency: Int,
        layers: Confinement?, digest: @escaping ContentDigestFunction
    ) {
        self.cacheFolder = cacheFolder
        self.limits = limits
        self.tools = tools
        self.layers = layers
        self.digest = digest
        runners = BlockingThreads(named: "convert", limit: concurrency)
    }

    /// Converts a file, or finds the cached result.
    ///
    /// - Parameters:
    ///   - file: the complete source; a link is followed. The file is not changed.
    ///   - type: type of the source; it conforms to the converter's input type.
    /// - Returns: the result. Later conversions may evict the file; open it before the next conversion, or link it to
    ///   another place.
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
        _ file: String, _ subject: ConversionSubject, until stop: StopRequest
    ) throws(ConverterError) -> Prepared {
        let source = try SourceContent(file, of: subject)
        let digest = try source.digest(after: subject.identity(mode: source.mode), with: digest, until: stop)
        let key = CacheKey(digest: digest, type: subject.converter.to, mode: source.mode)
        let cache = try openCache(subject)
        return Prepared(cache: cache, source: source, key: key, found: cache.find(key))
    }

    private func openCache(_ subject: ConversionSubject) throws(ConverterError) -> ConversionCache {
        let cache = try translating(ConversionCache(cacheFolder, limits: limits)) { (error: CacheFolder.Failure) in
            subject.error(.cacheUnusable, "results cannot be kept (\(error))")
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
                if run.stop.isRequested { throw subject.cancelled }
                // Another process may have made the result since the look-up.
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
        _ body: @escaping @Sendable (StopRequest) throws(ConverterError) -> Value
    ) async throws(ConverterError) -> Value {
        guard let waiter = work.join() else { preconditionFailure("new work that is abandoned") }
        Task(executorPreference: threads) {
            work.finish(Result { () throws(ConverterError) in try body(work.stop) })
        }
        return try await work.value(for: waiter)
    }
}

extension ConversionSubject {
    /// Identity of a conversion beside the source, as unambiguous bytes.
    fileprivate func identity(mode: mode_t) -> [UInt8] {
        let parts =
            ["portolan converter 1", converter.to.identifier, inputName, outputName, "\(mode)"] + converter.command
        return parts.flatMap { part -> [UInt8] in
            withUnsafeBytes(of: UInt64(part.utf8.count).littleEndian, Array.init) + Array(part.utf8)
        }
    }
}
