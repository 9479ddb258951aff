import Foundation
import PortolanValues
import SwiftProtobuf

// Offer message: the items that the sender shows. Its domain types are beside this file; this is how they travel.

extension Offer {
    init(_ wire: WireOffer) throws(InvalidValue) {
        try InvalidValue.checkCount(wire.items.count, "items of one offer", maximum: Limits.items)
        var items: [OfferedItem] = []
        for item in wire.items { items.append(try OfferedItem(item)) }
        try self.init(
            id: wire.offerID, items: items, request: wire.hasRequestID ? wire.requestID : nil,
            parcel: Self.parcel(wire.parcel))
    }

    var wire: WireOffer {
        .with {
            $0.offerID = id
            $0.items = items.map(\.wire)
            if let request { $0.requestID = request }
            if let parcel { $0.parcel = withUnsafeBytes(of: parcel.bigEndian) { Data($0) } }
        }
    }

    /// Size of the control record that holds the offer, in bytes.
    var encodedSize: Int {
        do {
            let bytes: [UInt8] = try WireControlMessage.with { $0.offer = wire }.serializedBytes()
            return bytes.count
        } catch {
            // The schema has no value that serialization refuses, as for every message.
            preconditionFailure("An offer cannot be serialized: \(error)")
        }
    }

    private static func parcel(_ wire: Data) throws(InvalidValue) -> UInt128? {
        guard !wire.isEmpty else { return nil }
        try InvalidValue.check(wire.count == 16, "The identifier of a parcel has 16 bytes; this one has \(wire.count).")
        return wire.reduce(0) { $0 << 8 | UInt128($1) }
    }
}

extension OfferedItem {
    init(_ wire: WireItem) throws(InvalidValue) {
        try InvalidValue.checkCount(
            wire.representations.count, "representations of one item", maximum: Limits.representations)
        var representations: [OfferedRepresentation] = []
        for representation in wire.representations { representations.append(try OfferedRepresentation(representation)) }
        try self.init(
            title: wire.title, representations: representations,
            preview: wire.hasPreview ? ItemPreview(wire.preview) : nil,
            inline: wire.hasInline ? InlineContent(wire.inline) : nil,
            parcelItem: wire.parcelItem == 0 ? nil : wire.parcelItem)
    }

    var wire: WireItem {
        .with {
            $0.title = title
            $0.representations = representations.map(\.wire)
            if let preview { $0.preview = preview.wire }
            if let inline { $0.inline = inline.wire }
            if let parcelItem { $0.parcelItem = parcelItem }
        }
    }
}

extension InlineContent {
    init(_ wire: WireInlineContent) throws(InvalidValue) {
        try self.init(
            representation: Int(wire.representation), name: Array(wire.name),
            requirements: Fidelity(wire.require), content: wire.content)
    }

    var wire: WireInlineContent {
        .with {
            $0.representation = UInt32(representation)
            $0.name = Data(name)
            $0.require = requirements.wire
            $0.content = content
        }
    }
}

extension ItemPreview {
    init(_ wire: WirePreview) throws(InvalidValue) {
        try self.init(
            message: wire.message, image: wire.hasImage ? Picture(wire.image) : nil,
            icon: wire.hasIcon ? Picture(wire.icon) : nil)
    }

    var wire: WirePreview {
        .with {
            $0.message = message
            if let image { $0.image = image.wire }
            if let icon { $0.icon = icon.wire }
        }
    }
}

extension ItemPreview.Picture {
    init(_ wire: WirePicture) throws(InvalidValue) {
        try self.init(type: wire.type, data: wire.data)
    }

    var wire: WirePicture {
        .with {
            $0.type = type
            $0.data = data
        }
    }
}

extension OfferedRepresentation {
    init(_ wire: WireRepresentation) throws(InvalidValue) {
        try self.init(
            type: OfferedType(wire.type),
            restriction: Restriction(wire),
            channel: Channel(wire.channel),
            size: wire.hasSize ? wire.size : nil,
            apparentSize: wire.hasApparentSize ? wire.apparentSize : nil,
            estimatedSize: wire.hasEstimatedSize ? wire.estimatedSize : nil,
            suggestedName: wire.hasSuggestedName ? wire.suggestedName : nil,
            isFolder: wire.folder,
            source: Array(wire.source))
    }

