/// What two people tell each other so that their machines get to know each other: `7-walnut-harbor`.
///
/// **The number is public.** The waiting machine may announce it, so that the other one finds it among several that wait and
/// spends no guess on the wrong one. It is part of the text that becomes the secret, so both sides must mean the same one,
/// but it counts for nothing.
///
/// **The two words are the secret**: each is one of 512, which makes 2 · 9 = 18 bits (``entropyBits``), 262,144 pairs, all
/// equally likely. ``CPace`` gives an attacker one guess in one run and nothing to try guesses on afterwards, so what counts
/// is how many runs there are:
///
/// - *One wrong guess kills the code.* Who attacks the waiting machine for as long as the code lives has one guess: 1 in
///   262,144. Who stands in the middle, or announces the same number, gets one more from the machine where the code is
///   entered: 2 in 262,144, 1 in 131,072. How long a code lives does not change that; it limits for how long one that was
///   overheard is of use.
/// - *People try again.* An attacker can kill every code, and each gives it a guess. A waiting machine that makes three codes a
///   minute at most gives 30 guesses in ten minutes, 1 in 8,738 (from the middle 1 in 4,369), and 180 in an hour, 1 in 1,456.
///   One that went on by itself for a day would give 4,320, 1 in 61, and an even chance after 181,704 codes, 42 days. So a
///   code is to be made only when a person asks for one, and after three dead codes in a row the person is to be told that
///   somebody interferes.
/// - *If a code outlived wrong guesses*, ten attempts a minute for ten minutes would find it once in 2,621 times. That is why
///   it must not.
///
/// An attacker on the same network can always prevent a pairing, but not unnoticed.
public struct PairingCode: Hashable, Sendable {
    /// The numbers that codes begin with.
    public static let numbers = 1...99

    /// How many words a code has.
    public static let wordCount = 2

    /// The logarithm to base 2 of how many codes with the same number there are: what an attacker has to guess.
    public static let entropyBits = 18

    /// The number, which is no secret and helps the other machine find the waiting one.
    public let number: Int

    let words: [String]

    init(number: Int, words: [String]) {
        self.number = number
        self.words = words
    }

    /// A new code.
    ///
    /// - Parameters:
    ///   - taken: Numbers that other machines announce; they are avoided while any other is free.
    ///   - generator: Where the randomness comes from; in a program the system's, in a test a known one.
    public static func random(
        avoiding taken: Set<Int> = [], using generator: inout some RandomNumberGenerator
    ) -> PairingCode {
        let free = numbers.filter { !taken.contains($0) }
        let choices = free.isEmpty ? Array(numbers) : free
        // Both ways of choosing refuse the random numbers that would favour some results.
        return PairingCode(
            number: choices[Int.random(in: choices.indices, using: &generator)],
            words: (0..<wordCount).map { _ in
                PairingWords.all[Int.random(in: PairingWords.all.indices, using: &generator)]
            })
    }

    /// The code as it is shown: `7-walnut-harbor`. Whoever reads it can take the other's place.
    public var text: String { ([String(number)] + words).joined(separator: "-") }

    /// What goes into ``CPace`` as the password: the bytes of ``text``.
    public var secret: SecretBytes { SecretBytes(copying: text.utf8) }
}

extension PairingCode: CustomStringConvertible, CustomReflectable {
    /// Says the number and nothing else, so that logging a code by mistake is harmless.
    public var description: String { "PairingCode(\(number), words not shown)" }

    /// Keeps `dump` and debuggers' summaries as silent as ``description``.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
