/// Code that two people exchange to pair their machines: `7-walnut-harbor`.
///
/// **The number is public.** The waiting machine may announce it, so that the other one finds it among several that
/// wait and spends no guess on the wrong one. It is part of the text that becomes the secret, so both sides must mean
/// the same one, but it adds no entropy.
///
/// **The two words are the secret**: each is one of 512, which makes 2 · 9 = 18 bits (``entropyBits``), 262,144 pairs,
/// all equally likely. ``CPace`` gives an attacker one guess in one run and no data to test guesses on afterwards, so
/// the number of runs decides:
///
/// - *One wrong guess kills the code.* An attacker of the waiting machine has one guess during the code's lifetime: 1
///   in 262,144. An attacker in the middle, or one that announces the same number, gets one more from the machine where
///   the code is entered: 2 in 262,144, 1 in 131,072. The lifetime of a code does not change that; it limits the use of
///   one that was overheard.
/// - *People try again.* An attacker can kill every code, and each gives it a guess. A waiting machine that makes
///   three codes a minute at most gives 30 guesses in ten minutes, 1 in 8,738 (from the middle 1 in 4,369), and 180 in
///   an hour, 1 in 1,456. A machine that continued by itself for a day would give 4,320, 1 in 61, and an even chance
///   after 181,704 codes, 42 days. Therefore a code is made only when a person asks for one, and after three dead codes
///   in a row the person is told of the interference.
/// - *If a code outlived wrong guesses*, ten attempts a minute for ten minutes would find it once in 2,621 times.
///   Therefore it must not.
///
/// An attacker on the same network can always prevent a pairing, but not unnoticed.
public struct PairingCode: Hashable, Sendable {
    /// First and last number of a code.
    public static let numbers = 1...99

    /// Number of words in a code.
    public static let wordCount = 2

    /// Logarithm to base 2 of the number of codes with the same number: the entropy against an attacker.
    public static let entropyBits = 18

    /// The number, which is public and helps the other machine find the waiting one.
    public let number: Int

    let words: [String]

    /// Makes a new code.
    ///
    /// - Parameters:
    ///   - taken: Numbers that other machines announce; they are avoided while any other is free.
    ///   - generator: Source of randomness: the system's in a program, a known one in a test.
    public static func random(
        avoiding taken: Set<Int> = [], using generator: inout some RandomNumberGenerator
    ) -> PairingCode {
        let free = numbers.filter { !taken.contains($0) }
        let choices = free.isEmpty ? Array(numbers) : free
        // Both selections are unbiased: random numbers that would favour some results are rejected.
        return PairingCode(
            number: choices[Int.random(in: choices.indices, using: &generator)],
            words: (0..<wordCount).map { _ in
                PairingWords.all[Int.random(in: PairingWords.all.indices, using: &generator)]
            })
    }

    /// The code as it is shown: `7-walnut-harbor`. Every reader of it can take the other side's place.
    public var text: String { ([String(number)] + words).joined(separator: "-") }

    /// Password for ``CPace``: the bytes of ``text``.
    public var secret: SecretBytes { SecretBytes(copying: text.utf8) }
}

extension PairingCode: CustomStringConvertible, CustomReflectable {
    /// Text with the number only, so that logging a code by mistake is harmless.
    public var description: String { "PairingCode(\(number), words not shown)" }

    /// Hides the words from `dump` and debuggers' summaries, as ``description`` does.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
