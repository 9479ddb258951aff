/// Suggestions for a mistyped word.
package enum NearText {
    /// Longest word that is compared, in characters, since the cost is the product of both lengths.
    private static let lengthLimit = 100
    /// Largest number of suggestions.
    private static let countLimit = 3

    /// Returns the words that are most similar to the written one, if any is similar enough; case is ignored.
    ///
    /// A word is similar if at most a third of its characters are missing, superfluous, different or exchanged with a
    /// neighbour; or if it begins with the written text of at least three characters.
    package static func nearest(to written: String, among words: some Sequence<String>) -> [String] {
        let meant = Array(written.lowercased().prefix(lengthLimit))
        guard !meant.isEmpty else { return [] }
        var best = Int.max
        var nearest: [String] = []
        for word in words where !nearest.contains(word) {
            let characters = Array(word.lowercased().prefix(lengthLimit))
            let isBeginning = meant.count >= 3 && characters.starts(with: meant)
            let distance = isBeginning ? 1 : distance(from: meant, to: characters)
            guard isBeginning || distance <= max(1, max(meant.count, characters.count) / 3),
                distance < characters.count, distance <= best
            else { continue }
            if distance < best { nearest = [] }
            best = distance
            nearest.append(word)
        }
        return Array(nearest.prefix(countLimit))
    }

    /// Edit distance: characters that are inserted, removed, replaced or exchanged with their neighbour.
    private static func distance(from first: [Character], to second: [Character]) -> Int {
        var before: [Int] = []
        var last = Array(0...second.count)
        for row in first.indices {
            var line = [row + 1]
            for column in second.indices {
                let isSame = first[row] == second[column]
                var least = min(last[column] + (isSame ? 0 : 1), last[column + 1] + 1, line[column] + 1)
                if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
                    least = min(least, before[column - 1] + 1)
                }
                line.append(least)
            }
            (before, last) = (last, line)
        }
        return last[second.count]
    }
}
