import PortolanConverters
import Synchronization

/// Makes forms with the converters of this machine. Declarations are read once, at the first use, like those of types.
final class ConverterFormMaker: Sendable {
    private let conversions: Conversions
    private let declared: @Sendable () -> [Converter]
    private let made = Mutex<FormMaker?>(nil)

    /// - Parameters:
    ///   - cacheFolder: folder of the forms that were made.
    ///   - declared: gives the converters; may block.
    init(cacheFolder: String, _ declared: @escaping @Sendable () -> [Converter]) {
        conversions = Conversions(cacheFolder: .forOwner(cacheFolder), digest: { try sha256($0) })
        self.declared = declared
    }

    /// May block.
    func maker() -> FormMaker {
        if let known = made.withLock(\.self) { return known }
        let new = FormMaker(conversions, declared())
        return made.withLock { made in
            let first = made ?? new
            made = first
            return first
        }
    }
}

extension CacheFolder {
    /// Cache folder at `path`, created and checked like the node's other folders: only its owner can read it.
    static func forOwner(_ path: String) -> CacheFolder {
        CacheFolder(path) { path throws(CacheFolder.Failure) in
            _ = try translating(PrivateDirectory(path: path)) { (error: StoreError) in
                CacheFolder.Failure(error.description)
            }
        }
    }
}