    var wire: WireRepresentation {
        .with {
            $0.type = type.wire
            $0.visibility = restriction.visibility.wire
            if let audience = restriction.audience { $0.audience = audience.wire }
            $0.channel = channel.wire
            if let size { $0.size = size }
            if let apparentSize, apparentSize != size { $0.apparentSize = apparentSize }
            if let estimatedSize { $0.estimatedSize = estimatedSize }
            if let suggestedName { $0.suggestedName = suggestedName }
            $0.folder = isFolder
            $0.source = Data(source)
        }
    }
}

extension OfferedType {
    init(_ wire: WireContentType) throws(InvalidValue) {
        try self.init(
            identifier: wire.identifier, ancestors: wire.ancestors, extensions: wire.extensions,
            mimeTypes: wire.mimeTypes, description: wire.hasDescription_p ? wire.description_p : nil)
    }

    var wire: WireContentType {
        .with {
            $0.identifier = identifier
            $0.ancestors = ancestors
            $0.extensions = extensions
            $0.mimeTypes = mimeTypes
            if let description { $0.description_p = description }
        }
    }
}

extension Restriction {
    /// - Throws: `InvalidValue` for a level and an audience that do not fit together: neither is ever guessed.
    init(_ wire: WireRepresentation) throws(InvalidValue) {
        let visibility = try Visibility(wire.visibility)
        let audience = wire.hasAudience ? try Audience(wire.audience, of: wire.visibility) : nil
        switch (visibility, audience) {
        case (.all, nil), (.ownProcess, nil), (.team, .some): break
        case (.group, let audience?) where !audience.groups.isEmpty: break
        case (.all, _), (.ownProcess, _): throw InvalidValue("Only a level of team or group has an audience.")
        case (.team, _), (.group, nil):
            throw InvalidValue("A representation is for a team, and does not say for which.")
        case (.group, _): throw InvalidValue("A representation is for groups, and names none.")
        }
        self.init(visibility, for: audience)
    }
}

extension Visibility: WireValue {
    typealias Wire = WireVisibility

    /// Parses a visibility; an unknown value is refused, since it must not become less secret.
    init(_ wire: WireVisibility) throws(InvalidValue) {
        guard let known = Self(known: wire) else {
            throw InvalidValue("A representation has a visibility that this version does not know.")
        }
        self = known
    }
}

extension Audience {
    init(_ wire: WireAudience, of visibility: WireVisibility) throws(InvalidValue) {
        try InvalidValue.check(visibility == .group || wire.groups.isEmpty, "What is for no group names groups.")
        try InvalidValue.checkCount(wire.groups.count, "groups of one audience", maximum: Self.maximumGroups)
        try self.init(team: TeamID(wire: wire.team), groupsOfPeer: wire.groups)
    }

    /// Takes an audience that a peer names.
    ///
    /// - Parameter names: of groups, as many as an audience may have.
    init(team: TeamID, groupsOfPeer names: [String]) throws(InvalidValue) {
        var groups: [GroupName] = []
        for group in names {
            try InvalidValue.checkText(group, "The name of a group", maximum: RosterNameError.maximumBytes)
            do {
                groups.append(try GroupName(group))
            } catch {
                throw InvalidValue("An audience names a group that can be none: \(error)")
            }
        }
        try InvalidValue.check(Set(groups).count == groups.count, "An audience names one group twice.")
        do {
            try self.init(team: team, groups: groups)
        } catch {
            throw .limit("\(error)")
        }
    }

    var wire: WireAudience {
        .with {
            $0.team = team.wire
            $0.groups = groups.map(\.text)
        }
    }
}

extension Channel: WireValue {
    typealias Wire = WireChannel
    static let firstNumber = 1

    init(_ wire: WireChannel) throws(InvalidValue) {
        guard let known = Self(known: wire) else {
            throw InvalidValue("A representation names no channel that this version knows.")
        }
        self = known
    }
}
