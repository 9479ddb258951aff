// Blocks of each length that the builder takes, and representations of one's own.
import CoreTransferable

protocol Inked: Transferable {}

extension Inked {
    static func ink(_ contentType: UTType) -> DataRepresentation<Self> {
        DataRepresentation(exportedContentType: contentType) { _ in Data() }
    }
}

struct Blocks1: Inked {
    static var transferRepresentation: some TransferRepresentation {
        ink(.png)
    }
}

struct Blocks2: Inked {
    static var transferRepresentation: some TransferRepresentation {
        ink(.png)
        ink(.gif)
    }
}

struct Blocks3: Inked {
    static var transferRepresentation: some TransferRepresentation {
        ink(.png)
        ink(.gif)
        ink(.tiff)
    }
}

struct Blocks4: Inked {
    static var transferRepresentation: some TransferRepresentation {
        ink(.png)
        ink(.gif)
        ink(.tiff)
        ink(.bmp)
    }
}

struct Blocks5: Inked {
    static var transferRepresentation: some TransferRepresentation {
        ink(.png)
        ink(.gif)
        ink(.tiff)
        ink(.bmp)
        ink(.jpeg)
    }
}

struct Blocks6: Inked {
    static var transferRepresentation: some TransferRepresentation {
        ink(.png)
        ink(.gif)
        ink(.tiff)
        ink(.bmp)
        ink(.jpeg)
        ink(.heic)
    }
}

struct Blocks7: Inked {
    static var transferRepresentation: some TransferRepresentation {
        ink(.png)
        ink(.gif)
        ink(.tiff)
        ink(.bmp)
        ink(.jpeg)
        ink(.heic)
        ink(.webP)
    }
}

struct Blocks8: Inked {
    static var transferRepresentation: some TransferRepresentation {
        ink(.png)
        ink(.gif)
        ink(.tiff)
        ink(.bmp)
        ink(.jpeg)
        ink(.heic)
        ink(.webP)
        ink(.svg)
    }
}

struct Blocks9: Inked {
    static var transferRepresentation: some TransferRepresentation {
        ink(.png)
        ink(.gif)
        ink(.tiff)
        ink(.bmp)
        ink(.jpeg)
        ink(.heic)
        ink(.webP)
        ink(.svg)
        ink(.pdf)
    }
}

struct Blocks10: Inked {
    static var transferRepresentation: some TransferRepresentation {
        ink(.png)
        ink(.gif)
        ink(.tiff)
        ink(.bmp)
        ink(.jpeg)
        ink(.heic)
        ink(.webP)
        ink(.svg)
        ink(.pdf)
        ink(.rtf)
    }
}

// More than ten: one custom representation, its item given by a type alias, contains several.
struct Elevenfold: Inked {
    static var transferRepresentation: some TransferRepresentation {
        Rest(isOpen: true)
        ink(.html)
    }

    struct Rest: TransferRepresentation {
        typealias Item = Elevenfold

        var isOpen: Bool

        var body: some TransferRepresentation {
            Elevenfold.ink(.png)
            Elevenfold.ink(.gif).exportingCondition { [isOpen] _ in isOpen }
            Elevenfold.ink(.tiff)
            Elevenfold.ink(.bmp)
            Elevenfold.ink(.jpeg)
            Elevenfold.ink(.heic)
            Elevenfold.ink(.webP)
            Elevenfold.ink(.svg)
            Elevenfold.ink(.pdf)
            Elevenfold.ink(.rtf)
        }
    }
}

// A block of a single component, and one within another.
struct Nested: Transferable {
    var text = ""

    struct Inner: TransferRepresentation {
        typealias Item = Nested
        var body: some TransferRepresentation {
            ProxyRepresentation(exporting: \.text)
        }
    }

    struct Outer: TransferRepresentation {
        typealias Item = Nested
        var body: some TransferRepresentation {
            Inner().visibility(.team).suggestedFileName("nested.txt")
        }
    }

    static var transferRepresentation: some TransferRepresentation {
        Outer()
    }
}

// An extension of the public type of a block.
extension TupleTransferRepresentation {
    static var valueType: Value.Type { Value.self }
}

// A conforming type by its representation, which is spelled out.
struct Spelled: Transferable {
    typealias Representation = TupleTransferRepresentation<
        Spelled, (DataRepresentation<Spelled>, _ConditionalTransferRepresentation<DataRepresentation<Spelled>>)
    >

    @TransferRepresentationBuilder<Spelled>
    static var transferRepresentation: Representation {
        DataRepresentation(exportedContentType: .png) { _ in Data() }
        DataRepresentation(exportedContentType: .gif) { _ in Data() }.exportingCondition { _ in true }
    }
}
