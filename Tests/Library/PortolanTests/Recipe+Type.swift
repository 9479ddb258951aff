import Portolan

extension Recipe {
    static var type: UTType { UTType(exportedAs: "com.example.recipe", conformingTo: .json) }
}
