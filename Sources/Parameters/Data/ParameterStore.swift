import Cloud
import Glibc
import JSON
import Network
import Store

/// The parameters and secrets that were put, in the database: so that copies, snapshots and backups have them.
package struct ParameterStore: Sendable {
    private let store: Store

    enum Kind: Int64, Sendable {
        case parameter = 0
        case secret = 1
        /// A former version of a parameter.
        case version = 2
    }

    /// The name of a former version, in the order of versions. No name of a parameter has a colon.
    static func versionName(_ version: Int64, of name: String) -> String {
        let digits = "\(version)"
        return "\(name):\(String(repeating: "0", count: max(0, 19 - digits.utf8.count)))\(digits)"
    }

    package init(over store: Store) { self.store = store }

    /// Those of these names that there are.
    func found(_ kind: Kind, _ names: [String]) async throws(CloudError) -> [ByteText: JSONObject] {
        try await read { reader throws(StoreError) in try Self.entries(kind, names, in: reader) }
    }

    private static func entries(
        _ kind: Kind, _ names: [String], in reader: Reader
    ) throws(StoreError) -> [ByteText: JSONObject] {
        var entries: [ByteText: JSONObject] = [:]
        for name in names {
            if let entry = try ParameterRows.entry(kind, name, in: reader) { entries[ByteText(name)] = entry }
        }
        return entries
    }

    /// Throws what a look at those of these names that there are finds wrong. It may take its time: it is taken beside the loops.
    func judge(
        _ kind: Kind, _ names: [String],
        _ fault: @escaping @Sendable (_ found: [ByteText: JSONObject]) -> CloudError?
    ) async throws(CloudError) {
        let found: CloudError?
        do {
            found = try await store.readersAside.read(
                until: Timestamp.monotonicMilliseconds + ParameterLimits.readMilliseconds
            ) { reader throws(StoreError) in
                fault(try reader.has(ParameterRows.tables) ? try Self.entries(kind, names, in: reader) : [:])
            }
        } catch {
            throw Self.failure(error)
        }
        if let found { throw found }
    }

    /// True if somebody has put a parameter of that name. Opens the database for it: for the moments of a start.
    package static func hasParameter(_ name: String, in store: Store) -> Bool {
        guard store.knows(ParameterRows.tables), let reader = try? store.readerBeside(),
            (try? reader.has(ParameterRows.tables)) == true
        else { return false }
        return (try? ParameterRows.entry(.parameter, name, in: reader)) != nil
    }

    /// The former versions of a parameter by their names.
    func versions(of name: String) async throws(CloudError) -> [ByteText: JSONObject] {
        try await read { reader throws(StoreError) in
            var entries: [ByteText: JSONObject] = [:]
            let ends = ["\(name):", "\(name);"].map(StoredValue.text)
            try reader.rows(ParameterRows.between, [.integer(Kind.version.rawValue)] + ends) { row throws(StoreError) in
                entries[ByteText(row.text(0))] = ParameterRows.object(row.text(1))
                return true
            }
            return entries
        }
    }

    func all(_ kind: Kind) async throws(CloudError) -> [ByteText: JSONObject] {
        try await read { reader throws(StoreError) in
            var entries: [ByteText: JSONObject] = [:]
            try reader.rows(ParameterRows.all, [.integer(kind.rawValue)]) { row throws(StoreError) in
                entries[ByteText(row.text(0))] = ParameterRows.object(row.text(1))
                return true
            }
            return entries
        }
    }

    private func read(
        _ body: @escaping @Sendable (Reader) throws(StoreError) -> [ByteText: JSONObject]
    ) async throws(CloudError) -> [ByteText: JSONObject] {
        do {
            return try await store.readersAside.read(
                until: Timestamp.monotonicMilliseconds + ParameterLimits.readMilliseconds
            ) { reader throws(StoreError) in try reader.has(ParameterRows.tables) ? try body(reader) : [:] }
        } catch {
            throw Self.failure(error)
        }
    }

    /// Changes entries. Once this has returned, it is on the disk.
    func change<Answer: Sendable>(
        _ kind: Kind, _ body: @escaping @Sendable (inout ParameterEntries) throws(CloudError) -> Answer
    ) async throws(CloudError) -> Answer {
        try await store.writer.write(turn: .settings, failing: Self.failure) { session in
            try session.bring(ParameterRows.tables)
            var entries = ParameterEntries(kind, session)
            let answer = try body(&entries)
            try entries.write()
            return answer
        }
    }

    private static func failure(_ error: any Error) -> CloudError {
        switch StoreFault(of: error) {
        case .unavailable: .away
        case .busy: .busy
        case .value(let fault): .invalid("Invalid value. \(fault).")
        case .failed: .failed("InternalServerError", because: "parameters could not be read or written: \(error)")
        }
    }

    // MARK: The file of earlier versions

    /// Earlier versions kept parameters in a file of the data folder.
    package static let formerFileName = "parameters.json"

    /// Takes over the parameters of that file, where there is one, and removes it. The database's own go over those of the file.
    ///
    /// - Returns: why they cannot be taken over; nil: they are.
    package func takeFormerFile(in folder: String) async -> String? {
        let path = "\(folder)/\(Self.formerFileName)"
        guard access(path, F_OK) == 0 else { return nil }
        let value: JSONValue
        do {
            value = try JSONReader.value(of: SmallFile.read(path, bytesMax: ParameterLimits.bytesMax))
        } catch {
            return "\(path) cannot be read, and its parameters are not served: \(error)"
        }
        guard let parameters = value["parameters"]?.object, let secrets = value["secrets"]?.object else {
            return "\(path) is not what a server writes, and its parameters are not served"
        }
        do throws(CloudError) {
            for (kind, entries) in [(Kind.parameter, parameters), (.secret, secrets)] where !entries.isEmpty {
                try await change(kind) { kept throws(CloudError) in
                    for member in entries.members {
                        guard let entry = member.value.object, kept[member.key] == nil else { continue }
                        kept[member.key] = entry
                    }
                }
            }
        } catch {
            return "the parameters of \(path) are not served: \(error.message)"
        }
        return unlink(path) == 0 ? nil : "\(path) was taken over into the database, and cannot be removed"
    }
}

