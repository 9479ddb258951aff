extension RandomAccessCollection where Index == Int {
    /// Position of the first element that `isBefore` does not hold for; it holds for all elements before that, and for
    /// none after it.
    @inlinable
    package func partitionPoint(past isBefore: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
