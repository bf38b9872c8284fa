/// A list. Its elements stand one after the other as long as they are plain properties and not too far apart; otherwise it
/// is sparse, and they are properties like those of other objects.
package final class ScriptArray: ScriptObject {
    /// All elements of a list that is not sparse; `absent` is a hole.
    package private(set) var elements: ContiguousArray<Value>
    package private(set) var isSparse = false
    private var sparseLength: UInt32 = 0
    private(set) var isLengthWritable = true

    /// How far beyond the end an element may be put without making the list sparse.
    private static let gapMax = 1024

    package init(_ realm: Realm, _ elements: ContiguousArray<Value> = [], prototype: ScriptObject? = nil) {
        self.elements = elements
        super.init(realm, prototype: prototype ?? realm.prototype(.array))
        state.formUnion([.isExotic, .isArray])
        if !elements.isEmpty { charge(elements.count * 16) }
    }

    deinit {
        if state.contains(.isDead) { return }
        realm.heap.release(&elements)
    }

    override func clear() {
        super.clear()
        elements = []
    }

    package override var className: String { "Array" }

    package var length: UInt32 {
        isSparse ? sparseLength : UInt32(truncatingIfNeeded: elements.count)
    }

    /// Whether every element can be read from `elements` without asking a prototype or a getter.
    package var isPlain: Bool { !isSparse }

    // MARK: Fast ways, for the interpreter and the library

    /// The element at an index where it is a plain one.
    @inline(__always)
    package func element(at index: Int) -> Value? {
        guard index >= 0, index < elements.count else { return nil }
        let value = elements[index]
        return value.isAbsent ? nil : value
    }

    /// True if `append` and `replaceElements` do what assignments one after the other would do.
    package var canGrow: Bool {
        !isSparse && isLengthWritable && state.contains(.isExtensible) && !inheritsIndices
    }

    package func append(_ value: Value) throws(Thrown) {
        if elements.count >= realm.limits.listLength { throw .ended(.limit(.listLength)) }
        elements.append(value)
        charge(16)
    }

    /// Changes the elements of a list that `canGrow`.
    package func withElements<Answer>(
        _ change: (inout ContiguousArray<Value>) throws(Thrown) -> Answer
    ) throws(Thrown) -> Answer {
        let before = elements.count
        defer { charge((elements.count - before) * 16) }
        return try change(&elements)
    }

    func freezeLength() { isLengthWritable = false }

    private var inheritsIndices: Bool {
        var ancestor = prototype
        while let object = ancestor {
            if object.state.contains(.hasIndices) { return true }
            if object.state.contains(.isExotic) {
                guard let array = object as? ScriptArray, array.elements.isEmpty else { return true }
            }
            ancestor = object.prototype
        }
        return false
    }

    /// Makes every element a property.
    private func makeSparse() throws(Thrown) {
        if isSparse { return }
        isSparse = true
        sparseLength = UInt32(truncatingIfNeeded: elements.count)
        let all = elements
        elements = []
        charge(-all.count * 16)
        for (index, element) in all.enumerated() where !element.isAbsent {
            try append(PropertyKey(index: UInt32(truncatingIfNeeded: index)), element, .all)
        }
    }

    // MARK: Internal methods

    package override func ownProperty(_ key: PropertyKey) throws(Thrown) -> PropertyDescriptor? {
        if let index = key.index, !isSparse {
            return element(at: Int(index)).map { PropertyDescriptor(plain: $0) }
        }
        if key == .known(.length) {
            return PropertyDescriptor(
                .number(Double(length)), isWritable: isLengthWritable, isEnumerable: false, isConfigurable: false)
        }
        return ordinaryOwnProperty(key)
    }

    package override func has(_ key: PropertyKey) throws(Thrown) -> Bool {
        if key == .known(.length) { return true }
        if let index = key.index, !isSparse {
            if element(at: Int(index)) != nil { return true }
            return try prototype?.has(key) ?? false
        }
        return try super.has(key)
    }

    package override func get(_ key: PropertyKey, receiver: Value) throws(Thrown) -> Value {
        if let index = key.index, !isSparse {
            if let element = element(at: Int(index)) { return element }
            return try prototype?.get(key, receiver: receiver) ?? .undefined
        }
        if key == .known(.length) { return .number(Double(length)) }
        return try super.get(key, receiver: receiver)
    }

    package override func set(_ key: PropertyKey, _ value: Value, receiver: Value) throws(Thrown) -> Bool {
        if case .object(let object) = receiver, object === self {
            if let index = key.index, !isSparse {
                let index = Int(index)
                if index < elements.count, !elements[index].isAbsent {
                    elements[index] = value
                    return true
                }
                if index == elements.count, canGrow {
                    try append(value)
                    return true
                }
            }
        }
        // What is its own is asked for here, because the ordinary way looks into the table alone.
        if key.isIndex || key == .known(.length) {
            if let own = try ownProperty(key) {
                if own.isAccessor {
                    guard let setter = own.setter?.object else { return false }
                    _ = try realm.call(setter, this: receiver, [value])
                    return true
                }
                guard own.isWritable == true else { return false }
                return try Self.setOnReceiver(key, value, receiver)
            }
            guard let prototype else { return try Self.setOnReceiver(key, value, receiver) }
            return try prototype.set(key, value, receiver: receiver)
        }
        return try super.set(key, value, receiver: receiver)
    }

    package override func define(_ key: PropertyKey, _ new: PropertyDescriptor) throws(Thrown) -> Bool {
        if key == .known(.length) { return try defineLength(new) }
        guard let index = key.index else { return try ordinaryDefine(key, new) }
        if index >= length, !isLengthWritable { return false }
        if !isSparse {
            let isPlain =
                !new.isAccessor && new.isWritable != false && new.isEnumerable != false && new.isConfigurable != false
            let place = Int(index)
            if let old = element(at: place) {
                if isPlain {
                    elements[place] = new.value ?? old
                    return true
                }
            } else if isPlain, new.isWritable == true, new.isEnumerable == true, new.isConfigurable == true,
                place <= elements.count + Self.gapMax
            {
                guard state.contains(.isExtensible) else { return false }
                if place < elements.count {
                    elements[place] = new.value ?? .undefined
                } else {
                    while elements.count < place { try append(.absent) }
                    try append(new.value ?? .undefined)
                }
                return true
            }
            try makeSparse()
        }
        guard try ordinaryDefine(key, new) else { return false }
        if index >= sparseLength { sparseLength = index + 1 }
        return true
    }

    package override func delete(_ key: PropertyKey) throws(Thrown) -> Bool {
        if key == .known(.length) { return false }
        if let index = key.index, !isSparse {
            if Int(index) < elements.count { elements[Int(index)] = .absent }
            return true
        }
        return try super.delete(key)
    }

    package override func ownKeys() throws(Thrown) -> [PropertyKey] {
        var keys = try super.ownKeys()
        let firstName = keys.firstIndex { !$0.isIndex } ?? keys.count
        keys.insert(.known(.length), at: firstName)
        if isSparse { return keys }
        var all: [PropertyKey] = []
        all.reserveCapacity(elements.count + keys.count)
        for (index, element) in elements.enumerated() where !element.isAbsent {
            all.append(PropertyKey(index: UInt32(truncatingIfNeeded: index)))
        }
        return all + keys
    }

    package override func preventExtensions() throws(Thrown) -> Bool {
        // Holes of a list that cannot be extended stay holes: the ordinary way looks.
        if elements.contains(where: \.isAbsent) { try makeSparse() }
        return try super.preventExtensions()
    }

    /// ArraySetLength
    private func defineLength(_ new: PropertyDescriptor) throws(Thrown) -> Bool {
        var wanted: UInt32?
        if let value = new.value {
            let number = try realm.toUInt32(value)
            guard Double(number) == (try realm.toNumber(value)) else {
                throw realm.rangeError("Invalid array length")
            }
            wanted = number
        }
        if new.isConfigurable == true || new.isEnumerable == true || new.isAccessor { return false }
        if !isLengthWritable {
            if new.isWritable == true { return false }
            return wanted == nil || wanted == length
        }
        var isWhole = true
        if let wanted, wanted != length { isWhole = try setLength(wanted) }
        if new.isWritable == false { isLengthWritable = false }
        return isWhole
    }

    /// Deletes what is behind the new end, from the last on, up to what cannot be deleted. False where something cannot.
    package func setLength(_ new: UInt32) throws(Thrown) -> Bool {
        if !isSparse {
            if Int(new) <= elements.count {
                charge((Int(new) - elements.count) * 16)
                elements.removeSubrange(Int(new)...)
                return true
            }
            if Int(new) - elements.count <= Self.gapMax {
                while elements.count < Int(new) { try append(.absent) }
                return true
            }
            try makeSparse()
        }
        if new < sparseLength {
            let beyond = table.keys().compactMap(\.index).filter { $0 >= new }
            for index in beyond.reversed() where try !super.delete(PropertyKey(index: index)) {
                sparseLength = index + 1
                return false
            }
        }
        sparseLength = new
        return true
    }
}
