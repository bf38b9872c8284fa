import JSON

/// A response as it is written: bytes, errors, where the value is that is being written, and the holes where something has to
/// be asked first. Rows, values, events and what introspection tells are sources over it.
///
///     {"getPost":{"title":"t","score":▯,"author":{"name":"n"}}}
///                ╰────────── region ──────────────────────╯     what becomes null when the hole must not be
///
/// It knows how long it may get, its errors included: whoever writes asks `isTooLong` behind each value.
package struct ResponseWriter: Sendable {
    package var bytes: [UInt8] = []
    /// Where the value is that is being written.
    package var path = ResponsePath()
    package private(set) var errors: [GraphQLError] = []
    /// How many bytes there may be, beside the errors.
    private var room: Int
    private let countsErrors: Bool
    /// How many bytes there may be before whoever writes looks at more than their number. Hot path: one comparison for
    /// each value that is written.
    package private(set) var mark: Int
    package private(set) var holes: [Hole] = []
    private var regions: [Region] = []
    private var openRegion: Int?
    /// True if the bytes begin with what stands before the data.
    private var isResponse = false
    /// Nothing is left: a null went through everything around it.
    package var isNull = false

    /// A place where a value is missing.
    package struct Hole: Sendable {
        fileprivate(set) var offset: Int
        /// By which whoever has left it knows what belongs there.
        package let number: Int
        /// True if null must not be there.
        package let isNonNull: Bool
        package let path: ResponsePath
        fileprivate let region: Int?
    }

    /// The bytes of a value that may be null, with holes in it.
    private struct Region: Sendable {
        var start: Int
        var end: Int
        let parent: Int?
    }

    // MARK: Length

    /// Bytes between two looks at the time: some tens of microseconds.
    private static let bytesPerLook = 64 << 10

    package var isTooLong: Bool { bytes.count > room }

    /// How many bytes still fit.
    package var bytesLeft: Int { max(0, room - bytes.count) }

    /// What it takes of a response, its errors included.
    package var byteCount: Int { errors.reduce(bytes.count) { $0 + $1.byteCount } }

    /// Goes on after a look at length and time.
    package mutating func moveMark() { mark = min(room, bytes.count + Self.bytesPerLook) }

    // MARK: Path

    /// Goes to the value of a field.
    @inlinable
    package mutating func enter(_ responseName: String) { path.steps.append(.name(responseName)) }

    /// Goes to the elements of a list, of which the first is the first.
    @inlinable
    package mutating func enterList() { path.steps.append(.index(0)) }

    /// Goes on to another element.
    @inlinable
    package mutating func move(to index: Int) { path.steps[path.steps.count - 1] = .index(index) }

    /// Goes back to what is around.
    @inlinable
    package mutating func leave() { path.steps.removeLast() }

    package mutating func leave(to depth: Int) { path.steps.removeLast(path.steps.count - depth) }

    // MARK: Errors

    package mutating func add(_ error: GraphQLError) {
        errors.append(error)
        guard countsErrors else { return }
        room -= error.byteCount
        mark = min(mark, room)
    }

    package mutating func add(_ errors: [GraphQLError]) {
        for error in errors { add(error) }
    }

    /// Forgets the errors behind the first ones: what they speak of is not in the response.
    package mutating func forgetErrors(behind count: Int) {
        while errors.count > count {
            let error = errors.removeLast()
            if countsErrors { room += error.byteCount }
        }
    }

    /// An error of the engine itself: it has a path and no place in the document.
    package mutating func report(_ message: String) { add(GraphQLError(message, path: path)) }

    // MARK: Completion

    /// Completes a value that is null. Where none may be, AppSync's error says so, unless one `isExplained` by another: the
    /// name of a list type is left out of it.
    package mutating func completeNull(
        _ type: TypeUse, named name: @autoclosure () -> String, in parent: String, isExplained: Bool = false
    ) -> Completion {
        JSONWriter.writeNull(to: &bytes)
        guard type.isNonNull else { return .null }
        if !isExplained {
            report(
                "Cannot return null for non-nullable type: '\(type.isList ? "null" : name())' within parent '\(parent)' "
                    + "(\(path))")
        }
        return .broken
    }

    /// Completes a value in place of which there is an error.
    package mutating func completeFailure(_ type: TypeUse) -> Completion {
        JSONWriter.writeNull(to: &bytes)
        return type.isNonNull ? .broken : .null
    }

    /// Completes an object or a list, which was written from a place on: what is broken inside of it takes it back.
    package mutating func complete(_ type: TypeUse, _ inside: Completion, from start: Int) -> Completion {
        guard inside.isBroken else { return .written }
        rewind(to: start)
        return completeFailure(type)
    }

    /// Ends an object, whose members stand there, each with a comma before it: the first comma becomes the brace.
    @inlinable @inline(__always)
    package mutating func endObject(from start: Int) {
        if bytes.count > start {
            bytes[start] = UInt8(ascii: "{")
        } else {
            bytes.append(UInt8(ascii: "{"))
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Goes back to an earlier place: what was written behind it is gone, holes too.
    package mutating func rewind(to offset: Int) {
        bytes.removeLast(bytes.count - offset)
        while let last = holes.last, last.offset >= offset { holes.removeLast() }
    }

    // MARK: Whole

    private static let responseStart = Array(#"{"data":"#.utf8)

    /// Writes what stands before the data. Hot path: so the response need not be copied behind it when it is whole.
    package mutating func beginResponse(expecting count: Int) {
        bytes.reserveCapacity(count)
        bytes.append(contentsOf: Self.responseStart)
        isResponse = true
    }

    /// `{"data":…}`, and `"errors"` behind it when there are any. The bytes are gone then.
    package mutating func takeResponse(
        writingErrors write: ([GraphQLError], inout [UInt8]) -> Void = { GraphQLError.write($0, to: &$1) }
    ) -> [UInt8] {
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
            write(errors, &response)
        }
        response.append(UInt8(ascii: "}"))
        return response
    }
}

extension ResponseWriter {
    /// `countsErrors` says whether the errors take of the room, too.
    ///
    /// Hot path: what is set all at once is not copied.
    package init(bytesMax: Int, at path: ResponsePath = ResponsePath(), countsErrors: Bool = true) {
        self.init(
            path: path, room: bytesMax, countsErrors: countsErrors, mark: min(bytesMax, Self.bytesPerLook))
    }
}

// MARK: - Holes

extension ResponseWriter {
    @inlinable package var hasHoles: Bool { !holes.isEmpty }

    /// Leaves a hole here, for something that its source knows by a number.
    package mutating func leaveHole(_ number: Int, _ type: TypeUse) {
        holes.append(
            Hole(offset: bytes.count, number: number, isNonNull: type.isNonNull, path: path, region: openRegion))
    }

    /// Begins a value that may be null. Only called where there may be holes.
    package mutating func openNullable() -> Int {
        regions.append(Region(start: bytes.count, end: bytes.count, parent: openRegion))
        openRegion = regions.count - 1
        return regions.count - 1
    }

    package mutating func closeNullable(_ region: Int) {
        regions[region].end = bytes.count
        openRegion = regions[region].parent
    }

    /// Puts bytes before what is written from a place on.
    package mutating func insert(_ inserted: [UInt8], at offset: Int) {
        bytes.insert(contentsOf: inserted, at: offset)
        for index in holes.indices where holes[index].offset >= offset { holes[index].offset += inserted.count }
        for index in regions.indices {
            if regions[index].end >= offset { regions[index].end += inserted.count }
            // A region that begins where something is put in has it inside.
            if regions[index].start > offset { regions[index].start += inserted.count }
        }
    }

    /// The hole, where there is one alone.
    package var onlyHole: Hole? { holes.count == 1 ? holes.first : nil }

    /// Takes the holes out, to be filled.
    package mutating func takeHoles() -> [Hole] {
        defer { holes = [] }
        return holes
    }

    /// Puts the values of all holes in, which stand in the order of the holes. Nil is a null where none may be: the nearest
    /// value around it that may be null is null then.
    ///
    /// In one pass over the bytes: there may be a hole in each of ten thousand records.
    package mutating func fill(_ holes: [Hole], with values: [[UInt8]?]) {
        if holes.count == 1, let hole = holes.first, let value = values.first ?? nil {
            bytes.insert(contentsOf: value, at: hole.offset)
            regions = []
            return
        }
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
}
