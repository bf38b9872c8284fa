/// An item, or a map within one: attributes by name. Their order is free; here it is that of the bytes of the names, so that
/// one is found by halving, whatever a request has made of an item.
package struct Item: Sendable, Equatable {
    /// A name and its value.
    package struct Attribute: Sendable, Equatable {
        package let name: String
        package var value: ItemValue

        package init(name: String, value: ItemValue) {
            self.name = name
            self.value = value
        }

        package static func == (left: Attribute, right: Attribute) -> Bool {
            left.name.compareBytes(to: right.name) == 0 && left.value == right.value
        }
    }

    /// In the order of the bytes of their names, each of which is there once.
    package private(set) var attributes: [Attribute]

    package init() { attributes = [] }

    /// An item of these attributes. Of two with one name the last is taken.
    package init(_ attributes: some Sequence<(String, ItemValue)>) {
        self.init(unordered: attributes.map { Attribute(name: $0, value: $1) })
    }

    init(unordered: [Attribute]) {
        attributes = unordered
        let isOrdered = zip(unordered, unordered.dropFirst()).allSatisfy { $0.name.compareBytes(to: $1.name) < 0 }
        guard !isOrdered else { return }
        // The sort is stable: of attributes with one name the last one stands last.
        attributes.sort { $0.name.compareBytes(to: $1.name) < 0 }
        var kept: [Attribute] = []
        kept.reserveCapacity(attributes.count)
        for attribute in attributes {
            if let last = kept.last, last.name.compareBytes(to: attribute.name) == 0 { kept.removeLast() }
            kept.append(attribute)
        }
        attributes = kept
    }

    package var count: Int { attributes.count }
    package var isEmpty: Bool { attributes.isEmpty }
    package var names: [String] { attributes.map(\.name) }

    /// The value of that name; setting nil takes the attribute out.
    package subscript(name: String) -> ItemValue? {
        get {
            let (place, isThere) = place(of: name)
            return isThere ? attributes[place].value : nil
        }
        set {
            let (place, isThere) = place(of: name)
            switch (newValue, isThere) {
            case (let value?, true): attributes[place].value = value
            case (let value?, false): attributes.insert(Attribute(name: name, value: value), at: place)
            case (nil, true): attributes.remove(at: place)
            case (nil, false): break
            }
        }
    }

    /// Changes the value of that name in its place, without a copy; nil when there is none.
    mutating func change<Answer, Failure>(
        _ name: String, _ body: (inout ItemValue) throws(Failure) -> Answer
    ) throws(Failure) -> Answer? {
        let (place, isThere) = place(of: name)
        guard isThere else { return nil }
        return try body(&attributes[place].value)
    }

    /// Sets these attributes, and takes those out that have no value. They come in the order of the bytes of their names, each
    /// once: many are merged in one go.
    mutating func merge(_ changes: [(name: String, value: ItemValue?)]) {
        guard changes.count > Self.fewChanges else {
            for change in changes { self[change.name] = change.value }
            return
        }
        var merged: [Attribute] = []
        merged.reserveCapacity(attributes.count + changes.count)
        var rest = attributes[...]
        for change in changes {
            while let first = rest.first {
                let difference = first.name.compareBytes(to: change.name)
                if difference < 0 { merged.append(first) }
                if difference <= 0 { rest = rest.dropFirst() }
                if difference >= 0 { break }
            }
            if let value = change.value { merged.append(Attribute(name: change.name, value: value)) }
        }
        attributes = merged + rest
    }

    /// Up to this many are changed one by one.
    private static let fewChanges = 4

    /// Where the attribute of that name stands, or would stand.
    private func place(of name: String) -> (place: Int, isThere: Bool) {
        var low = 0
        var high = attributes.count
        while low < high {
            let middle = (low + high) / 2
            let difference = attributes[middle].name.compareBytes(to: name)
            if difference == 0 { return (middle, true) }
            if difference < 0 { low = middle + 1 } else { high = middle }
        }
        return (low, false)
    }
}

extension Item: Sequence {
    package func makeIterator() -> IndexingIterator<[Attribute]> { attributes.makeIterator() }
}

extension Item: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, ItemValue)...) {
        self.init(elements)
    }
}
