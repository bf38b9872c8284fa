/// Methods that change the list they are called on.
extension ArrayLibrary {
    /// The greatest length that a list-like object can have: 2^53 - 1.
    static let lengthMax = 9_007_199_254_740_991.0

    static let changes: [NativeProperty] = [
        .method("pop", length: 0) { call throws(Thrown) in
            let object = try call.thisObject()
            let length = try call.realm.length(of: object)
            guard length > 0 else {
                try object.set(.length, .number(0))
                return .undefined
            }
            let key = call.realm.key(index: length - 1)
            let value = try object.get(key)
            try object.deleteOrThrow(key)
            try object.set(.length, .number(length - 1))
            return value
        },
        .method("shift", length: 0) { call throws(Thrown) in
            let object = try call.thisObject()
            if let array = object as? ScriptArray, isSolid(array), array.canGrow {
                try call.realm.spend(array.elements.count >> 4)
                return try array.withElements { (elements) throws(Thrown) in elements.removeFirst() }
            }
            let length = try call.realm.length(of: object)
            guard length > 0 else {
                try object.set(.length, .number(0))
                return .undefined
            }
            let first = try object.get(index: 0)
            try move(object, from: 1, to: 0, count: length - 1, isBackwards: false)
            try object.deleteOrThrow(call.realm.key(index: length - 1))
            try object.set(.length, .number(length - 1))
            return first
        },
        .method("unshift", length: 1) { call throws(Thrown) in
            let object = try call.thisObject()
            let length = try call.realm.length(of: object)
            let count = Double(call.count)
            if count > 0 {
                try checkLength(length + count, object)
                try move(object, from: 0, to: count, count: length, isBackwards: true)
                for index in 0..<call.count { try object.set(index: Double(index), call[index]) }
            }
            try object.set(.length, .number(length + count))
            return .number(length + count)
        },
        .method("splice", length: 2) { call throws(Thrown) in
            let realm = call.realm
            let object = try call.thisObject()
            let length = try realm.length(of: object)
            let start = try call.position(0, of: length)
            let added = Double(max(call.count - 2, 0))
            let removed = try removedCount(call, length, start)
            try checkLength(length + added - removed, object)
            let result = try speciesCreate(object, removed)
            var index = 0.0
            while index < removed {
                try realm.spend()
                if let value = try element(object, start + index) { try result.create(realm.key(index: index), value) }
                index += 1
            }
            try result.set(.length, .number(removed))
            if added != removed {
                try move(
                    object, from: start + removed, to: start + added, count: length - start - removed,
                    isBackwards: added > removed)
            }
            index = length
            while index > length - removed + added {
                try realm.spend()
                try object.deleteOrThrow(realm.key(index: index - 1))
                index -= 1
            }
            for number in 2..<max(call.count, 2) { try object.set(index: start + Double(number - 2), call[number]) }
            try object.set(.length, .number(length - removed + added))
            return .object(result)
        },
        .method("reverse", length: 0) { call throws(Thrown) in
            let realm = call.realm
            let object = try call.thisObject()
            let length = try realm.length(of: object)
            var lower = 0.0
            while lower < (length / 2).rounded(.down) {
                try realm.spend()
                let (low, high) = (realm.key(index: lower), realm.key(index: length - 1 - lower))
                let first = try object.has(low) ? try object.get(low) : nil
                let last = try object.has(high) ? try object.get(high) : nil
                if let last { try object.set(low, last) } else if first != nil { try object.deleteOrThrow(low) }
                if let first { try object.set(high, first) } else if last != nil { try object.deleteOrThrow(high) }
                lower += 1
            }
            return .object(object)
        },
        .method("fill", length: 1) { call throws(Thrown) in
            let object = try call.thisObject()
            let length = try call.realm.length(of: object)
            var index = try call.position(1, of: length)
            let end = try call.position(2, of: length, otherwise: length)
            while index < end {
                try call.realm.spend()
                try object.set(index: index, call[0])
                index += 1
            }
            return .object(object)
        },
        .method("copyWithin", length: 2) { call throws(Thrown) in
            let object = try call.thisObject()
            let length = try call.realm.length(of: object)
            let target = try call.position(0, of: length)
            let start = try call.position(1, of: length)
            let end = try call.position(2, of: length, otherwise: length)
            let count = min(end - start, length - target)
            let isBackwards = start < target && target < start + count
            try move(object, from: start, to: target, count: count, isBackwards: isBackwards)
            return .object(object)
        },
        .method("sort", length: 1) { call throws(Thrown) in
            let realm = call.realm
            let comparison = try comparison(call)
            let object = try call.thisObject()
            let length = try realm.length(of: object)
            var values: [Value] = []
            var index = 0.0
            while index < length {
                try realm.spend()
                if let value = try element(object, index) { try append(value, to: &values, realm) }
                index += 1
            }
            values = try sorted(values, comparison, realm)
            for (place, value) in values.enumerated() { try object.set(index: Double(place), value) }
            index = Double(values.count)
            while index < length {
                try realm.spend()
                let key = realm.key(index: index)
                if try object.has(key) { try object.deleteOrThrow(key) }
                index += 1
            }
            return .object(object)
        },
    ]

