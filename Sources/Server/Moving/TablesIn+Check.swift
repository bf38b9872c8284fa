import Items
import JSON
import Moving
import Store

extension TablesIn {
    /// True if every source was read to its end.
    var isComplete: Bool { progress.allSatisfy { $0.now.isDone } }

    /// All counts together, by the names of the models.
    var counts: [ByteText: TableCounts] {
        var all: [ByteText: TableCounts] = [:]
        for source in progress {
            for (name, counts) in source.now.tables { all[name] = (all[name] ?? TableCounts()) + counts }
        }
        return all
    }

    /// Compares the counts and a sample with what the database has. Answers with what is not as it was read.
    func check() throws(MoveFailure) -> [String] {
        guard let store else { return [] }
        var wrong: [String] = []
        let all = counts
        try MoveFailure.storing { () throws(StoreError) in
            let reader = try store.readerBeside()
            for item in map.items {
                guard let counts = all[item.typeName] else { continue }
                let count = try reader.count(of: item.table, where: .always)
                if count < counts.made {
                    wrong.append("\(item.typeName): \(counts.made) records were made, and there are \(count)")
                }
                if counts.read != counts.made + counts.present + counts.misfits {
                    wrong.append(
                        "\(item.typeName): \(counts.read) items were read, and \(counts.made + counts.present) are there"
                    )
                }
            }
            for sample in samples {
                let form = map.items[sample.table]
                let lookup = KeyLookup(form.table, fields: form.table.columns.map(\.field))
                var found: [StoredValue]?
                _ = try reader.get(lookup, key: form.key(of: sample.values)) { row throws(StoreError) in
                    found = form.table.columns.indices.map { row.value($0) }
                }
                guard let found, Self.areSame([.null] + found, sample.values) else {
                    wrong.append("\(sample.place): the record of \(form.typeName) is not as it was read")
                    continue
                }
            }
        }
        return wrong
    }

    /// Returns whether two rows hold the same values, whatever they say of nulls.
    static func areSame(_ one: [StoredValue], _ other: [StoredValue]) -> Bool {
        one.count == other.count && zip(one.dropFirst(), other.dropFirst()).allSatisfy(areSame)
    }

    private static func areSame(_ one: StoredValue, _ other: StoredValue) -> Bool {
        switch (one, other) {
        case (.text(let text), .utf8(let bytes)), (.utf8(let bytes), .text(let text)): Array(text.utf8) == bytes
        case (.text(let one), .text(let other)): one == other
        default: one == other
        }
    }
}
