import Foundation
import Portolan

struct Recipe: Codable, Transferable {
    var title: String
    var steps: [String]

    static var transferRepresentation: some TransferRepresentation {
        CodableRepresentation(contentType: UTType(exportedAs: "com.example.recipe", conformingTo: .json))
        ProxyRepresentation(exporting: \.title)
    }
}

func serveRecipes(at node: Node) async throws {
    for try await recipe in node.receive(
        Recipe.self, decide: { $0.items.count == 1 ? .accept : .decline(detail: "One at a time.") })
    {
        print(DisplayText(recipe.value.title), "from", DisplayText(recipe.peer.localName))
    }
}

func share(_ recipe: Recipe, with name: String) async throws {
    let node = try await Node(Node.Configuration())
    for await snapshot in node.peers() where snapshot.isSettled {
        print("There are", snapshot.peers.count, "peers.")
        break
    }
    let delivery = try await node.send(recipe, to: node.find(name))
    print(delivery.isStored ? "They have it." : "They do not: \(DisplayText("\(delivery.outcome)"))")
}
