import PortolanConcurrency
import PortolanFiles
import PortolanProtocol
import PortolanTransport

/// Shelf of a process that stores the items itself, each under an identifier that outlives the process.
extension Node {
    /// Converts an item to a form that another process can share, bound to the current files and folders of its paths.
    ///
    /// - Throws: `NodeError` for content that can be read only once or that a program makes, and for a path that leads
    ///   nowhere or is no text; `StoreError`.
    package func kept(_ item: Item) async throws -> KeptItem {
        try await withBlockingThread {
            try environment.confirmNotOwn([item])
            let forms = try environment.resolved([item])[0].representations.map { try KeptItem.Form($0, of: item) }
            guard (1...Limits.representations).contains(forms.count) else {
                throw NodeError(
                    .badInput,
                    "“\(DisplayText(item.title, limit: 100))” has \(forms.count) forms, and an item has 1 to "
                        + "\(Limits.representations).")
            }
            return KeptItem(title: item.givenTitle, forms: forms, preview: item.preview.map(ParcelPreview.init))
        }
    }

    /// Makes an item of a kept item, and reads the state of its files.
    ///
    /// A file that is unreadable now, for example on an unmounted disk, fails when a peer fetches it.
    ///
    /// - Throws: `FileError` of the kind `sourceChanged` if one of the files was replaced, or `tooManyOpenFiles`;
    ///   `NodeError` for an invalid preview.
    package func open(_ item: KeptItem) async throws -> Item {
        try await withBlockingThread {
            let preview = try item.preview.map { preview throws(NodeError) in try preview.opened() }
            return try Item(
                title: item.title, representations: item.forms.map { $0.representation() }, preview: preview
            ).refreshed()
        }
    }

    /// Puts an item on the shelf: peers list and fetch it while ``serveShelf()`` runs, until it is taken off. Does
    /// nothing if it is already on the shelf.
    ///
    /// - Parameter events: called with each event of the item, from any thread; must return quickly.
    package func putOnShelf(
        _ item: Item, as id: ItemID, events: @escaping @Sendable (ShareEvent) -> Void
    ) {
        shelf.put(item, as: id, events: events)
    }

    /// Takes items off the shelf. Running fetches continue.
    package func takeOffShelf(_ ids: [ItemID]) { shelf.withdraw(ids) }

    /// Answers lists and requests of peers until the task is cancelled. Events of the node itself go to its running
    /// receptions.
    ///
    /// - Throws: `NodeError` when the port cannot be used; `StoreError`.
    package func serveShelf() async throws { try await service.share { _ in } }

    /// Names of this device's teams.
    package func teamNames() async throws -> [TeamID: TeamName] {
        try await withLookupThread { try store.teams.names() }
    }

    /// Returns copies of the items whose forms are restricted to a team or group, unless a form names another audience.
    ///
    /// - Throws: `NodeError` if there is no such team or group; `StoreError`.
    package func items(_ items: [Item], for target: TeamTarget) async throws -> [Item] {
        try await self.items(items, forTeam: target.team.text, group: target.group)
    }

    /// Returns copies of the items as ``items(_:for:)`` does: what goes to a team is for the team.
    func items(_ items: [Item], forTeam team: String, group: GroupName?) async throws -> [Item] {
        let isOpen = items.contains { $0.representations.contains { $0.requested == .level(.all) } }
        guard isOpen else { return items }
        let audience = try await audience(team: team, groups: group.map { [$0] } ?? [])
        return items.requesting(.exactly(Restriction(group == nil ? .team : .group, for: audience)))
    }
}

extension [Item] {
    /// Copies whose forms for everybody are restricted so. `.exactly(.everyone)` has them stay so where a team is sent
    /// to.
    package func requesting(_ restriction: RequestedRestriction) -> [Item] {
        map { item in
            var item = item
            for form in item.representations.indices where item.representations[form].requested == .level(.all) {
                item.representations[form].requested = restriction
            }
            return item
        }
    }
}

extension KeptItem.Form {
    /// May block.
    ///
    /// - Throws: `NodeError` for content that another process could not have.
    fileprivate init(_ resolved: ResolvedRepresentation, of item: Item) throws(NodeError) {
        let representation = resolved.representation
        let content: ParcelForm.Content
        if let data = representation.heldData {
            content = .data(data)
            source = nil
        } else if let path = representation.sourcePath {
            let held = try Self.held(path)
            guard let resolved = held.resolvedPath else {
                throw NodeError(.badInput, "The path “\(DisplayText(path, limit: 1024))” is no text.")
            }
            content = .path(resolved)
            source = held
        } else {
            throw NodeError(
                .badInput,
                "“\(DisplayText(item.title, limit: 100))” cannot be kept: it can be read only once, or is made when it is sent."
            )
        }
        form = ParcelForm(
            type: representation.contentType, name: representation.suggestedName,
            isFolder: source?.isFolder ?? representation.isFolder, restriction: resolved.restriction, content: content)
    }

    private static func held(_ path: String) throws(NodeError) -> HeldSource {
        let whole = try translating(WorkingFolder.absolute(path)) { (error: WorkingFolderError) in
            NodeError(.noInput, error.description)
        }
        return try translating(HeldSource(path: whole)) { (error: FileError) in NodeError(.noInput, error.description) }
    }

    /// May block.
    fileprivate func representation() -> ItemRepresentation {
        switch (form.content, source) {
        case (.path(let path), let source?):
            .held(
                source.renumbered(), at: path, contentType: form.type, requested: .exactly(form.restriction),
                suggestedName: form.name)
        case (.data(let data), _):
            .data(
                data, contentType: form.type, requested: .exactly(form.restriction), suggestedName: form.name)
        case (.path, nil): preconditionFailure("A form that is a file has its source")
        }
    }
}
