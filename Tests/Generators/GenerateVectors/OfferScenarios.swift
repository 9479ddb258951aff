import PortolanProtocol
import PortolanValues

/// Offers with a receiver's accepted types, and the representation of each item that it then takes.
///
/// The receiver knows the types that ship with Portolan, which declare `public.png` an image and no text, and
/// `public.json` text. Types under `com.example` are unknown everywhere.
func negotiationScenarios() throws -> [Scenario] {
    func scenario(
        _ name: String, _ items: [OfferedItem], accept: [String]?, excluding: [Int] = [], choices: [Int?],
        _ comment: String
    ) throws -> Scenario {
        let offer = try Offer(id: 1, items: items)
        return Scenario(
            "negotiation-" + name, kind: "negotiation", comment,
            [
                "offer": hex(Message.offer(offer).encode()), "meaning": Meaning.of(offer),
                "excluding": excluding, "choices": choices.map { $0.map { $0 as Any } ?? "none" },
            ].with("accept", accept))
    }
    let recipe = try OfferedType(
        identifier: "com.example.recipe", ancestors: ["public.json", "public.text", "public.data", "public.item"],
        extensions: ["recipe"], mimeTypes: ["application/vnd.example.recipe"], description: "Recipe")
    let html = try OfferedType(identifier: "public.html", ancestors: ["public.text"])
    let text = try OfferedType(identifier: "public.utf8-plain-text", ancestors: ["public.plain-text", "public.text"])
    let png = try OfferedType(identifier: "public.png", ancestors: ["public.image"])
    let falsePNG = try OfferedType(identifier: "public.png", ancestors: ["public.text", "public.plain-text"])
    let lineage = try OfferedType(identifier: "com.example.photo", ancestors: ["public.png"])
    let stranger = try OfferedType(identifier: "com.example.thing", ancestors: ["com.example.base"])
    func item(_ types: OfferedType...) throws -> OfferedItem {
        var representations: [OfferedRepresentation] = []
        for type in types { representations.append(try OfferedRepresentation(type: type, channel: .data)) }
        return try OfferedItem(title: "item", representations: representations)
    }
    let folder = try OfferedType(identifier: "public.folder", ancestors: ["public.directory", "public.item"])
    let both = try OfferedType(identifier: "com.example.both", ancestors: ["public.image", "com.apple.package"])
    func tree(_ type: OfferedType) throws -> OfferedItem {
        try OfferedItem(
            title: "item", representations: [OfferedRepresentation(type: type, channel: .file, isFolder: true)])
    }
    return [
        try scenario(
            "folder-of-a-type-of-files", [tree(png), tree(both), tree(folder), item(folder)],
            accept: ["public.image", "public.directory"], choices: [nil, nil, 0, nil],
            "A folder is no picture, whatever it says, and a file is no folder."),
        try scenario(
            "first-in-senders-order", [item(html, text)], accept: ["public.plain-text", "public.html"], choices: [0],
            "Both could be taken; the sender's order decides, not the receiver's."),
        try scenario(
            "skips-what-it-cannot", [item(png, html, text)], accept: ["public.plain-text"], choices: [2],
            "The first two are no plain text."),
        try scenario(
            "by-conformance", [item(png)], accept: ["public.image"], choices: [0],
            "A kind of what is accepted is accepted."),
        try scenario(
            "not-upwards", [item(text)], accept: ["public.html"], choices: [nil],
            "What is accepted must be the more general one."),
        try scenario(
            "unknown-type-by-ancestors", [item(recipe)], accept: ["public.json"], choices: [0],
            "Nobody here has heard of a recipe, but it says that it is JSON."),
        try scenario(
            "unknown-type-by-itself", [item(stranger)], accept: ["com.example.thing"], choices: [0],
            "An unknown type is itself, whatever it says about its ancestors."),
        try scenario(
            "unknown-ancestor", [item(stranger)], accept: ["com.example.base"], choices: [0],
            "An ancestor that nobody here has heard of either counts by its name."),
        try scenario(
            "known-ancestor-of-unknown", [item(lineage)], accept: ["public.image"], choices: [0],
            "The sender names only the nearest ancestor; what that is, is known here."),
        try scenario(
            "known-type-redefined", [item(falsePNG)], accept: ["public.text"], choices: [nil],
            "A sender that calls PNG a text: what is known here decides alone."),
        try scenario(
            "known-type-redefined-is-still-itself", [item(falsePNG)], accept: ["public.image"], choices: [0],
            "And it is still an image."),
        try scenario(
            "excluding-what-failed", [item(html, text)], accept: ["public.text"], excluding: [0], choices: [1],
            "The first was tried and could not be had."),
        try scenario(
            "nothing-left", [item(html)], accept: ["public.text"], excluding: [0], choices: [nil],
            "Everything was tried."),
        try scenario("accepts-everything", [item(stranger, png)], accept: nil, choices: [0], "No list: everything."),
        try scenario("accepts-nothing", [item(png)], accept: [], choices: [nil], "An empty list: nothing."),
        try scenario(
            "item-by-item", [item(png), item(html), item(stranger)], accept: ["public.image", "public.html"],
            choices: [0, 0, nil], "Each item is decided for itself."),
    ]
}

