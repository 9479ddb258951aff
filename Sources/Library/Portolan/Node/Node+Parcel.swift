import PortolanConcurrency
import PortolanFiles
import PortolanProtocol
import PortolanTransport

/// Unsettled items of a parcel, with the state of their files when the parcel was opened.
public struct ParcelContents: Sendable {
    public let parcel: Parcel
    public let items: [Item]
    /// Numbers of the items in the parcel.
    let numbers: [Int]
}

extension Node {
    /// Makes a parcel of items. A later change of the default team does not change their audience.
    ///
    /// Forms for everybody are restricted to the team or group that `target` names, as in
    /// ``send(_:toTeam:group:options:events:)``.
    ///
    /// - Parameter target: the receiver as `find(_:)` takes it, or a team.
    /// - Throws: `NodeError` for content that can be read only once or that a program makes, for a path that leads
    ///   nowhere, and for more than a parcel holds; `StoreError`.
    public func parcel(
        _ items: [Item], to target: String, options: ParcelOptions = ParcelOptions()
    ) async throws -> Parcel {
        let team = TeamTarget.names(target) ? try TeamTarget(of: ParcelTarget(target)) : nil
        let items = if let team { try await self.items(items, for: team) } else { items }
        return try await withBlockingThread {
            try environment.confirmNotOwn(items)
            var previews: [CandidatePreview] = []
            let parts = try environment.resolved(items).map { item in
                ParcelItem(
                    title: item.givenTitle, forms: try item.representations.map { try ParcelForm($0, of: item) },
                    preview: item.preview.map { preview in
                        if let known = previews.firstIndex(of: preview) { return known }
                        previews.append(preview)
                        return previews.count - 1
                    })
            }
            do throws(ParcelError) {
                let parcel = try Parcel(
                    id: .random(),
                    created: Date(timeIntervalSince1970: runtime.date.timeIntervalSince1970.rounded(.down)),
                    target: ParcelTarget(target), items: parts, previews: previews.map(ParcelPreview.init),
                    options: options)
                // A parcel that could not be read again is an error here, and not when it is resumed.
                if !parcel.isSmall { _ = try parcel.document() }
                return parcel
            } catch {
                throw NodeError(.badInput, error.description)
            }
        }
    }

    /// Opens a parcel: reads the state of the files of its unsettled items. An item of a team's parcel is settled once
    /// it is settled for every member.
    ///
    /// - Throws: `NodeError` for a file that is missing, cannot be read, or has become a folder.
    public func open(_ parcel: Parcel) async throws -> ParcelContents {
        try await withBlockingThread {
            let settlements = settlementsByReceiver(of: parcel)
            let numbers = parcel.items.indices.filter { number in settlements.contains { $0[number] == nil } }
            let previews = try parcel.previews.map { preview throws(NodeError) in try preview.opened() }
            let items = try numbers.map { number in
                let item = parcel.items[number]
                return Item(
                    title: item.title, representations: try item.forms.map { try $0.representation() },
                    preview: item.preview.map { previews[$0] })
            }
            return ParcelContents(parcel: parcel, items: items, numbers: numbers)
        }
    }

    /// Settled items of a parcel, for each of its receivers. May block.
    private func settlementsByReceiver(of parcel: Parcel) -> [[Int: ParcelSettlement]] {
        guard TeamTarget.names(parcel.target.text) else { return [parcel.settled] }
        // The sending reports why the team cannot be sent to.
        guard let target = try? TeamTarget.parse(parcel.target.text),
            let members = try? otherMembers(ofTeam: target.team.text, group: target.group)
        else { return [[:]] }
        return members.map { parcel.settledByMember[$0.key.fingerprint] ?? [:] }
    }

    /// Binds a parcel to the key that its target means here, if that is known already: a fingerprint, the name of a
    /// device that this one knows, or that of the host of its only contact there. A device that only takes the name
    /// does not get it.
    ///
    /// - Throws: `StoreError`
    package func bind(_ parcel: inout Parcel) async throws {
        guard !parcel.target.isTeam, case .found(let text) = Target(parcel.target.text) else { return }
        if let key = try await environment.neighbourhood.key(meantBy: text) { parcel.meet(key) }
    }

    /// Finds the receiver of a parcel: the peer that its target names, or after the first session, the peer with the
    /// key of that session.
    ///
    /// - Throws: `NodeError` when there is none in `Configuration.findWait`, or more than one.
    public func find(_ target: ParcelTarget) async throws -> Peer {
        guard let fingerprint = target.fingerprint else { return try await find(target.text) }
        guard case .address = Target(target.text) else { return try await find(fingerprint.description) }
        return try await find(target.text).requiring(fingerprint)
    }

    /// Sends the unsettled items of a parcel, like ``send(_:to:options:batch:events:)``. Items are numbered as in the
    /// parcel.
    ///
    /// - Parameter defaults: values of options that the parcel does not contain.
    /// - Returns: outcomes of the items that were not settled.
    /// - Throws: `NodeError` when no session comes about or it breaks for good, `CancellationError`.
    @discardableResult
    public func send(
        _ contents: ParcelContents, to peer: Peer, options defaults: SendOptions = SendOptions(),
        events: @escaping @Sendable (SendEvent) -> Void = { _ in }
    ) async throws -> [Delivery] {
        guard !contents.items.isEmpty else { return [] }
        return try await send(
            contents.items, numbered: contents.numbers, of: contents.parcel.id, to: peer,
            options: contents.parcel.options.sendOptions(over: defaults), events: events)
    }

