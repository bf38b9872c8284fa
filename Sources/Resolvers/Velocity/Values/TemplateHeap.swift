import JSON

/// The lists and maps of one run.
final class TemplateHeap {
    private var containers: [TemplateContainer] = []

    func list(_ elements: [TemplateValue], form: TemplateList.Form = .list) -> TemplateList {
        let list = TemplateList(elements, form: form)
        containers.append(list)
        return list
    }

    func part(of list: TemplateList, _ range: Range<Int>) -> TemplateList {
        let part = TemplateList(partOf: list, range)
        containers.append(part)
        return part
    }

    func map() -> TemplateMap {
        let map = TemplateMap()
        containers.append(map)
        return map
    }

    func map(_ object: JSONObject) -> TemplateMap {
        let map = TemplateMap(object)
        containers.append(map)
        return map
    }

    /// JSON as Java's values.
    func value(_ json: JSONValue) -> TemplateValue {
        switch json {
        case .null: .null
        case .bool(let value): .bool(value)
        case .integer(let value): TemplateValue(value)
        case .double(let value): .double(value)
        case .largeInteger(let digits): Int128(digits).map { .large($0) } ?? .double(Double(digits) ?? .infinity)
        case .string(let value): .text(value)
        case .array(let elements): .list(list(elements.map { value($0) }))
        case .object(let object): .map(map(object))
        }
    }

    /// Takes all values out of all lists and maps.
    func release() {
        for container in containers { container.clear() }
        containers = []
    }
}
