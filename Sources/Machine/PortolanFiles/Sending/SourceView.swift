import PortolanValues
import Synchronization

/// Filter that tells whether a peer may see an entry with a restriction now. Blocks; may be called from any thread.
///
/// - Throws: ``FileError`` if the peer's rights cannot be read.
package typealias SourceFilter = @Sendable (Restriction) throws(FileError) -> Bool

/// Part of a source that one peer may see.
final class SourceView: Sendable {
    /// Time for which an answer is reused, since many files share one restriction, and an answer takes system calls.
    private static let lifetime = Duration.milliseconds(100)
    /// Answers that are remembered.
    private static let maximumAnswers = 64

    private struct Answer {
        let maySee: Bool
        let end: ContinuousClock.Instant
    }

    /// Restriction of the item itself.
    let restriction: Restriction
    /// Time for which a read mark stays valid; nil for the whole transfer.
    let markLifetime: Duration?
    private let filter: SourceFilter
    private let answers = Mutex<[Restriction: Answer]>([:])

    init(of restriction: Restriction, markLifetime: Duration?, filter: @escaping SourceFilter) {
        self.restriction = restriction
        self.markLifetime = markLifetime
        self.filter = filter
    }

    /// Returns true if an entry with this restriction is shown.
    ///
    /// - Throws: ``FileError`` if that cannot be found out.
    func shows(_ restriction: Restriction) throws(FileError) -> Bool {
        if restriction.visibility == .all { return true }
        let now = ContinuousClock.now
        if let answer = answers.withLock({ $0[restriction] }), now < answer.end { return answer.maySee }
        let maySee = try filter(restriction)
        answers.withLock { answers in
            if answers.count >= Self.maximumAnswers { answers = [:] }
            answers[restriction] = Answer(maySee: maySee, end: now + Self.lifetime)
        }
        return maySee
    }
}