    /// Members of the team or group that a target names, without this device.
    ///
    /// - Throws: `NodeError` if it names no team of this device, it has no other member, or it cannot be sent to;
    ///   `StoreError`.
    package func members(of target: ParcelTarget) async throws -> [Member] {
        let team = try TeamTarget(of: target)
        return try await withLookupThread { try otherMembers(ofTeam: team.team.text, group: team.group) }
    }

    /// Sends one member the items of a team's parcel that are not settled for that member, like
    /// ``send(_:to:options:events:)`` .
    ///
    /// - Throws: the same errors, and `NodeError` for a device that is not in the team.
    package func send(
        _ contents: ParcelContents, toMember fingerprint: Fingerprint, options defaults: SendOptions = SendOptions(),
        events: @escaping @Sendable (SendEvent) -> Void = { _ in }
    ) async throws -> [Delivery] {
        let parcel = contents.parcel
        guard try await members(of: parcel.target).contains(where: { $0.key.fingerprint == fingerprint }) else {
            throw NodeError(.notTrusted, "The device is no member of \(DisplayText(parcel.target.text)) any more.")
        }
        let settled = parcel.settledByMember[fingerprint] ?? [:]
        let places = contents.numbers.indices.filter { settled[contents.numbers[$0]] == nil }
        let rest = ParcelContents(
            parcel: parcel, items: places.map { contents.items[$0] }, numbers: places.map { contents.numbers[$0] })
        return try await send(rest, to: find(fingerprint.description), options: defaults, events: events)
    }

    /// Sends each member the items of a team's parcel that are not settled for that member, like
    /// ``send(_:toTeam:group:options:events:)``. Items are numbered as in the parcel.
    ///
    /// - Parameter defaults: values of options that the parcel does not contain.
    /// - Returns: one result for each of these members, in the order of the roster.
    /// - Throws: the same errors, and `NodeError` for a parcel that goes to no team.
    @discardableResult
    public func sendToTeam(
        _ contents: ParcelContents, options defaults: SendOptions = SendOptions(),
        events: @escaping @Sendable (Member, SendEvent) -> Void = { _, _ in }
    ) async throws -> [MemberDelivery] {
        let target = try TeamTarget(of: contents.parcel.target)
        return try await send(
            contents.items, numbered: contents.numbers, settled: contents.parcel.settledByMember,
            toTeam: target.team.text, group: target.group, options: contents.parcel.options.sendOptions(over: defaults),
            events: events)
    }
}

extension TeamTarget {
    /// - Throws: `NodeError` for a parcel that goes to no team.
    fileprivate init(of target: ParcelTarget) throws(NodeError) {
        self = try translating(Self.parse(target.text)) { (error: ValueError) in
            NodeError(.badInput, error.description)
        }
    }
}

extension Peer {
    /// Copy of the place that accepts only this key.
    fileprivate func requiring(_ fingerprint: Fingerprint) -> Peer {
        var peer = Peer(
            name: name, fingerprint: fingerprint, addresses: addresses, foundBy: foundBy, places: places)
        peer.isChosenByKey = true
        return peer
    }
}

extension ParcelForm {
    /// May block.
    ///
    /// - Throws: `NodeError` for content that another process could not have.
    fileprivate init(_ resolved: ResolvedRepresentation, of item: ResolvedItem) throws(NodeError) {
        let representation = resolved.representation
        let content: Content
        var held: HeldSource?
        if let data = representation.heldData {
            content = .data(data)
        } else if let known = representation.held?.underItsResolvedPath {
            content = .path(known.path)
            held = known
        } else if let path = representation.sourcePath {
            let text = try Self.text(ofResolved: path)
            content = .path(text)
            held = try Self.held(text).underItsResolvedPath
        } else {
            throw NodeError(
                .badInput,
                "“\(DisplayText(item.title, limit: 100))” cannot be kept to be sent later: it can be read only once, or is made "
                    + "when it is sent.")
        }
        self.init(
            type: representation.contentType, name: representation.suggestedName, isFolder: representation.isFolder,
            restriction: resolved.restriction, content: content, held: held)
    }

    private static func held(_ path: String) throws(NodeError) -> HeldSource {
        try translating(HeldSource(path: path)) { (error: FileError) in NodeError(.noInput, error.description) }
    }

    private static func text(ofResolved path: String) throws(NodeError) -> String {
        let resolved = try translating(SourcePath.resolved(path)) { (error: FileError) in
            NodeError(.noInput, error.description)
        }
        return PathText.text(of: resolved)
    }

    /// Makes the representation, and reads the state of its file if it has one. May block.
    ///
    /// - Throws: `NodeError` if the file is missing or of another kind.
    fileprivate func representation() throws(NodeError) -> ItemRepresentation {
        switch content {
        case .data(let data):
            return .data(data, contentType: type, requested: .exactly(restriction), suggestedName: name)
        case .path(let path):
            var found = try ItemRepresentation.file(at: path, contentType: type, requested: .exactly(restriction))
            guard found.isFolder == isFolder else {
                let (then, now) = isFolder ? ("folder", "file") : ("file", "folder")
                var error = NodeError(
                    .noInput,
                    "“\(DisplayText(path, limit: 1024))” was a \(then) when it was to be sent, and is a \(now) now. Send it anew."
                )
                error.isOfReplacedSource = true
                throw error
            }
            found.suggestedName = name
            guard let held else { return found }
            do throws(FileError) {
                return try found.holding(held.renumbered()).refreshed()
            } catch let failure {
                var error = NodeError(.noInput, failure.description)
                error.isOfReplacedSource = failure.kind == .sourceChanged
                throw error
            }
        }
    }
}
