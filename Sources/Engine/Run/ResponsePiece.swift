import GraphQL
import JSON

/// A response as far as it is written: bytes, errors, and the holes where something outside has to be asked first.
///
///     {"getPost":{"title":"t","score":▯,"author":{"name":"n"}}}
///                ╰────────── region ──────────────────────╯     what becomes null when the hole must not be
///
/// It knows how long it may get, its errors included: whoever writes asks `isTooLong` behind each value.
struct ResponsePiece: Sendable {
    var bytes: [UInt8] = []
    private(set) var errors: [GraphQLError] = []
    /// How many bytes there may be, beside the errors.
    private var room: Int
    /// How many bytes there may be before whoever writes looks at more than their number. Hot path: one comparison for
    /// each value that is written.
    private(set) var mark: Int
    private(set) var holes: [Hole] = []
    private var regions: [Region] = []
    private var openRegion: Int?
    /// Whether the bytes begin with what stands before the data.
    private var isResponse = false
    /// Nothing is left: a null went through everything around it.
    var isNull = false

    /// A place where a value is missing.
    struct Hole: Sendable {
        fileprivate(set) var offset: Int
        let content: Content
        let path: ResponsePath
        fileprivate let region: Int?

        /// Whether null must not be there.
        var isNonNull: Bool {
            switch content {
            case .field(let field, _): field.plan.type.isNonNull
            case .value(_, let plan, _): plan.type.isNonNull
            }
        }
    }

    /// What belongs into a hole.
    enum Content: Sendable {
        /// A field that something computes, with the object that it is a field of.
        case field(ComputedField, source: JSONObject?)
        /// A value that has such fields somewhere inside.
        case value(JSONValue, ValuePlan, parent: String)
    }

    /// The bytes of a value that may be null, with holes in it.
    private struct Region: Sendable {
        var start: Int
        var end: Int
        let parent: Int?
    }

    init(bytesMax: Int) {
        room = bytesMax
        mark = min(bytesMax, Self.bytesPerLook)
    }

    // MARK: Length

    /// Bytes between two looks at the time: some tens of microseconds.
    private static let bytesPerLook = 64 << 10

    var isTooLong: Bool { bytes.count > room }

    /// How many bytes still fit.
    var bytesLeft: Int { max(0, room - bytes.count) }

    /// Goes on after a look at length and time.
    mutating func moveMark() { mark = min(room, bytes.count + Self.bytesPerLook) }

    mutating func add(_ error: GraphQLError) {
        errors.append(error)
        room -= error.byteCount
        mark = min(mark, room)
    }

    mutating func add(_ errors: [GraphQLError]) {
        for error in errors { add(error) }
    }

    // MARK: Whole

    var hasHoles: Bool { !holes.isEmpty }

    private static let responseStart = Array(#"{"data":"#.utf8)

    /// Writes what stands before the data. Hot path: so the response need not be copied behind it when it is whole.
    mutating func beginResponse(expecting count: Int) {
        bytes.reserveCapacity(count)
        bytes.append(contentsOf: Self.responseStart)
        isResponse = true
    }

    /// `{"data":…}`, and `"errors"` behind it when there are any. The bytes are gone then.
    mutating func takeResponse() -> [UInt8] {
        var response: [UInt8] = []
        if isResponse {
            swap(&response, &bytes)
            if isNull {
                response.removeLast(response.count - Self.responseStart.count)
                JSONWriter.writeNull(to: &response)
            }
        } else {
            response.reserveCapacity(bytes.count + 10)
            response.append(contentsOf: Self.responseStart)
            if isNull { JSONWriter.writeNull(to: &response) } else { response.append(contentsOf: bytes) }
        }
        if !errors.isEmpty {
            response.append(contentsOf: #","errors":"#.utf8)
            GraphQLError.write(errors, to: &response)
        }
        response.append(UInt8(ascii: "}"))
        return response
    }

    // MARK: Writing

    /// Goes back to an earlier place: what was written behind it is gone, holes too.
    mutating func rewind(to offset: Int) {
        bytes.removeLast(bytes.count - offset)
        while let last = holes.last, last.offset >= offset { holes.removeLast() }
    }

    /// Leaves a hole here.
    mutating func leaveHole(for content: Content, at path: ResponsePath) {
        holes.append(Hole(offset: bytes.count, content: content, path: path, region: openRegion))
    }

    /// Begins a value that may be null. Only called where there may be holes.
    mutating func openNullable() -> Int {
        regions.append(Region(start: bytes.count, end: bytes.count, parent: openRegion))
        openRegion = regions.count - 1
        return regions.count - 1
    }

    mutating func closeNullable(_ region: Int) {
        regions[region].end = bytes.count
        openRegion = regions[region].parent
    }

    /// Puts bytes before what is written from a place on.
    mutating func insert(_ inserted: [UInt8], at offset: Int) {
        replace(offset..<offset, with: inserted)
    }

    // MARK: Filling

    /// Takes the holes out, to be filled.
    mutating func takeHoles() -> [Hole] {
        defer { holes = [] }
        return holes
    }

    /// Puts the values of all holes in, which stand in the order of the holes. Nil is a null where none may be: the nearest
    /// value around it that may be null is null then.
    ///
    /// In one pass over the bytes: there may be a hole in each of ten thousand records.
    mutating func fill(_ holes: [Hole], with values: [[UInt8]?]) {
        var isCleared = Array(repeating: false, count: regions.count)
        for (hole, value) in zip(holes, values) where value == nil {
            guard let region = hole.region else {
                isNull = true
                return
            }
            isCleared[region] = true
        }
        var filled: [UInt8] = []
        filled.reserveCapacity(bytes.count + values.reduce(0) { $0 + ($1?.count ?? 0) })
        var place = 0
        var pending = Array(zip(holes, values))[...]
        func copy(to end: Int) {
            filled.append(contentsOf: bytes[place..<end])
            place = end
        }
        func fillHoles(upTo end: Int) {
            while let (hole, value) = pending.first, hole.offset <= end {
                copy(to: hole.offset)
                filled.append(contentsOf: value ?? [])
                pending.removeFirst()
            }
        }
        // They stand in the order in which they begin. One inside of another that is null is gone with that.
        for (number, region) in regions.enumerated() where isCleared[number] && region.start >= place {
            fillHoles(upTo: region.start)
            copy(to: region.start)
            JSONWriter.writeNull(to: &filled)
            place = region.end
            while let (hole, _) = pending.first, hole.offset < region.end { pending.removeFirst() }
        }
        fillHoles(upTo: bytes.count)
        copy(to: bytes.count)
        bytes = filled
        regions = []
    }

    private mutating func replace(_ range: Range<Int>, with inserted: [UInt8]) {
        bytes.replaceSubrange(range, with: inserted)
        let change = inserted.count - range.count
        for index in holes.indices where holes[index].offset >= range.upperBound { holes[index].offset += change }
        for index in regions.indices {
            if regions[index].end >= range.upperBound { regions[index].end += change }
            // A region that begins where something is put in has it inside, unless it was there before.
            if regions[index].start >= range.upperBound, regions[index].start > range.lowerBound {
                regions[index].start += change
            }
        }
    }
}
