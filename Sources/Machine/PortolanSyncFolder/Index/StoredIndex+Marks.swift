import Foundation
import GRDB
import PortolanSyncPlan
import PortolanValues

/// Marks of all known versions, deleted ones too: a peer that may not see one learns nothing of the folder.
extension StoredIndex {
    var marks: [Restriction] {
        transaction.attempt([]) {
            // Each step finds the next mark by the index, however many files have one.
            try transaction.all(
                """
                WITH RECURSIVE one(mark) AS (
                    SELECT min(mark) FROM node_mark
                    UNION ALL SELECT (SELECT min(mark) FROM node_mark WHERE mark > one.mark) FROM one
                        WHERE one.mark IS NOT NULL
                ) SELECT mark FROM one WHERE mark IS NOT NULL
                """
            ) { row in
                RestrictionText.restriction(in: Array(try row.bytes(0))) ?? .nobody
            }
        }
    }
}

extension IndexTransaction {
    func setMarks(of record: NodeRecord, after before: NodeRecord?) throws {
        let marks = record.marks
        guard !marks.isEmpty || before?.marks.isEmpty == false else { return }
        let key = newKey(record.id)
        try execute("DELETE FROM node_mark WHERE node = ?", [key])
        for mark in marks { try execute("INSERT INTO node_mark VALUES (?, ?)", [key, Data(mark)]) }
    }
}

extension NodeRecord {
    fileprivate var marks: Set<[UInt8]> { Set(contents.compactMap(\.value.form.extended.mark)) }
}
