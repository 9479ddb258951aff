import PortolanSyncPlan

/// Equal files with marks (SYNC.md 6.2), and the mark of the one that they are.
extension SyncPlanCases {
    static var markTrees: [(String, String, [NodeRecord], [Entry])] {
        let acme = base32(Array(fixedBytes(0x31).prefix(16)))
        let other = base32(Array(fixedBytes(0x41).prefix(16)))
        func marked(_ record: NodeRecord, _ mark: String?) -> NodeRecord {
            record.after { record in
                let attribute = mark.map { ExtendedAttribute(SyncName("portolan.visibility"), Array($0.utf8)) }
                record.contents[0].value.form.extended = attribute.map { [$0] } ?? []
            }
        }
        func tree(
            _ name: String, _ comment: String, _ one: String?, _ two: String?, _ both: String
        ) -> (String, String, [NodeRecord], [Entry]) {
            (
                "marks-" + name, comment,
                [
                    marked(file(Dot(ada, 4), "n.txt", 0x21), one), marked(file(Dot(ben, 4), "n.txt", 0x21), two),
                ], [Entry(.file, "n.txt", of: 0x21, mark: both)]
            )
        }
        let design = "group\n\(acme)\ndesign"
        let named = conflict("n.txt", Dot(ben, 4))
        return [
            tree(
                "narrower", "Of equal files the narrower mark counts, not the later.", design, "team\n\(acme)", design),
            tree(
                "one", "A file without a mark takes none away from an equal one.", "team\n\(acme)", nil, "team\n\(acme)"
            ),
            tree(
                "common-group", "Of two lists of groups those that are in both.", "\(design)\nprint",
                "group\n\(acme)\nprint\nsales", "group\n\(acme)\nprint"),
            tree(
                "apart", "Marks of two teams together are for nobody.", "team\n\(acme)", "team\n\(other)", "own-process"
            ),
            (
                "marks-of-conflict", "A version in conflict gives its mark to the equal file with its name.",
                [
                    file(Dot(ada, 4), "n.txt", 0x21), marked(file(Dot(ben, 4), "n.txt", 0x22), design),
                    file(Dot(ben, 6), named, 0x22),
                ], [Entry(.file, "n.txt", of: 0x21), Entry(.file, named, of: 0x22, mark: design)]
            ),
        ]
    }
}
