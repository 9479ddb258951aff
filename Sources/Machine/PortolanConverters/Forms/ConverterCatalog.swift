import UniformTypeIdentifiers

/// A form that a converter can add to an item; converted once a receiver chooses it.
package struct ConvertedForm: Sendable, Hashable {
    /// Index of the item's own form from which it is made.
    package let sourceIndex: Int
    package let converter: Converter

    /// Type of the form.
    package var type: UTType { converter.to }
}

/// Converters that are declared on this machine, and the forms that the installed ones can make.
package struct ConverterCatalog: Sendable {
    /// Default for the number of forms that are added to one item.
    package static let usualFormLimit = 8

    package let converters: [Converter]
    package let tools: ToolSearch

    /// - Parameter converters: converters, the preferred ones first.
    package init(_ converters: [Converter], tools: ToolSearch = .environment) {
        self.converters = converters
        self.tools = tools
    }

    /// Converters whose program is installed at this moment.
    package var active: [Converter] {
        converters.filter { tools.find($0.command[0]) != nil }
    }

    /// Returns the forms that can be added to an item.
    ///
    /// The order is that of the item's own forms, and for each that of the converters. Types of the item's own forms
    /// are omitted, no type is made twice, and converted forms are not converted again.
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
