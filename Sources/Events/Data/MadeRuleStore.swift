import Cloud
import JSON
import Store

/// The buses and rules that calls have made, in the database: copies, snapshots and backups have them.
struct MadeRuleStore: Sendable {
    private let store: Store

    init(over store: Store) { self.store = store }

    /// A bus, or a rule of one.
    struct Place: Sendable {
        let bus: String
        /// Nil: the bus itself.
        let rule: String?

        /// The end of its ARN.
        var resource: String {
            guard let rule else { return "event-bus/\(bus)" }
            return "rule/\(bus == Events.usualBus ? "" : "\(bus)/")\(rule)"
        }
    }

    /// How many there are, for a change of one.
    struct Counts: Sendable {
        let buses: Int
        let rules: Int
        /// True if a call has made the bus of the place.
        let hasBus: Bool
        /// The rules of that bus.
        let rulesOfBus: Int
    }

    /// All of them, in the order of their names.
    func all() async throws(CloudError) -> [(place: Place, content: JSONObject)] {
        try await read(ifNone: []) { reader throws(StoreError) in
            var all: [(place: Place, content: JSONObject)] = []
            try reader.rows(MadeRuleRows.all, []) { row throws(StoreError) in
                let rule = row.text(1)
                all.append((Place(bus: row.text(0), rule: rule.isEmpty ? nil : rule), Self.object(row.text(2))))
                return true
            }
            return all
        }
    }

    /// Changes one; nil removes it, with its tags and its policy. Once this has returned, it is on the disk. `body` may be called again.
    ///
    /// - Parameter tags: those of one that is made by this.
    func change(
        _ place: Place, tags: [JSONValue] = [],
        _ body: @escaping @Sendable (inout JSONObject?, Counts) throws(CloudError) -> Void
    ) async throws(CloudError) {
        try await write { session in
            let key = [StoredValue.text(place.bus), .text(place.rule ?? "")]
            var entry: JSONObject?
            try session.rows(MadeRuleRows.one, key) { row throws(StoreError) in
                entry = Self.object(row.text(0))
                return false
            }
            let isNew = entry == nil
            try body(&entry, try Self.counts(of: place.bus, in: session))
            if let entry {
                try session.change(MadeRuleRows.setting, key + [.text(JSONWriter.text(of: .object(entry)))])
                if isNew, !tags.isEmpty {
                    var note = JSONObject()
                    try EventCalls.add(tags, to: &note)
                    try Self.set(note, on: place.resource, in: session)
                }
            } else {
                try session.change(MadeRuleRows.removal, key)
                try session.change(MadeRuleRows.noteRemoval, [.text(place.resource)])
            }
        }
    }

    private func write(_ body: @escaping @Sendable (WriteSession) throws -> Void) async throws(CloudError) {
        try await store.writer.write(turn: .settings, failing: Self.failure) { session in
            try session.bring(MadeRuleRows.tables)
            try body(session)
            session.wake(.rules)
        }
    }

    // MARK: Tags and policies

    /// The tags and the policy of a rule or a bus.
    func note(on resource: String) async throws(CloudError) -> JSONObject {
        try await read(ifNone: JSONObject()) { reader throws(StoreError) in
            var note = JSONObject()
            try reader.rows(MadeRuleRows.note, [.text(resource)]) { row throws(StoreError) in
                note = Self.object(row.text(0))
                return false
            }
            return note
        }
    }

    func notes() async throws(CloudError) -> [ByteText: JSONObject] {
        try await read(ifNone: [:]) { reader throws(StoreError) in
            var notes: [ByteText: JSONObject] = [:]
            try reader.rows(MadeRuleRows.notes, []) { row throws(StoreError) in
                notes[ByteText(row.text(0))] = Self.object(row.text(1))
                return true
            }
            return notes
        }
    }

    private func read<Value: Sendable>(
        ifNone none: Value, _ body: @escaping @Sendable (Reader) throws(StoreError) -> Value
    ) async throws(CloudError) -> Value {
        try await store.readAside(
            MadeRuleRows.tables, milliseconds: EventLimits.readMilliseconds, ifNone: none, failing: Self.failure, body)
    }

    func changeNote(
        on resource: String, _ body: @escaping @Sendable (inout JSONObject) throws(CloudError) -> Void
    ) async throws(CloudError) {
        try await write { session in
            var note = JSONObject()
            try session.rows(MadeRuleRows.note, [.text(resource)]) { row throws(StoreError) in
                note = Self.object(row.text(0))
                return false
            }
            try body(&note)
            try Self.set(note, on: resource, in: session)
        }
    }

    private static func set(_ note: JSONObject, on resource: String, in session: WriteSession) throws {
        if note.members.isEmpty {
            try session.change(MadeRuleRows.noteRemoval, [.text(resource)])
        } else {
            try session.change(
                MadeRuleRows.noteSetting, [.text(resource), .text(JSONWriter.text(of: .object(note)))])
        }
    }

    private static func counts(of bus: String, in session: WriteSession) throws(StoreError) -> Counts {
        var counts = Counts(buses: .max, rules: .max, hasBus: false, rulesOfBus: .max)
        try session.rows(MadeRuleRows.counts, [.text(bus), .text(bus)]) { row throws(StoreError) in
            counts = Counts(
                buses: Int(clamping: row.integer(0)), rules: Int(clamping: row.integer(1)),
                hasBus: row.integer(2) > 0, rulesOfBus: Int(clamping: row.integer(3)))
            return false
        }
        return counts
    }

    private static func object(_ text: String) -> JSONObject {
        (try? JSONReader.value(of: text))?.object ?? JSONObject()
    }

    private static func failure(_ error: any Error) -> CloudError {
        switch StoreFault(of: error) {
        case .unavailable: .away
        case .busy: .busy
        case .value(let fault): .invalid("Invalid value. \(fault).")
        case .failed: .failed(because: "rules could not be read or written: \(error)")
        }
    }
}
