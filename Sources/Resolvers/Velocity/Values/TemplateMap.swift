import JSON

/// Java's `LinkedHashMap`: any value is a key, and keys keep their order.
///
/// A map of JSON stays as it is until something in it has to be shared or changed: most are only printed.
final class TemplateMap: TemplateContainer {
    struct Member {
        var key: TemplateKey
        var value: TemplateValue
    }

    private enum State {
        case json(JSONObject)
        case members([Member])
    }

    private var state: State
    /// Where keys stand, once there are many.
    private var places: [TemplateKey: Int]?
    private static let scanMax = 12

    /// Members that are found by their names and are not printed, nor gone through.
    var computed: [(String, TemplateValue)] = []

    init(_ object: JSONObject) {
        state = .json(object)
    }

    override init() {
        state = .members([])
    }

    var count: Int {
        switch state {
        case .json(let object): object.count
        case .members(let members): members.count
        }
    }

    /// What it was made of, if nothing has been shared or changed since.
    var json: JSONObject? {
        if case .json(let object) = state { object } else { nil }
    }

    /// The members, each with a value of its own. `run` makes the lists and maps within.
    func members(_ heap: TemplateHeap) -> [Member] {
        switch state {
        case .members(let members): return members
        case .json(let object):
            let members = object.members.map { Member(key: TemplateKey(.text($0.key)), value: heap.value($0.value)) }
            state = .members(members)
            index(members)
            return members
        }
    }

    /// The value of a key; nil: it is not there.
    func value(_ key: TemplateKey, _ heap: TemplateHeap) -> TemplateValue? {
        if case .json(let object) = state {
            guard case .text(let name) = key.value else { return nil }
            guard let found = object[name] else { return computed(name) }
            switch found {
            case .array, .object: break
            default: return heap.value(found)
            }
        }
        let members = members(heap)
        if let place = place(of: key, members) { return members[place].value }
        guard case .text(let name) = key.value else { return nil }
        return computed(name)
    }

    private func computed(_ name: String) -> TemplateValue? {
        computed.isEmpty ? nil : computed.first { $0.0 == name }?.1
    }

    func contains(_ key: TemplateKey, _ heap: TemplateHeap) -> Bool {
        if case .json(let object) = state {
            guard case .text(let name) = key.value else { return false }
            return object[name] != nil
        }
        return place(of: key, members(heap)) != nil
    }

    /// Puts a value, and gives the one that was there.
    @discardableResult
    func put(_ key: TemplateKey, _ value: TemplateValue, _ heap: TemplateHeap) -> TemplateValue? {
        var members = members(heap)
        state = .members([])
        defer { state = .members(members) }
        if let place = place(of: key, members) {
            let old = members[place].value
            members[place].value = value
            return old
        }
        members.append(Member(key: key, value: value))
        changed()
        if places != nil {
            places?[key] = members.count - 1
        } else if members.count > Self.scanMax {
            index(members)
        }
        return nil
    }

    @discardableResult
    func remove(_ key: TemplateKey, _ heap: TemplateHeap) -> TemplateValue? {
        var members = members(heap)
        guard let place = place(of: key, members) else { return nil }
        state = .members([])
        let old = members.remove(at: place).value
        index(members)
        state = .members(members)
        changed()
        return old
    }

    func removeAll() {
        state = .members([])
        places = nil
        changed()
    }

    override func clear() {
        state = .members([])
        places = nil
        computed = []
    }

    private func index(_ members: [Member]) {
        guard members.count > Self.scanMax else {
            places = nil
            return
        }
        places = Dictionary(members.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
    }

    private func place(of key: TemplateKey, _ members: [Member]) -> Int? {
        if let places { return places[key] }
        return members.firstIndex { $0.key == key }
    }
}
