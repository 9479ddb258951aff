/// Reader of a peer's or another program's bytes: any bytes go in, and none may trap.
public struct FuzzTarget: Sendable {
    public let name: String
    /// The longest input that is worth trying, in bytes.
    public let longest: Int
    private let body: @Sendable (inout FuzzInput) -> Void

    init(_ name: String, longest: Int = 4096, _ body: @escaping @Sendable (inout FuzzInput) -> Void) {
        self.name = name
        self.longest = longest
        self.body = body
    }

    public func run(_ bytes: some Collection<UInt8>) {
        var input = FuzzInput(bytes)
        body(&input)
    }

    public static let all: [FuzzTarget] = [
        chunks, connection, contents, discovery, documents, folders, handshake, ignores, messages, policies,
        receipts, receiver, records, sender, signatures, stored, teams, tree, types,
    ]

    public static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// Crashes unless `condition` holds, which it must for any input.
func require(_ condition: Bool, _ sentence: @autoclosure () -> String) {
    if !condition { fatalError(sentence()) }
}

/// For values that the targets make themselves.
func valid<Value>(_ make: () throws -> Value) -> Value {
    do {
        return try make()
    } catch {
        fatalError("A target's own value is refused: \(error)")
    }
}
