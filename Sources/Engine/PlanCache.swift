import GraphQL
import JSON

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The operations that a loop has seen last, planned. Clients send the same few again and again.
///
/// Hot path: an operation is found by the bytes with which it stands in a request's body, before they are read.
struct PlanCache {
    /// The most documents that are kept, and the most bytes that their texts have together.
    static let entriesMax = 512
    static let bytesMax = 4 << 20
    /// The most operations of a document whose plans are kept.
    static let operationsMax = 16

    enum Planned {
        case ready(PlanMemory)
        /// The response that lists what is wrong.
        case invalid([UInt8])
        /// It takes longer than the loop may give to it.
        case long(LongOperation)
    }

    /// A class, so that looking at it copies nothing.
    private final class Entry {
        let written: [UInt8]
        let hash: UInt64
        let document: PreparedDocument
        /// True if its operations are planned beside the loop.
        let isLong: Bool
        var plans: [(name: String?, plan: Planned)] = []
        var lastUse: Int

        init(_ written: [UInt8], _ hash: UInt64, _ document: PreparedDocument, isLong: Bool, lastUse: Int) {
            self.written = written
            self.hash = hash
            self.document = document
            self.isLong = isLong
            self.lastUse = lastUse
        }

        func plan(named name: String?) -> Planned? {
            for (known, plan) in plans where known == name { return plan }
            return nil
        }

        func isWritten(as bytes: UnsafeRawBufferPointer) -> Bool {
            guard written.count == bytes.count, let start = bytes.baseAddress else {
                return written.isEmpty && bytes.isEmpty
            }
            return written.withUnsafeBytes { $0.baseAddress.map { memcmp($0, start, bytes.count) == 0 } ?? false }
        }
    }

    /// By the hash of what is written. Two texts with the same hash drive each other out.
    private var entries: [UInt64: Entry] = [:]
    /// Entries that were asked for lately, by the last bits of their hashes. Hot path: they are found without hashing again.
    private var recent = [Entry?](repeating: nil, count: Self.recentMax)
    private static let recentMax = 32
    /// Keeps clients from choosing texts that meet.
    private let seed = UInt64.random(in: .min ... .max)
    private var bytes = 0
    private var clock = 0

    var count: Int { entries.count }
    /// How many plans were made.
    private(set) var madeCount = 0

    /// The plan of a request's operation: kept, or made now.
    mutating func plan(for request: EngineRequest, in engine: Engine) throws(RequestError) -> Planned {
        clock += 1
        let hash = hash(of: request)
        if let entry = entry(hash, request) {
            if let known = entry.plan(named: request.operationName) { return known }
            guard !entry.isLong else {
                return .long(LongOperation(key: try Self.key(of: request), document: entry.document))
            }
            madeCount += 1
            let plan = try entry.document.plan(request.operationName, engine)
            return Self.remember(plan, in: entry, request, engine)
        }
        madeCount += 1
        guard let document = PreparedDocument.onLoop(try request.query, engine) else {
            return .long(LongOperation(key: try Self.key(of: request), document: nil))
        }
        let entry = Entry(request.withWrittenQuery { Array($0) }, hash, document, isLong: false, lastUse: clock)
        keep(entry, engine)
        return Self.remember(try document.plan(request.operationName, engine), in: entry, request, engine)
    }

    /// The plan of a request's operation, which was made beside the loop. Of several who have waited for it the first
    /// brings it here.
    mutating func take(
        _ made: LongOperation.Made, for request: EngineRequest, in engine: Engine
    ) throws(RequestError) -> Planned {
        clock += 1
        let hash = hash(of: request)
        let entry: Entry
        if let known = self.entry(hash, request) {
            if let plan = known.plan(named: request.operationName) { return plan }
            entry = known
        } else {
            entry = Entry(request.withWrittenQuery { Array($0) }, hash, made.document, isLong: true, lastUse: clock)
            keep(entry, engine)
        }
        return Self.remember(try made.plan.get(), in: entry, request, engine)
    }

    private func hash(of request: EngineRequest) -> UInt64 {
        request.withWrittenQuery { ByteHash.of($0, seed: seed) }
    }

    private mutating func entry(_ hash: UInt64, _ request: EngineRequest) -> Entry? {
        let slot = Int(truncatingIfNeeded: hash) & (Self.recentMax - 1)
        if let entry = recent[slot], entry.hash == hash, request.withWrittenQuery({ entry.isWritten(as: $0) }) {
            entry.lastUse = clock
            return entry
        }
        guard let entry = entries[hash], request.withWrittenQuery({ entry.isWritten(as: $0) }) else { return nil }
        entry.lastUse = clock
        recent[slot] = entry
        return entry
    }

    private static func key(of request: EngineRequest) throws(RequestError) -> LongOperation.Key {
        LongOperation.Key(text: try request.query, operationName: request.operationName.map { ByteText($0) })
    }

    private static func remember(
        _ plan: PlannedOperation, in entry: Entry, _ request: EngineRequest, _ engine: Engine
    ) -> Planned {
        let planned: Planned
        switch plan {
        case .invalid(let response): planned = .invalid(response)
        case .ready(let plan, let variables):
            let memory = PlanMemory(
                plan, engine.rootFields, earlyVariables: variables, isLong: entry.isLong)
            engine.settings.trace?("planned \(engine.rootFields.entries[memory.number].text)")
            planned = .ready(memory)
        }
        if entry.plans.count < operationsMax { entry.plans.append((request.operationName, planned)) }
        return planned
    }

    /// Half of the entries go at once when there are too many, those that were not used for longest: so finding them
    /// costs little for each. To let go of them takes its time, and is done beside the loop.
    private mutating func keep(_ entry: Entry, _ engine: Engine) {
        let count = entry.written.count
        guard count <= Self.bytesMax / 4 else { return }
        // Whatever is dropped or replaced is held by nobody here.
        for slot in recent.indices { recent[slot] = nil }
        if entries.count >= Self.entriesMax || bytes + count > Self.bytesMax {
            let uses = entries.values.map(\.lastUse).sorted()
            let oldest = uses[uses.count / 2]
            let dropped = Dropped(entries: entries.values.filter { $0.lastUse <= oldest })
            entries = entries.filter { $0.value.lastUse > oldest }
            bytes = entries.values.reduce(0) { $0 + $1.written.count }
            engine.workersAside.release(dropped)
        }
        bytes += count - (entries.updateValue(entry, forKey: entry.hash)?.written.count ?? 0)
    }

    /// Entries that nobody will look at again.
    private struct Dropped: @unchecked Sendable {
        // Safe to share: nothing is done with them but to let go of them.
        let entries: [Entry]
    }
}
