import PortolanCrypto

/// Small files that are compared, many at a time.
extension IncomingTree {
    /// Claims the first blocks of consecutive files that are to be compared, and nothing else of them.
    ///
    /// - Parameter digests: one for each file, one behind the other.
    /// - Returns: the messages to send, about those files that are not over already.
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
