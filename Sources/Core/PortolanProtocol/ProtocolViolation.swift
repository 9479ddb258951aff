import PortolanValues

/// Violation of the protocol by the peer. The session ends; later messages of the peer are ignored.
///
/// The sentence is for people on this side. Only `closeCode` is sent, so that the description reveals nothing to the
/// peer.
public struct ProtocolViolation: Error, Hashable, Sendable, CustomStringConvertible {
    /// Kind of rule that was broken.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Bytes that are no message, record or field of this version of the protocol.
        case malformed
        /// More, longer or deeper than the limits allow.
        case limit
        /// A message that is not allowed at this time, or that contradicts an earlier one in offsets, sizes or totals.
        case unexpected
        /// An item or representation that was not offered.
        case badIndex
    }

    public let kind: Kind
    /// Sentence for people, safe to show: quotes of the peer went through `DisplayText`.
    public let sentence: String

    public var description: String { sentence }

    package init(_ kind: Kind, _ sentence: String) {
        self.kind = kind
        self.sentence = sentence
    }

    /// Throws a violation unless a rule is kept.
    package static func check(_ isKept: Bool, _ kind: Kind, _ sentence: @autoclosure () -> String)
        throws(ProtocolViolation)
    {
        if !isKept { throw ProtocolViolation(kind, sentence()) }
    }

    /// Throws a violation of kind `unexpected` unless a rule is kept.
    package static func check(_ isKept: Bool, _ sentence: @autoclosure () -> String) throws(ProtocolViolation) {
        try check(isKept, .unexpected, sentence())
    }

    /// Code that the peer is sent before the connection ends.
    package var closeCode: CloseCode {
        switch kind {
        case .badIndex: .badIndex
        case .limit: .limit
        case .malformed, .unexpected: .protocolViolation
        }
    }
}

/// A value that cannot be part of a message: too long, too many, or in an invalid form.
///
/// Local code that builds offers gets this error; in a peer's message it becomes a `ProtocolViolation`.
public struct InvalidValue: Error, Hashable, Sendable, CustomStringConvertible {
    /// True if a limit was exceeded by a value that is valid otherwise.
    public let isLimit: Bool
    /// Sentence for people, safe to show.
    public let sentence: String

    public var description: String { sentence }

    package init(_ sentence: String, isLimit: Bool = false) {
        self.isLimit = isLimit
        self.sentence = sentence
    }

    package static func limit(_ sentence: String) -> InvalidValue { InvalidValue(sentence, isLimit: true) }

    var violation: ProtocolViolation { ProtocolViolation(isLimit ? .limit : .malformed, sentence) }
}

extension InvalidValue {
    static func check(_ isValid: Bool, _ sentence: @autoclosure () -> String) throws(InvalidValue) {
        if !isValid { throw InvalidValue(sentence()) }
    }

    static func check(_ isWithin: Bool, limit sentence: @autoclosure () -> String) throws(InvalidValue) {
        if !isWithin { throw .limit(sentence()) }
    }

    /// Checks a text of at most `maximum` bytes. Its content is not judged: it is shown through `DisplayText`, always.
    static func checkText(_ text: String, _ what: String, maximum: Int = Limits.text) throws(InvalidValue) {
        try InvalidValue.check(
            text.utf8.count <= maximum, limit: "\(what) has at most \(maximum) bytes; this one has \(text.utf8.count).")
    }

    /// Identifiers and tags are shown, compared and used in file names, so they contain no spaces, invisible characters
    /// or paths.
    static func checkToken(_ token: String, _ what: String, slashes: Bool = false) throws(InvalidValue) {
        guard !token.isEmpty else { throw InvalidValue("\(what) cannot be empty.") }
        try checkText(token, what, maximum: Limits.identifier)
        let isPlain = token.unicodeScalars.allSatisfy { scalar in
            !DisplayText.isHarmful(scalar) && !scalar.properties.isWhitespace && (slashes || scalar != "/")
        }
        try InvalidValue.check(
            isPlain, "\(what) cannot hold spaces, slashes or invisible characters: “\(DisplayText(token))”")
    }

    static func checkName(_ name: [UInt8]) throws(InvalidValue) {
        try InvalidValue.check(
            name.count <= Limits.name, limit: "A name has at most \(Limits.name) bytes; this one has \(name.count).")
    }

    static func checkSize(_ size: UInt64?, _ what: String) throws(InvalidValue) {
        if let size, size > Limits.size { throw .limit("\(what) of \(size) bytes is more than any file can have.") }
    }

    static func checkCount(_ count: Int, _ what: String, maximum: Int) throws(InvalidValue) {
        guard count <= maximum else { throw .limit("At most \(maximum) \(what) are allowed; here are \(count).") }
    }
}
