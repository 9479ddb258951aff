import PortolanProtocol

extension FuzzTarget {
    /// Whole sessions of a sender, whose receiver's messages come from the input.
    static let sender = FuzzTarget("sender", longest: 8192) { input in
        let session = SendingSession(choices: input.piece())
        session.run(&input)
    }
}
