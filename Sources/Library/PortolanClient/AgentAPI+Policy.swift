import Foundation

extension AgentAPI {
    /// The policy in force.
    public struct Policy: Codable, Hashable, Sendable {
        public var path: String
        /// Text of the active policy; nil if there is no file.
        public var text: String?
        public var loaded: Date
        /// Number of rules.
        public var rules: Int
        /// Reasons why a newer file was not loaded, one sentence each.
        public var problems: [String]

        public init(path: String, text: String?, loaded: Date, rules: Int, problems: [String] = []) {
            self.path = path
            self.text = text
            self.loaded = loaded
            self.rules = rules
            self.problems = problems
        }
    }

    /// A policy to check.
    public struct PolicyText: Codable, Hashable, Sendable {
        /// Text; nil for the file on disk.
        public var text: String?

        public init(text: String? = nil) { self.text = text }
    }

    /// Result of a check: the policy can be loaded if there are no problems.
    public struct PolicyCheck: Codable, Hashable, Sendable {
        public var path: String?
        /// Problems with their lines, one sentence each.
        public var problems: [String]

        /// Remarks about a policy that can be loaded, one sentence each; nil for none.
        public var remarks: [String]?

        public init(path: String? = nil, problems: [String], remarks: [String]? = nil) {
            self.remarks = remarks
            self.path = path
            self.problems = problems
        }
    }

    /// Verdict about one item, with its rule.
    public struct Verdict: Codable, Hashable, Sendable {
        /// A rule that did not match.
        public struct Passed: Codable, Hashable, Sendable {
            public var rule: Int
            public var line: Int
            /// Reason, a clause: “its sender is not laptop”.
            public var reason: String

            public init(rule: Int, line: Int, reason: String) {
                self.rule = rule
                self.line = line
                self.reason = reason
            }
        }

        /// Number of the item in the offer, from 0.
        public var item: Int
        /// `accept`, `ask`, `quarantine` or `decline`.
        public var action: String
        /// Folder of an item that is stored.
        public var into: String?
        /// Number and line of the rule, from 1; nil for the default.
        public var rule: Int?
        public var line: Int?
        /// Earlier rules, which did not match.
        public var passed: [Passed]

        public init(
            item: Int, action: String, into: String? = nil, rule: Int? = nil, line: Int? = nil, passed: [Passed] = []
        ) {
            self.item = item
            self.action = action
            self.into = into
            self.rule = rule
            self.line = line
            self.passed = passed
        }
    }

    public struct Explanation: Codable, Hashable, Sendable {
        public var verdicts: [Verdict]

        public init(verdicts: [Verdict]) { self.verdicts = verdicts }
    }
}