/// Parts of a sender's items that a peer is shown.
func visibilityScenarios() throws -> [Scenario] {
    func scenario(
        _ name: String, memberships: [(team: TeamID, groups: [String])] = [], _ candidates: [[Level]], shown: [[Int]],
        _ comment: String
    ) throws -> Scenario {
        var items: [OfferedItem] = []
        for (number, levels) in candidates.enumerated() {
            var representations: [OfferedRepresentation] = []
            for (place, level) in levels.enumerated() {
                let type = try OfferedType(identifier: "com.example.t\(number)-\(place)")
                representations.append(
                    try OfferedRepresentation(
                        type: type, restriction: Restriction(level.visibility, for: level.audience), channel: .data))
            }
            items.append(try OfferedItem(title: "item \(number)", representations: representations))
        }
        // Put together here, not asked of the library.
        var visible: [OfferedItem] = []
        var sources: [[[Int]]] = []
        for (number, places) in shown.enumerated() where !places.isEmpty {
            visible.append(
                try OfferedItem(
                    title: items[number].title, representations: places.map { items[number].representations[$0] }))
            sources.append(places.map { [number, $0] })
        }
        let bytes = visible.isEmpty ? nil : hex(Message.offer(try Offer(id: 1, items: visible)).encode())
        return Scenario(
            "visibility-" + name, kind: "visibility", comment,
            [
                "standing": memberships.map { ["team": hex($0.team.bytes), "groups": $0.groups] as [String: Any] },
                "candidates": zip(items, candidates).map { Meaning.of($0, at: $1.map(\.visibility)) },
                "sources": sources,
            ].with("offer", bytes))
    }
    let (ours, theirs) = (try sampleTeam(1), try sampleTeam(2))
    let team = Level(.team, try Audience(team: ours))
    let group = Level(.group, try Audience(team: ours, groups: [GroupName("design"), GroupName("press")]))
    let all = Level(.all)
    let ownProcess = Level(.ownProcess)
    return [
        try scenario("all", [[all, all]], shown: [[0, 1]], "What everyone may see, everyone sees."),
        try scenario(
            "hidden-first", [[team, all]], shown: [[1]],
            "The hidden one leaves no gap: the second representation has index 0."),
        try scenario(
            "hidden-between", [[all, group, ownProcess, team, all]], shown: [[0, 4]], "Neither in between."),
        try scenario(
            "hidden-item", [[all], [team, group], [all]], shown: [[0], [], [0]],
            "An item of which nothing is visible is not there: the third is item 1."),
        try scenario("nothing", [[team], [ownProcess]], shown: [[], []], "Nothing is visible: there is no offer."),
        try scenario(
            "member", memberships: [(ours, [])], [[all, team, group, ownProcess], [group], [team]],
            shown: [[0, 1], [], [0]], "A member of the team sees what is for the team, and nothing of its groups."),
        try scenario(
            "group-member", memberships: [(ours, ["archive", "Press"])], [[all, team, group, ownProcess], [group]],
            shown: [[0, 1, 2], [0]], "One of the groups named is enough; names alike in case are one."),
        try scenario(
            "other-group", memberships: [(ours, ["archive"])], [[group, team]], shown: [[1]],
            "Another group of the same team is not enough."),
        try scenario(
            "other-team", memberships: [(theirs, ["design"])], [[team, all], [group]], shown: [[1], []],
            "Neither another team, nor a group of the same name in it."),
        try scenario(
            "two-teams", memberships: [(theirs, ["design"]), (ours, ["archive"])], [[team, group]], shown: [[0]],
            "What it is in one team gives it nothing in another."),
        try scenario(
            "no-audience", memberships: [(ours, ["design"])], [[Level(.team), all], [Level(.group)]],
            shown: [[1], []], "What is for a team and names none is for nobody."),
    ]
}

extension Meaning {
    /// Returns the candidate with the given levels: a team level without a team differs from the level for nobody.
    fileprivate static func of(_ item: OfferedItem, at levels: [Visibility]) -> [String: Any] {
        var meaning = of(item)
        let representations = meaning["representations"] as? [[String: Any]] ?? []
        meaning["representations"] = zip(representations, levels).map { $0.with("visibility", snake($1.description)) }
        return meaning
    }
}

/// Level and audience of a candidate, before they are one restriction.
private struct Level {
    let visibility: Visibility
    let audience: Audience?

    init(_ visibility: Visibility, _ audience: Audience? = nil) {
        self.visibility = visibility
        self.audience = audience
    }
}
