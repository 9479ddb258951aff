extension AgentAPI {
    /// Reason why a request failed: a problem document (RFC 9457).
    public struct Problem: Error, Codable, Hashable, Sendable, CustomStringConvertible {
        /// `urn:portolan:problem:` and a name.
        public var type: String
        public var title: String
        /// Status of HTTP.
        public var status: Int
        /// A sentence for a person.
        public var detail: String
        /// Oldest kept cursor, for a request of an older one.
        public var oldest: Int64?

        public var description: String { detail }

        public init(_ name: String, _ status: Int, title: String, detail: String, oldest: Int64? = nil) {
            type = "urn:portolan:problem:\(name)"
            self.title = title
            self.status = status
            self.detail = detail
            self.oldest = oldest
        }
    }
}

extension AgentAPI.Problem {
    /// The request does not have the form that the API describes.
    public static func malformed(_ detail: String) -> Self {
        Self("malformed", 400, title: "Malformed request", detail: detail)
    }

    public static func notFound(_ detail: String) -> Self { Self("not-found", 404, title: "Not found", detail: detail) }

    /// The state of the object does not allow the step.
    public static func conflict(_ detail: String) -> Self { Self("conflict", 409, title: "Conflict", detail: detail) }

    /// The request is well formed, but impossible.
    public static func invalid(_ detail: String) -> Self {
        Self("invalid", 422, title: "Invalid request", detail: detail)
    }

    /// Entries behind the cursor are no longer kept.
    public static func gone(oldest: Int64) -> Self {
        Self(
            "cursor-gone", 410, title: "Cursor gone",
            detail: "Entries behind this cursor are no longer kept. The oldest entry is \(oldest).", oldest: oldest)
    }

    /// The cursor is beyond the last entry, so it belongs to another journal.
    public static func unknownCursor(newest: Int64) -> Self {
        Self(
            "cursor-unknown", 410, title: "Cursor of another journal",
            detail: "This cursor is not of this journal, whose newest entry is \(newest).")
    }

    /// The agent cannot carry out the request at present, for example because its state cannot be written.
    public static func unavailable(_ detail: String) -> Self {
        Self("unavailable", 503, title: "Unavailable", detail: detail)
    }
}
