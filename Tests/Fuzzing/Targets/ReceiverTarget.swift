import PortolanProtocol

extension FuzzTarget {
    /// Whole sessions of a receiver with a folder on a disk. The input gives the sender's messages, data and lane
    /// records, in any order; sessions break, and later ones resume.
    static let receiver = FuzzTarget("receiver", longest: 8192) { input in
        Scratch.with { path in
            for _ in 0..<3 where !input.isEmpty {
                let session = ReceivingSession(into: path, choices: input.piece())
                session.run(&input)
            }
        }
    }
}
