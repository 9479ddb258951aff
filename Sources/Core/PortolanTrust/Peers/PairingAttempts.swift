import Foundation
import PortolanValues

/// Counter of wrong guesses of pairing codes on this device, which limits their rate and warns a person.
///
/// A code ends with the first wrong guess; the limit is on the time to the next code. The counter is in a file, because
/// a restart of the program must not help an attacker. A file that cannot be read stops pairing.
package struct PairingAttempts: Sendable {
    /// Wrong guesses in ``window`` that stop pairing for a while.
    package static let limit = 3
    /// Seconds after which a wrong guess no longer counts for the limit.
    package static let window: TimeInterval = 60

    static let fileName = "pairing-attempts.json"
    private static let lockName = "pairing-attempts.lock"
    private static let sizeLimit = 4096
    private static let form = DocumentForm("portolan pairing attempts", versions: 1...1)

    private struct Document: Codable {
        /// Wrong guesses since a pairing last succeeded.
        var inARow = 0
        /// Times of the last wrong guesses, in seconds since 1970.
        var wrong: [Double] = []
    }

    private let directoryPath: String

    package init(home: HomeDirectory) { directoryPath = home.state }

    /// Returns the permission to make a code.
    package func allowance(now: Date) throws(StoreError) -> PairingAllowance {
        guard let directory = try PrivateDirectory(existing: directoryPath) else { return .allowed(wrongInARow: 0) }
        let document = try Self.load(from: directory)
        let recent = Self.recent(document.wrong, now: now).sorted()
        guard recent.count >= Self.limit else { return .allowed(wrongInARow: document.inARow) }
        // Pairing is allowed again when fewer guesses than the limit are recent.
        let last = recent[recent.count - Self.limit]
        let seconds = (last + Self.window - now.timeIntervalSince1970).rounded(.up)
        return .wait(seconds: Int(min(max(seconds, 1), Self.window)))
    }

    /// Records an attempt with the wrong words.
    ///
    /// - Returns: the number of them since the last successful pairing.
    @discardableResult
    package func noteWrongGuess(now: Date) throws(StoreError) -> Int {
        try change { document in
            // Only the last ones count for the limit.
            let wrong = (Self.recent(document.wrong, now: now) + [now.timeIntervalSince1970]).suffix(Self.limit)
            document.wrong = Array(wrong)
            document.inARow = min(document.inARow, Int(Int32.max)) + 1
            return document.inARow
        }
    }

    /// Records a successful pairing. The limit does not change, because the other person may be the attacker.
    package func noteSuccess() throws(StoreError) {
        try change { document in document.inARow = 0 }
    }

    /// Drops guesses outside the window, and those in the future: a clock that was changed must not make them eternal.
    private static func recent(_ wrong: [Double], now: Date) -> [Double] {
        wrong.filter { abs(now.timeIntervalSince1970 - $0) < window }
    }

    private func change<Result>(_ body: (inout Document) -> Result) throws(StoreError) -> Result {
        let directory = try PrivateDirectory(path: directoryPath)
        return try directory.withLock(Self.lockName) { directory throws(StoreError) in
            let before = try Self.load(from: directory)
            var document = before
            let result = body(&document)
            if document.inARow != before.inARow || document.wrong != before.wrong {
                try directory.replace(Self.fileName, with: Self.form.text(of: document))
            }
            return result
        }
    }

    private static func load(from directory: borrowing PrivateDirectory) throws(StoreError) -> Document {
        guard let contents = try directory.read(fileName, limit: sizeLimit) else { return Document() }
        guard contents.last == UInt8(ascii: "\n"),
            let document = try? form.read(Document.self, from: contents).body, document.inARow >= 0
        else {
            throw StoreError(
                .damaged(reason: "it does not say how often somebody tried to pair"),
                path: directory.path(of: fileName), remedy: "Move it away; nothing else is lost by that.")
        }
        return document
    }
}

/// Permission to make a pairing code.
package enum PairingAllowance: Hashable, Sendable {
    /// Allowed. From three wrong guesses in a row a person should be told of the interference.
    case allowed(wrongInARow: Int)
    /// Forbidden for 1 to 60 seconds.
    case wait(seconds: Int)
}
