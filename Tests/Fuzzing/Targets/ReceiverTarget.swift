import PortolanProtocol

extension FuzzTarget {
    /// Whole sessions of a receiver with a folder on a disk, whose sender says what the input says: messages, data, and what comes on
    /// lanes, in any order; sessions that break off, and others that go on where they ended.
    static let receiver = FuzzTarget("receiver", longest: 8192) { input in
        Scratch.with { path in
            for _ in 0..<3 where !input.isEmpty {
                let session = ReceivingSession(into: path, choices: input.piece())
                session.run(&input)
            }
        }
    }
}
