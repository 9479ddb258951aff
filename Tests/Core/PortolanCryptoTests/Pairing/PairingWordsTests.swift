import Foundation
import TestSupport
import Testing

@testable import PortolanCrypto

@Suite(.aside) struct PairingWordsTests {
    @Test func numberOfWordsMatchesTheEntropy() {
        #expect(PairingWords.all.count == 512)
        #expect(Set(PairingWords.all).count == PairingWords.all.count)
        let bits = Double(PairingCode.wordCount) * log2(Double(PairingWords.all.count))
        #expect(bits == Double(PairingCode.entropyBits))
    }

    @Test func everyWordIsFourToEightPlainLettersAndTheListIsSorted() {
        for word in PairingWords.all {
            #expect(PairingWords.lengths.contains(word.count), "\(word)")
            #expect(word.unicodeScalars.allSatisfy { ("a"..."z").contains($0) }, "\(word)")
        }
        #expect(PairingWords.all == PairingWords.all.sorted())
    }

    @Test func wordsDifferByMoreThanOneMistakeAndNoneIsAPrefix() {
        for (index, word) in PairingWords.all.enumerated() {
            for other in PairingWords.all[..<index] {
                let areApart =
                    PairingWords.mistakes(between: word, and: other) >= 2
                    && !word.hasPrefix(other) && !other.hasPrefix(word)
                // No #expect for each of 130,000 pairs: recording them takes longer than looking.
                if !areApart { Issue.record("\(word) and \(other) are too close") }
            }
        }
    }

    @Test func firstLettersAreSpread() {
        let sizes = Dictionary(grouping: PairingWords.all, by: \.first).mapValues(\.count)
        #expect(sizes.count >= 24)
        #expect(sizes.values.allSatisfy { $0 <= 32 })
    }

    @Test(arguments: [
        ("walnut", "walnut", 0), ("walnut", "walmut", 1), ("walnut", "walnt", 1), ("walnut", "wallnut", 1),
        ("walnut", "wlanut", 1), ("walnut", "", 6), ("", "", 0), ("ca", "abc", 3), ("harbor", "arbour", 2),
    ])
    func mistakesAreCounted(one: String, other: String, count: Int) {
        #expect(PairingWords.mistakes(between: one, and: other) == count)
        #expect(PairingWords.mistakes(between: other, and: one) == count)
    }

    @Test func everyMistypedWordSuggestsTheRightOne() {
        for (number, word) in PairingWords.all.enumerated() {
            var letters = Array(word)
            letters[number % letters.count] = "x"
            let injured = String(letters)
            #expect(PairingWords.nearest(to: injured).contains(word), "\(injured)")
        }
    }
}
