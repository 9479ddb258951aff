import PortolanConverters
import PortolanCrypto
import PortolanTrust
import Synchronization

/// Makes forms by the converters that were declared when it was first asked for, as types are.
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
    /// Made and judged as the other folders of this device are: for its owner alone.
    static func forOwner(_ path: String) -> CacheFolder {
        CacheFolder(path) { path throws(CacheFolder.Failure) in
            do throws(StoreError) {
                _ = try PrivateDirectory(path: path)
            } catch {
                throw CacheFolder.Failure(error.description)
            }
        }
    }
}
