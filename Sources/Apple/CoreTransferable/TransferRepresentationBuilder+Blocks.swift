// A function for each count: the limit of ten is part of the interface that sources are written against.
extension TransferRepresentationBuilder {
    public static func buildBlock<C1: TransferRepresentation, C2: TransferRepresentation>(_ c1: C1, _ c2: C2)
        -> TupleTransferRepresentation<Item, (C1, C2)> where C1.Item == Item, C2.Item == Item
    {
        TupleTransferRepresentation([c1, c2])
    }

    public static func buildBlock<C1: TransferRepresentation, C2: TransferRepresentation, C3: TransferRepresentation>(
        _ c1: C1, _ c2: C2, _ c3: C3
    ) -> TupleTransferRepresentation<Item, (C1, C2, C3)> where C1.Item == Item, C2.Item == Item, C3.Item == Item {
        TupleTransferRepresentation([c1, c2, c3])
    }

    public static func buildBlock<
        C1: TransferRepresentation, C2: TransferRepresentation, C3: TransferRepresentation, C4: TransferRepresentation
    >(_ c1: C1, _ c2: C2, _ c3: C3, _ c4: C4) -> TupleTransferRepresentation<Item, (C1, C2, C3, C4)>
    where C1.Item == Item, C2.Item == Item, C3.Item == Item, C4.Item == Item {
        TupleTransferRepresentation([c1, c2, c3, c4])
    }

    public static func buildBlock<
        C1: TransferRepresentation, C2: TransferRepresentation, C3: TransferRepresentation, C4: TransferRepresentation,
        C5: TransferRepresentation
    >(_ c1: C1, _ c2: C2, _ c3: C3, _ c4: C4, _ c5: C5) -> TupleTransferRepresentation<Item, (C1, C2, C3, C4, C5)>
    where C1.Item == Item, C2.Item == Item, C3.Item == Item, C4.Item == Item, C5.Item == Item {
        TupleTransferRepresentation([c1, c2, c3, c4, c5])
    }

    public static func buildBlock<
        C1: TransferRepresentation, C2: TransferRepresentation, C3: TransferRepresentation, C4: TransferRepresentation,
        C5: TransferRepresentation, C6: TransferRepresentation
    >(_ c1: C1, _ c2: C2, _ c3: C3, _ c4: C4, _ c5: C5, _ c6: C6) -> TupleTransferRepresentation<
        Item, (C1, C2, C3, C4, C5, C6)
    > where C1.Item == Item, C2.Item == Item, C3.Item == Item, C4.Item == Item, C5.Item == Item, C6.Item == Item {
        TupleTransferRepresentation([c1, c2, c3, c4, c5, c6])
    }

    public static func buildBlock<
        C1: TransferRepresentation, C2: TransferRepresentation, C3: TransferRepresentation, C4: TransferRepresentation,
        C5: TransferRepresentation, C6: TransferRepresentation, C7: TransferRepresentation
    >(_ c1: C1, _ c2: C2, _ c3: C3, _ c4: C4, _ c5: C5, _ c6: C6, _ c7: C7) -> TupleTransferRepresentation<
        Item, (C1, C2, C3, C4, C5, C6, C7)
    >
    where
        C1.Item == Item, C2.Item == Item, C3.Item == Item, C4.Item == Item, C5.Item == Item, C6.Item == Item,
        C7.Item == Item
    {
        TupleTransferRepresentation([c1, c2, c3, c4, c5, c6, c7])
    }

    public static func buildBlock<
        C1: TransferRepresentation, C2: TransferRepresentation, C3: TransferRepresentation, C4: TransferRepresentation,
        C5: TransferRepresentation, C6: TransferRepresentation, C7: TransferRepresentation, C8: TransferRepresentation
    >(_ c1: C1, _ c2: C2, _ c3: C3, _ c4: C4, _ c5: C5, _ c6: C6, _ c7: C7, _ c8: C8) -> TupleTransferRepresentation<
        Item, (C1, C2, C3, C4, C5, C6, C7, C8)
    >
    where
        C1.Item == Item, C2.Item == Item, C3.Item == Item, C4.Item == Item, C5.Item == Item, C6.Item == Item,
        C7.Item == Item, C8.Item == Item
    {
        TupleTransferRepresentation([c1, c2, c3, c4, c5, c6, c7, c8])
    }

    public static func buildBlock<
        C1: TransferRepresentation, C2: TransferRepresentation, C3: TransferRepresentation, C4: TransferRepresentation,
        C5: TransferRepresentation, C6: TransferRepresentation, C7: TransferRepresentation, C8: TransferRepresentation,
        C9: TransferRepresentation
    >(_ c1: C1, _ c2: C2, _ c3: C3, _ c4: C4, _ c5: C5, _ c6: C6, _ c7: C7, _ c8: C8, _ c9: C9)
        -> TupleTransferRepresentation<Item, (C1, C2, C3, C4, C5, C6, C7, C8, C9)>
    where
        C1.Item == Item, C2.Item == Item, C3.Item == Item, C4.Item == Item, C5.Item == Item, C6.Item == Item,
        C7.Item == Item, C8.Item == Item, C9.Item == Item
    {
        TupleTransferRepresentation([c1, c2, c3, c4, c5, c6, c7, c8, c9])
    }

    public static func buildBlock<
        C1: TransferRepresentation, C2: TransferRepresentation, C3: TransferRepresentation, C4: TransferRepresentation,
        C5: TransferRepresentation, C6: TransferRepresentation, C7: TransferRepresentation, C8: TransferRepresentation,
        C9: TransferRepresentation, C10: TransferRepresentation
    >(_ c1: C1, _ c2: C2, _ c3: C3, _ c4: C4, _ c5: C5, _ c6: C6, _ c7: C7, _ c8: C8, _ c9: C9, _ c10: C10)
        -> TupleTransferRepresentation<Item, (C1, C2, C3, C4, C5, C6, C7, C8, C9, C10)>
    where
        C1.Item == Item, C2.Item == Item, C3.Item == Item, C4.Item == Item, C5.Item == Item, C6.Item == Item,
        C7.Item == Item, C8.Item == Item, C9.Item == Item, C10.Item == Item
    {
        TupleTransferRepresentation([c1, c2, c3, c4, c5, c6, c7, c8, c9, c10])
    }
}
