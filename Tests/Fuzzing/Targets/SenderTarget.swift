import PortolanProtocol

extension FuzzTarget {
    /// Whole sessions of a sender, whose receiver says what the input says at any moment.
    static let sender = FuzzTarget("sender", longest: 8192) { input in
        let session = SendingSession(choices: input.piece())
        session.run(&input)
    }
}
