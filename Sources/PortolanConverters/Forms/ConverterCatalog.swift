import UniformTypeIdentifiers

/// A form that an item can be given, once somebody chooses it.
package struct ConvertedForm: Sendable, Hashable {
    /// Which of the item's own forms it is made from.
    package let sourceIndex: Int
    package let converter: Converter

    /// What it will be.
    package var type: UTType { converter.to }
}

/// The converters that are declared on this machine, and what can be made with those whose programs are installed.
package struct ConverterCatalog: Sendable {
    /// How many forms are added to one item unless the caller says otherwise.
    package static let usualFormLimit = 8

    package let converters: [Converter]
    package let tools: ToolSearch

    /// - Parameter converters: the preferred ones first.
    package init(_ converters: [Converter], tools: ToolSearch = .environment) {
        self.converters = converters
        self.tools = tools
    }

    /// Those whose program is installed at this moment.
    package var active: [Converter] {
        converters.filter { tools.find($0.command[0]) != nil }
    }

    /// The forms that can be added to an item.
    ///
    /// In the order of the item's own forms, and for each in the order of the converters. A type that the item has by itself is
    /// not made, none is made twice, and nothing is made from what was made.
    ///
    /// - Parameter types: the types of the item's own forms, richest first.
    package func forms(for types: [UTType], limit: Int = usualFormLimit) -> [ConvertedForm] {
        var made: Set<UTType> = []
        var forms: [ConvertedForm] = []
        for (index, type) in types.enumerated() {
            for converter in converters where type.conforms(to: converter.from) {
                if forms.count >= limit { return forms }
                guard !made.contains(converter.to), !types.contains(where: { $0.conforms(to: converter.to) }),
                    tools.find(converter.command[0]) != nil
                else { continue }
                made.insert(converter.to)
                forms.append(ConvertedForm(sourceIndex: index, converter: converter))
            }
        }
        return forms
    }
}