/// The entries of a kind in a transaction: read when they are asked for, written at its end.
struct ParameterEntries {
    private let kind: ParameterStore.Kind
    private let session: WriteSession
    /// Nil: it is to be removed.
    private var changed: [ByteText: JSONObject?] = [:]
    /// The same, of former versions.
    private var changedVersions: [ByteText: JSONObject?] = [:]

    fileprivate init(_ kind: ParameterStore.Kind, _ session: WriteSession) {
        (self.kind, self.session) = (kind, session)
    }

    subscript(name: String) -> JSONObject? {
        get {
            if let entry = changed[ByteText(name)] { return entry }
            // What cannot be read cannot be written either: the transaction fails at its end.
            return (try? ParameterRows.entry(kind, name, in: session)) ?? nil
        }
        set { changed[ByteText(name)] = .some(newValue) }
    }

    /// A former version of a parameter.
    func version(_ number: Int64, of name: String) -> JSONObject? {
        (try? ParameterRows.entry(.version, ParameterStore.versionName(number, of: name), in: session)) ?? nil
    }

    mutating func keep(_ entry: JSONObject?, asVersion number: Int64, of name: String) {
        changedVersions[ByteText(ParameterStore.versionName(number, of: name))] = .some(entry)
    }

    /// How many there are, without those of this transaction.
    var count: Int { (try? ParameterRows.totals(in: session, kind).count) ?? Int.max }

    fileprivate func write() throws {
        try write(changed, kind)
        try write(changedVersions, .version)
        guard try ParameterRows.totals(in: session, nil).bytes <= ParameterLimits.bytesMax else {
            throw CloudError(
                "LimitExceededException",
                "Parameters and secrets have \(ParameterLimits.bytesMax) bytes together at most.")
        }
    }

    private func write(_ changed: [ByteText: JSONObject?], _ kind: ParameterStore.Kind) throws {
        for (name, entry) in changed {
            guard let entry else {
                try session.change(ParameterRows.removal, [.integer(kind.rawValue), .text(name.string)])
                continue
            }
            let text = JSONWriter.text(of: .object(entry))
            try session.change(
                ParameterRows.setting,
                [.integer(kind.rawValue), .text(name.string), .integer(Int64(text.utf8.count)), .text(text)])
        }
    }
}
