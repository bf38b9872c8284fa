/// The keys, values or entries of a map. It follows the map, and what is taken out of it is taken out of the map.
struct TemplateView {
    enum Part {
        case keys, values, entries
    }

    let map: TemplateMap
    let part: Part

    func elements(_ heap: TemplateHeap) -> [TemplateValue] {
        let members = map.members(heap)
        return switch part {
        case .keys: members.map(\.key.value)
        case .values: members.map(\.value)
        case .entries: members.map { .entry(TemplateEntry(map: map, key: $0.key)) }
        }
    }
}

/// A member of a map.
final class TemplateEntry {
    let map: TemplateMap
    let key: TemplateKey

    init(map: TemplateMap, key: TemplateKey) {
        self.map = map
        self.key = key
    }

    func value(_ heap: TemplateHeap) -> TemplateValue { map.value(key, heap) ?? .null }
}
