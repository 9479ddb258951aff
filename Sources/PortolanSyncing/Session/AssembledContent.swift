import PortolanConcurrency
import PortolanDelta
import PortolanProtocol
import PortolanSync
import Synchronization

/// Content of a changed file, assembled from the earlier version here and from parts that peers send (SYNC.md 7.5).
///
/// Peers learn nothing of the earlier version. The reader verifies the result, and fetches the content without the
/// earlier version if the digest differs, since a peer may send a wrong description.
final class AssembledContent: ContentSource {
    /// Places for comparisons in all sessions. No caller waits for one: a peer that answers late delays only its own
    /// contents.
    private static let freePlaces = Mutex(4)
    /// Size above which content without a common chunk is fetched whole, in bytes.
    static let strangeSize: UInt64 = 16 << 20

    private let whole: RemoteContent
    private let earlier: EarlierVersion
    private let plan: AssemblyPlan
    /// True if the earlier version has changed since it was compared: everything is fetched.
    private let isOutdated = Mutex(false)

    let partBytes = 2 * Limits.syncContent
    let partsAtOnce = Limits.questions / 2

    private init(_ whole: RemoteContent, _ earlier: EarlierVersion, _ plan: AssemblyPlan) {
        self.whole = whole
        self.earlier = earlier
        self.plan = plan
    }

    /// Compares a content with the earlier version.
    ///
    /// - Parameter size: size of the content, in bytes.
    /// - Returns: nil if they have nothing in common, and if no peer describes the content.
    /// - Throws: `CancellationError`.
    static func of(
        _ whole: RemoteContent, size: UInt64, after earlier: EarlierVersion
    ) async throws -> AssembledContent? {
        for role in whole.roles {
            // A peer reads one content at a time.
            let result = try await role.comparing.withLock {
                try await ContentComparison(whole, size, role, earlier).result()
            }
            switch result {
            case .whole: return nil
            case .undescribed: continue
            case .plan(let plan): return AssembledContent(whole, earlier, plan)
            }
        }
        return nil
    }

    /// Reserves a place for a comparison.
    ///
    /// - Returns: false if none is free.
    static func takePlace() -> Bool {
        freePlaces.withLock { free in
            guard free > 0 else { return false }
            free -= 1
            return true
        }
    }

    static func giveBackPlace() { freePlaces.withLock { $0 += 1 } }

    func read(at offset: UInt64, count: Int) async throws -> [UInt8] {
        guard offset < plan.size else { return [] }
        var bytes: [UInt8] = []
        for part in plan.parts(in: offset..<min(offset + UInt64(count), plan.size)) {
            if let copied = await copied(part) {
                bytes += copied
                continue
            }
            var position = part.range.lowerBound
            while position < part.range.upperBound {
                let more = try await whole.read(at: position, count: Int(part.range.upperBound - position))
                // The content is shorter than announced, which the reader detects.
                if more.isEmpty { return bytes }
                bytes += more
                position += UInt64(more.count)
            }
        }
        return bytes
    }

    private func copied(_ part: AssemblyPlan.Part) async -> [UInt8]? {
        guard let own = part.own, !isOutdated.withLock(\.self) else { return nil }
        let bytes = await earlier.read(own..<own + UInt64(part.range.count))
        if bytes == nil { isOutdated.withLock { $0 = true } }
        return bytes
    }
}
