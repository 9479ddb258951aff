/// Number of different instance names among records, and of their last announcement as a crowd.
struct NameCounter {
    /// Number of names from which the network counts as crowded. A network of people has fewer.
    private static let least = 512

    /// Number of records of each name.
    private var names: [String: Int] = [:]

    /// Number of names at the last announcement; 0 before the first one.
    private(set) var announced = 0

    /// Counts a record.
    ///
    /// - Returns: the number of names, if it is to be announced: at the first crowd, and whenever it has doubled.
    mutating func insert(_ name: String) -> Int? {
        names[name, default: 0] += 1
        guard names.count >= max(Self.least, 2 * announced) else { return nil }
        announced = names.count
        return announced
    }

    mutating func remove(_ name: String) {
        let count = names[name, default: 1]
        names[name] = count > 1 ? count - 1 : nil
    }
}
