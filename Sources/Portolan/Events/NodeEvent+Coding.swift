import Foundation
import PortolanTrust

extension NodeEvent: Codable {
    private enum KindKey: String, CodingKey {
        case event
    }

    public var kind: Kind { parts.kind }

    /// The word for the event, and its fields.
    private var parts: (kind: Kind, fields: any Encodable) {
        switch self {
        case .awaiting(let fields): (.awaiting, fields)
        case .code(let fields): (.code, fields)
        case .conforms(let fields): (.conforms, fields)
        case .connected(let fields): (.connected, fields)
        case .contact(let fields): (.contact, fields)
        case .contactForgotten(let fields): (.contactForgotten, fields)
        case .declined(let fields): (.declined, fields)
        case .disconnected(let fields): (.disconnected, fields)
        case .error(let fields): (.error, fields)
        case .failed(let fields): (.failed, fields)
        case .fellBack(let fields): (.fellBack, fields)
        case .fetched(let fields): (.fetched, fields)
        case .found(let fields): (.found, fields)
        case .id(let fields): (.id, fields)
        case .imported(let fields): (.imported, fields)
        case .joined(let fields): (.joined, fields)
        case .listening(let fields): (.listening, fields)
        case .member(let fields): (.member, fields)
        case .note(let fields): (.note, fields)
        case .offer(let fields): (.offer, fields)
        case .paired(let fields): (.paired, fields)
        case .peer(let fields): (.peer, fields)
        case .peerGone(let fields): (.peerGone, fields)
        case .problem(let fields): (.problem, fields)
        case .progress(let fields): (.progress, fields)
        case .quarantined(let fields): (.quarantined, fields)
        case .refused(let fields): (.refused, fields)
        case .renamed(let fields): (.renamed, fields)
        case .representation(let fields): (.representation, fields)
        case .result(let fields): (.result, fields)
        case .resumed(let fields): (.resumed, fields)
        case .retrying(let fields): (.retrying, fields)
        case .settled(let fields): (.settled, fields)
        case .shared(let fields): (.shared, fields)
        case .sharedItem(let fields): (.sharedItem, fields)
        case .started(let fields): (.started, fields)
        case .step(let fields): (.step, fields)
        case .stored(let fields): (.stored, fields)
        case .team(let fields): (.team, fields)
        case .teamChanged(let fields): (.teamChanged, fields)
        case .teamLeft(let fields): (.teamLeft, fields)
        case .transfer(let fields): (.transfer, fields)
        case .transferCancelled(let fields): (.transferCancelled, fields)
        case .transferForgotten(let fields): (.transferForgotten, fields)
        case .type(let fields): (.type, fields)
        case .waiting(let fields): (.waiting, fields)
        case .withdrawn(let fields): (.withdrawn, fields)
        }
    }

    /// Reads an object with the field `event` and those of its kind; passes over others.
    public init(from decoder: any Decoder) throws {
        let kind = try decoder.container(keyedBy: KindKey.self).decode(Kind.self, forKey: .event)
        self =
            switch kind {
            case .awaiting: .awaiting(try Awaiting(from: decoder))
            case .code: .code(try Code(from: decoder))
            case .conforms: .conforms(try Conformance(from: decoder))
            case .connected: .connected(try Connected(from: decoder))
            case .contact: .contact(try ContactState(from: decoder))
            case .contactForgotten: .contactForgotten(try ContactState(from: decoder))
            case .declined: .declined(try Declined(from: decoder))
            case .disconnected: .disconnected(try Disconnected(from: decoder))
            case .error: .error(try Failure(from: decoder))
            case .failed: .failed(try Failed(from: decoder))
            case .fellBack: .fellBack(try FellBack(from: decoder))
            case .fetched: .fetched(try Fetched(from: decoder))
            case .found: .found(try Found(from: decoder))
            case .id: .id(try Identity(from: decoder))
            case .imported: .imported(try Imported(from: decoder))
            case .joined: .joined(try Joined(from: decoder))
            case .listening: .listening(try Listening(from: decoder))
            case .member: .member(try MemberEnd(from: decoder))
            case .note: .note(try Note(from: decoder))
            case .offer: .offer(try Offer(from: decoder))
            case .paired: .paired(try ContactState(from: decoder))
            case .peer: .peer(try PeerState(from: decoder))
            case .peerGone: .peerGone(try PeerGone(from: decoder))
            case .problem: .problem(try Problem(from: decoder))
            case .progress: .progress(try Progress(from: decoder))
            case .quarantined: .quarantined(try Stored(from: decoder))
            case .refused: .refused(try Refused(from: decoder))
            case .renamed: .renamed(try Renamed(from: decoder))
            case .representation: .representation(try Representation(from: decoder))
            case .result: .result(try End(from: decoder))
            case .resumed: .resumed(try Resumed(from: decoder))
            case .retrying: .retrying(try Retrying(from: decoder))
            case .settled: .settled(try Settled(from: decoder))
            case .shared: .shared(try Shared(from: decoder))
            case .sharedItem: .sharedItem(try SharedItemState(from: decoder))
            case .started: .started(try Started(from: decoder))
            case .step: .step(try Note(from: decoder))
            case .stored: .stored(try Stored(from: decoder))
            case .team: .team(try TeamState(from: decoder))
            case .teamChanged: .teamChanged(try TeamChanged(from: decoder))
            case .teamLeft: .teamLeft(try TeamLeft(from: decoder))
            case .transfer: .transfer(try TransferState(from: decoder))
            case .transferCancelled: .transferCancelled(try TransferState(from: decoder))
            case .transferForgotten: .transferForgotten(try TransferState(from: decoder))
            case .type: .type(try TypeState(from: decoder))
            case .waiting: .waiting(try Waiting(from: decoder))
            case .withdrawn: .withdrawn(try Withdrawn(from: decoder))
            }
    }

    public func encode(to encoder: any Encoder) throws {
        let (kind, fields) = parts
        var container = encoder.container(keyedBy: KindKey.self)
        try container.encode(kind, forKey: .event)
        try fields.encode(to: encoder)
    }
}

extension NodeEvent {
    /// The event as one line of JSON (RFC 8259): `event` first, then the fields in alphabetical order. No character of it does harm on a
    /// terminal.
    public var line: String {
        let (kind, fields) = parts
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let object: String
        do {
            object = String(decoding: try encoder.encode(fields), as: UTF8.self)
        } catch {
            // Texts, whole numbers and truth values always encode.
            preconditionFailure("An event could not be encoded: \(error)")
        }
        var line = "{\"event\":\"\(kind.rawValue)\""
        if object != "{}" { line += "," }
        let rest = object.dropFirst()
        if rest.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return line + rest }
        for scalar in rest.unicodeScalars { line.append(written: scalar) }
        return line
    }
}

extension String {
    /// Adds a scalar of JSON text. One that changes how text is shown can only be part of a string there, and is escaped.
    fileprivate mutating func append(written scalar: Unicode.Scalar) {
        guard DisplayText.isHarmful(scalar) || DisplayText.isBlank(scalar) else { return unicodeScalars.append(scalar) }
        // Two units where the scalar is beyond the 16-bit range: JSON escapes are UTF-16.
        for unit in String(scalar).utf16 {
            let digits = String(unit, radix: 16)
            self += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }

    /// Text that came from a peer: controls and the like are escaped visibly, for a program that prints it later.
    package init(peerText text: some StringProtocol) { self = DisplayText(sentence: text, limit: 1024).text }
}
