/// Sessions that peers can begin at one instance of a device, which is one process on one port.
package struct Activities: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The instance takes offers.
    package static let takes = Activities(rawValue: 1)
    /// The instance answers lists and requests.
    package static let serves = Activities(rawValue: 2)

    /// Activities of an instance that does not state them.
    package static let any: Activities = [.takes, .serves]
}

// MARK: - TXT

extension Activities {
    /// Longest value that is read, in bytes.
    private static let maximumBytes = 64
    private static let words: [(word: String, activity: Activities)] = [("takes", .takes), ("serves", .serves)]

    /// Words joined by commas.
    var txt: [UInt8] { Array(Self.words.filter { contains($0.activity) }.map(\.word).joined(separator: ",").utf8) }

    /// Parses the words; unknown ones of a later version are skipped.
    ///
    /// - Parameter txt: nil for a record without the key.
    init(txt: [UInt8]?) {
        guard let txt, txt.count <= Self.maximumBytes else {
            self = .any
            return
        }
        let words = txt.split(separator: UInt8(ascii: ","))
        self = Self.words.reduce(into: []) { activities, known in
            if words.contains(where: { $0.elementsEqual(known.word.utf8) }) { activities.insert(known.activity) }
        }
    }
}
