import JSON

/// Java's list: an `ArrayList`, a part of one (`subList`), or an array, which keeps its length.
final class TemplateList: TemplateContainer {
    enum Form {
        case list, array
    }

    /// The list that this is a part of, and where it begins there.
    private struct Base {
        let list: TemplateList
        let start: Int
        /// Changes of the list that this part knows.
        var seen: Int
    }

    let form: Form
    private var own: [TemplateValue]
    private var base: Base?
    private var length = 0

    init(_ elements: [TemplateValue], form: Form = .list) {
        own = elements
        self.form = form
    }

    init(partOf list: TemplateList, _ range: Range<Int>) {
        own = []
        form = .list
        base = Base(list: list, start: range.lowerBound, seen: list.changes)
        length = range.count
    }

    /// Whether the list that this is a part of was changed by others.
    var isOutdated: Bool {
        guard let base else { return false }
        return base.seen != base.list.changes || base.list.isOutdated
    }

    var count: Int { base == nil ? own.count : length }

    /// The elements. Those of a part are copied.
    var elements: [TemplateValue] {
        guard let base else { return own }
        let all = base.list.elements
        let end = min(base.start + length, all.count)
        return base.start < end ? Array(all[base.start..<end]) : []
    }

    /// The element at that index, which the caller has compared with `count`.
    subscript(index: Int) -> TemplateValue {
        get {
            guard let base else { return own.indices.contains(index) ? own[index] : .null }
            return base.list[base.start + index]
        }
        set {
            guard let base else {
                if own.indices.contains(index) { own[index] = newValue }
                return
            }
            base.list[base.start + index] = newValue
        }
    }

    func insert(_ values: [TemplateValue], at index: Int) {
        if let base {
            base.list.insert(values, at: base.start + index)
            length += values.count
            self.base?.seen = base.list.changes
        } else {
            own.insert(contentsOf: values, at: min(index, own.count))
        }
        changed()
    }

    func append(_ value: TemplateValue) {
        guard base == nil else { return insert([value], at: count) }
        own.append(value)
        changed()
    }

    func remove(_ range: Range<Int>) {
        if let base {
            base.list.remove((base.start + range.lowerBound)..<(base.start + range.upperBound))
            length -= range.count
            self.base?.seen = base.list.changes
        } else {
            own.removeSubrange(range.clamped(to: 0..<own.count))
        }
        changed()
    }

    func replace(with values: [TemplateValue]) {
        remove(0..<count)
        insert(values, at: 0)
    }

    override func clear() {
        own = []
        base = nil
        length = 0
    }
}
