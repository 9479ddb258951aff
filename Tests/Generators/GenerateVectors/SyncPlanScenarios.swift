import PortolanSyncPlan

/// The model of folders kept alike (SYNC.md 2 to 4): changes and merging of records, their tree, and what a member
/// tells of them. The results are written down by hand.
func syncModelScenarios() -> [Scenario] {
    let merges =
        SyncPlanCases.merges + SyncPlanCases.apartMerges + SyncPlanCases.metadataMerges + SyncPlanCases.forkMerges
    return SyncPlanCases.changes.map { name, comment, record, change, changed in
        Scenario(
            "sync-change-" + name, kind: "sync_change", comment,
            ["record": Meaning.of(record), "change": change.meaning, "changed": Meaning.of(changed)])
    }
        + merges.map { name, comment, one, other, merged in
            Scenario(
                "sync-merge-" + name, kind: "sync_merge", comment,
                ["one": Meaning.of(one), "other": Meaning.of(other), "merged": Meaning.of(merged)])
        }
        + (SyncPlanCases.trees + SyncPlanCases.furtherTrees + SyncPlanCases.markTrees).map {
            name, comment, records, tree in
            Scenario(
                "sync-tree-" + name, kind: "sync_tree", comment,
                ["records": records.map { Meaning.of($0) }, "tree": tree.map(\.meaning)])
        }
        + SyncPlanCases.news.map { name, comment, heard, answer, told in
            Scenario(
                "sync-news-" + name, kind: "sync_news", comment,
                [
                    "heard": heard.map { Meaning.of($0) }, "answer": answer.map { Meaning.of($0) },
                    "told": told.map { Meaning.of($0.creation) },
                ])
        }
}
