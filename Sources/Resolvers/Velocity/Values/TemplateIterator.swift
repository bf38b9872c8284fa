/// Java's iterator: goes once through what a list or a map had, and fails when that was changed meanwhile.
final class TemplateIterator {
    let elements: [TemplateValue]
    private let source: TemplateContainer?
    private var changes: Int
    private(set) var index = 0

    init(_ elements: [TemplateValue], of source: TemplateContainer?) {
        self.elements = elements
        self.source = source
        changes = source?.changes ?? 0
    }

    /// A list that has another length by now has one, which then fails.
    var hasNext: Bool {
        if let list = source as? TemplateList { return index != list.count }
        return index < elements.count
    }
    /// The list or the map was changed by another than this.
    var isOutdated: Bool { source.map { $0.changes != changes } ?? false }

    func next() -> TemplateValue? {
        guard index < elements.count else { return nil }
        index += 1
        return elements[index - 1]
    }
}

/// `$foreach`: where a loop stands.
final class TemplateLoop {
    let parent: TemplateLoop?
    var index = -1
    var hasNext = false

    init(within parent: TemplateLoop?) {
        self.parent = parent
    }

    var topmost: TemplateLoop {
        var loop = self
        while let parent = loop.parent { loop = parent }
        return loop
    }
}
