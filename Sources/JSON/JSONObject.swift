/// A JSON object: members in the order in which they were written, found by key.
///
/// A key is there once: setting it again replaces the value and keeps the place, as JavaScript does.
/// Two objects are equal when they have the same members, whatever their order.
package struct JSONObject: Sendable {
    /// A key and its value.
    package struct Member: Sendable, Equatable {
        package let key: String
        package var value: JSONValue

        package init(key: String, value: JSONValue) {
            self.key = key
            self.value = value
        }

        package static func == (left: Member, right: Member) -> Bool {
            ByteText(left.key) == ByteText(right.key) && left.value == right.value
        }
    }

    /// The members in their order.
    package private(set) var members: [Member] = []

    /// Where each key stands, once there are too many to look through them one by one: an object with a hundred
    /// thousand keys in a request must not cost the square of that.
    private var places: [ByteText: Int]?

    /// Up to this many members are compared one by one, which is faster than hashing.
    private static let scanMax = 16
    private static let firstRoom = 6

    package init() {}

    /// An object that takes so many members without growing.
    package init(room count: Int) {
        members.reserveCapacity(count)
    }

    /// An object of members of which each has a key of its own.
    package init(distinct members: [Member]) {
        self.members = members
        if members.count > Self.scanMax { indexPlaces() }
    }

    /// The same of a list: what is generic costs several times as much where a room calls it that cannot see it.
    package init(_ members: [(String, JSONValue)]) {
        self.members.reserveCapacity(members.count)
        for (key, value) in members { set(key, to: value) }
    }

    package init(_ members: some Sequence<(String, JSONValue)>) {
        for (key, value) in members { set(key, to: value) }
    }

    package var count: Int { members.count }
    package var isEmpty: Bool { members.isEmpty }
    package var keys: [String] { members.map(\.key) }

    /// The value of that key; setting nil removes the member.
    package subscript(key: String) -> JSONValue? {
        get { place(of: key).map { members[$0].value } }
        set {
            if let newValue { set(key, to: newValue) } else { remove(key) }
        }
    }

    /// The value of that key, which is looked for at a place first. The place moves behind what was found.
    ///
    /// Hot path: whoever asks for the members in their order compares each key once.
    package func value(of key: String, near place: inout Int) -> JSONValue? {
        if place < members.count, ByteText(members[place].key) == ByteText(key) {
            defer { place += 1 }
            return members[place].value
        }
        guard let found = self.place(of: key) else { return nil }
        place = found + 1
        return members[found].value
    }

    // Hot path: no value is copied for these questions.

    /// True if there is no value of that key, or null.
    package func isMissing(_ key: String) -> Bool { place(of: key).map { isNull(at: $0) } ?? true }

    /// True if there is a null of that key.
    package func isNull(_ key: String) -> Bool { place(of: key).map { isNull(at: $0) } ?? false }

    private func isNull(at place: Int) -> Bool {
        members.withUnsafeBufferPointer { if case .null = $0[place].value { true } else { false } }
    }

    /// True if the value of that key is a text of no bytes.
    package func isEmptyText(_ key: String) -> Bool {
        guard let place = place(of: key) else { return false }
        return members.withUnsafeBufferPointer {
            if case .string(let text) = $0[place].value { text.utf8.isEmpty } else { false }
        }
    }

    /// Makes room for more members: whoever adds several has them copied once.
    package mutating func makeRoom(for count: Int) { members.reserveCapacity(members.count + count) }

    /// Makes `value` the value of that key: in its place, or at the end when it is new.
    package mutating func set(_ key: String, to value: JSONValue) {
        if let place = place(of: key) {
            members[place].value = value
            return
        }
        // An array that grows from nothing makes room for one, two, four and eight. Most records have five or six fields that are sent.
        if members.isEmpty { members.reserveCapacity(Self.firstRoom) }
        members.append(Member(key: key, value: value))
        if places != nil {
            places?[ByteText(key)] = members.count - 1
        } else if members.count > Self.scanMax {
            indexPlaces()
        }
    }

    /// Takes that member out; the others keep their order.
    package mutating func remove(_ key: String) {
        guard let place = place(of: key) else { return }
        members.remove(at: place)
        if places != nil { indexPlaces() }
    }

    private mutating func indexPlaces() {
        places = Dictionary(uniqueKeysWithValues: members.enumerated().map { (ByteText($1.key), $0) })
    }

    private func place(of key: String) -> Int? {
        if let places { return places[ByteText(key)] }
        // Hot path: keys alone are looked at, because a member that is looked at as a whole is copied.
        return members.withUnsafeBufferPointer { members in
            for place in 0..<members.count where ByteText(members[place].key) == ByteText(key) { return place }
            return nil
        }
    }
}

extension JSONObject: Equatable {
    package static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.count == right.count && left.members.allSatisfy { right[$0.key] == $0.value }
    }
}

extension JSONObject: Sequence {
    package func makeIterator() -> IndexingIterator<[Member]> { members.makeIterator() }
}