    /// A list without holes, all of whose elements are plain.
    static func isSolid(_ array: ScriptArray) -> Bool {
        array.isPlain && !array.elements.isEmpty && !array.elements.contains { $0.isAbsent }
    }

    /// How many elements `splice` and `toSpliced` take away: all that follow where they are told no number.
    static func removedCount(
        _ call: NativeCall, _ length: Double, _ start: Double
    ) throws(Thrown) -> Double {
        switch call.count {
        case 0: 0
        case 1: length - start
        default: min(max(try call.integer(1), 0), length - start)
        }
    }

    static func checkLength(_ length: Double, _ object: ScriptObject) throws(Thrown) {
        guard length > lengthMax else { return }
        throw object.realm.typeError("Invalid array length")
    }

    /// Moves elements, holes too. Where the places overlap, the caller says the direction in which none is overwritten
    /// before it was read.
    private static func move(
        _ object: ScriptObject, from start: Double, to target: Double, count: Double, isBackwards: Bool
    ) throws(Thrown) {
        let realm = object.realm
        var index = isBackwards ? count - 1 : 0
        while isBackwards ? index >= 0 : index < count {
            try realm.spend()
            let key = realm.key(index: target + index)
            if let value = try element(object, start + index) {
                try object.set(key, value)
            } else {
                try object.deleteOrThrow(key)
            }
            index += isBackwards ? -1 : 1
        }
    }

    static func append(_ value: Value, to values: inout [Value], _ realm: Realm) throws(Thrown) {
        if values.count >= realm.limits.listLength { throw .ended(.limit(.listLength)) }
        values.append(value)
    }

    // MARK: Order

    /// What a list is sorted by: the callback, or nothing where its texts are compared.
    static func comparison(_ call: NativeCall) throws(Thrown) -> ScriptObject? {
        if call[0].isUndefined { return nil }
        guard case .object(let object) = call[0], object.isCallable else {
            throw call.realm.typeError("The comparison function must be either a function or undefined")
        }
        return object
    }

    /// The values in order, those that are undefined at the end; equal ones stay as they were.
    static func sorted(
        _ values: [Value], _ comparison: ScriptObject?, _ realm: Realm
    ) throws(Thrown) -> [Value] {
        var (defined, undefined): ([Value], [Value]) = ([], [])
        for value in values {
            if value.isUndefined { undefined.append(value) } else { defined.append(value) }
        }
        // One value alone is compared with nothing, so that nobody asks for its text.
        if defined.count < 2 { return defined + undefined }
        guard let comparison else {
            var texts: [(units: [UInt16], value: Value)] = []
            for value in defined { texts.append((try realm.toText(value).units, value)) }
            let inOrder = try merged(texts, realm) { (left, right) throws(Thrown) -> Bool in
                right.units.lexicographicallyPrecedes(left.units)
            }
            return inOrder.map(\.value) + undefined
        }
        let inOrder = try TimSort.sort(defined, realm) { (left, right) throws(Thrown) -> Double in
            let order = try realm.toNumber(try realm.call(comparison, this: .undefined, [left, right]))
            return order.isNaN ? 0 : order
        }
        return inOrder + undefined
    }

    /// Sorts by merging runs that grow: equal ones stay as they were.
    private static func merged<Element>(
        _ list: [Element], _ realm: Realm, _ isBehind: (Element, Element) throws(Thrown) -> Bool
    ) throws(Thrown) -> [Element] {
        var list = list
        var width = 1
        while width < list.count {
            var next: [Element] = []
            next.reserveCapacity(list.count)
            var start = 0
            while start < list.count {
                let middle = min(start + width, list.count)
                let end = min(middle + width, list.count)
                var (left, right) = (start, middle)
                while left < middle || right < end {
                    try realm.spend()
                    var takesRight = left == middle
                    if !takesRight, right < end { takesRight = try isBehind(list[left], list[right]) }
                    next.append(list[takesRight ? right : left])
                    if takesRight { right += 1 } else { left += 1 }
                }
                start = end
            }
            list = next
            width *= 2
        }
        return list
    }
}
