import GraphQL
import JSON

/// A response as far as it is written: bytes, errors, and the holes where something outside has to be asked first.
///
///     {"getPost":{"title":"t","score":▯,"author":{"name":"n"}}}
///                ╰────────── region ──────────────────────╯     what becomes null when the hole must not be
///
/// Holes are filled from the last to the first, so that the places of those before stay right.
struct ResponsePiece: Sendable {
    var bytes: [UInt8] = []
    var errors: [GraphQLError] = []
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

    /// Puts a value into a hole. Later holes must have been filled before. Nil is a null where none may be.
    mutating func fill(_ hole: Hole, with value: [UInt8]?) {
        guard !isNull, let start = place(of: hole) else { return }
        if let value {
            replace(start..<start, with: value)
        } else if let region = hole.region {
            clear(region)
        } else {
            isNull = true
        }
    }

    /// Where a hole is; nil when it is in a region that became null.
    private func place(of hole: Hole) -> Int? {
        var region = hole.region
        while let number = region {
            if regions[number].end < 0 { return nil }
            region = regions[number].parent
        }
        return hole.offset
    }

    private mutating func clear(_ number: Int) {
        let (start, end) = (regions[number].start, regions[number].end)
        guard end >= start else { return }
        holes.removeAll { $0.offset >= start && $0.offset < end }
        replace(start..<end, with: Array("null".utf8))
        // Marked, so that nothing is filled in there any more.
        regions[number].end = -1
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
