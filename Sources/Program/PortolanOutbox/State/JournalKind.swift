import Foundation

/// Kind of an entry. New kinds are constants in an extension.
///
/// These kinds are not those of `NodeEvent`, which are output of a running command. An entry is stored, has a cursor,
/// and reports changes of the agent's state, such as those of outbox and policy, which no command has. Its body may get
/// more fields later, so that programs must ignore unknown ones, while the fields of a `NodeEvent` are fixed.
package struct JournalKind: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package static let outboxQueued = JournalKind(rawValue: "outbox.queued")
    package static let outboxStarted = JournalKind(rawValue: "outbox.started")
    package static let outboxSettled = JournalKind(rawValue: "outbox.settled")
    package static let outboxWaiting = JournalKind(rawValue: "outbox.waiting")
    package static let outboxDelivered = JournalKind(rawValue: "outbox.delivered")
    package static let outboxFailed = JournalKind(rawValue: "outbox.failed")
    package static let outboxExpired = JournalKind(rawValue: "outbox.expired")
    package static let outboxCancelled = JournalKind(rawValue: "outbox.cancelled")
    package static let outboxRetried = JournalKind(rawValue: "outbox.retried")
}

/// Value in the body of an entry.
package enum JournalValue: Encodable, Hashable, Sendable {
    case text(String)
    case texts([String])
    case number(Int64)
    case date(Date)
    /// Absent value, omitted from the body.
    case absent

    package init(_ text: String?) { self = text.map { .text($0) } ?? .absent }
    package init(_ date: Date?) { self = date.map { .date($0) } ?? .absent }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .texts(let texts): try container.encode(texts)
        case .number(let number): try container.encode(number)
        case .date(let date): try container.encode(date)
        case .absent: try container.encodeNil()
        }
    }
}
