/// Small files that are compared, many at a time.
extension IncomingTree {
    /// Claims only the first blocks of consecutive files to be compared.
    ///
    /// - Parameter digests: concatenated, one for each file.
    /// - Returns: the messages to send, about those files that are not over yet.
    package mutating func holding(from first: UInt32, digests: [UInt8]) -> [Message.Holding] {
        let all = Self.valid { () throws(InvalidValue) in
            try Message.Holding(transfer: number, first: first, digests: digests)
        }
        let parts = all.parts
        var held: [Message.Holding] = []
        for part in parts {
            let holding = holding(part.index, block: part.block, digests: part.digests, isLast: true)
            if let holding { held.append(holding) }
        }
        // A file that is over leaves a gap, which is rare.
        return held.count == parts.count && held.count > 1 ? [all] : held
    }
}
