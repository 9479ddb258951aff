/// Sessions with several peers.
enum SessionsAtOnce {
    /// Largest number of sessions that are open at once.
    static let most = 8
}

extension Array where Element: Sendable {
    /// Runs `body` for all elements, a few at a time, and gives the results in the order of the elements.
    func concurrently<Result: Sendable>(_ body: @escaping @Sendable (Element) async -> Result) async -> [Result] {
        await withTaskGroup(of: (Int, Result).self) { tasks in
            var results: [Result?] = Array<Result?>(repeating: nil, count: count)
            for (index, element) in enumerated() {
                if index >= SessionsAtOnce.most, let (done, result) = await tasks.next() { results[done] = result }
                tasks.addTask { (index, await body(element)) }
            }
            for await (done, result) in tasks { results[done] = result }
            return results.compactMap(\.self)
        }
    }
}
