import Foundation

extension AgentAPI {
    /// State of the agent as a whole.
    public struct Status: Codable, Hashable, Sendable {
        /// Version of the program.
        public var version: String
        public var process: Int32
        public var started: Date
        /// Name and fingerprint of this device.
        public var name: String
        public var fingerprint: String
        /// Folder of the agent's state.
        public var state: String
        /// True if offers are answered; false if the state cannot be written, or no policy is in force.
        public var receiving: Bool
        /// Faults for the user, and folders that stand still; a sentence or two each.
        public var problems: [String]
        public var outbox: Counts
        public var inbox: Counts
        public var journal: JournalRange

        public init(
            version: String, process: Int32, started: Date, name: String, fingerprint: String, state: String,
            receiving: Bool, problems: [String] = [], outbox: Counts = Counts(),
            inbox: Counts = Counts(),
            journal: JournalRange
        ) {
            self.version = version
            self.process = process
            self.started = started
            self.name = name
            self.fingerprint = fingerprint
            self.state = state
            self.receiving = receiving
            self.problems = problems
            self.outbox = outbox
            self.inbox = inbox
            self.journal = journal
        }
    }

    /// Numbers of unsettled entries of a list.
    public struct Counts: Codable, Hashable, Sendable {
        public var waiting: Int
        public var running: Int

        public init(waiting: Int = 0, running: Int = 0) {
            self.waiting = waiting
            self.running = running
        }
    }

    /// Cursors of the oldest and the newest entry that are kept; without entries, `newest` is one less than `oldest`.
    public struct JournalRange: Codable, Hashable, Sendable {
        public var oldest: Int64
        public var newest: Int64

        public init(oldest: Int64, newest: Int64) {
            self.oldest = oldest
            self.newest = newest
        }
    }
}
