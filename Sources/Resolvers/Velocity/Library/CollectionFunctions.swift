import JSON

/// `$util.list` and `$util.map`: new lists and maps of others.
enum CollectionFunctions {
    /// Lists of more elements come back as they are.
    private static let sortedMax = 1_000

    static let all = [
        OwnFunction("util.list.copyAndRetainAll", 2) { arguments, run throws(TemplateExit) in
            try filtered(arguments, run, isKept: true)
        },
        OwnFunction("util.list.copyAndRemoveAll", 2) { arguments, run throws(TemplateExit) in
            try filtered(arguments, run, isKept: false)
        },
        OwnFunction("util.list.sortList", 3) { arguments, run throws(TemplateExit) in
            guard let elements = try run.elements(of: arguments[0]), case .bool(let isDescending) = arguments[1] else {
                return .null
            }
            let field = arguments[2].isNull ? "" : try run.text(of: arguments[2])
            return try run.list(try sorted(elements, by: field, isDescending, run))
        },
        OwnFunction("util.map.copyAndRetainAllKeys", 2) { arguments, run throws(TemplateExit) in
            try filteredMap(arguments, run, isKept: true)
        },
        OwnFunction("util.map.copyAndRemoveAllKeys", 2) { arguments, run throws(TemplateExit) in
            try filteredMap(arguments, run, isKept: false)
        },
    ]

    private static func filtered(
        _ arguments: [TemplateValue], _ run: TemplateRun, isKept: Bool
    ) throws(TemplateExit) -> TemplateValue {
        guard let elements = try run.elements(of: arguments[0]), let others = try run.elements(of: arguments[1]) else {
            return .null
        }
        var kept: [TemplateValue] = []
        for element in elements where try run.contains(element, in: others) == isKept { kept.append(element) }
        return try run.list(kept)
    }

    private static func filteredMap(
        _ arguments: [TemplateValue], _ run: TemplateRun, isKept: Bool
    ) throws(TemplateExit) -> TemplateValue {
        guard case .map(let map) = arguments[0], let keys = try run.elements(of: arguments[1]) else { return .null }
        let copy = try run.map()
        for member in map.members(run.heap) where try run.contains(member.key.value, in: keys) == isKept {
            try run.put(member.key, member.value, in: copy)
        }
        return .map(copy)
    }

    // MARK: - Sorting

    /// All texts, all numbers, or all maps by a field that is one of these. What is mixed stays as it is.
    private static func sorted(
        _ elements: [TemplateValue], by field: String, _ isDescending: Bool, _ run: TemplateRun
    ) throws(TemplateExit) -> [TemplateValue] {
        guard elements.count <= sortedMax else { return elements }
        var keys: [TemplateValue] = []
        for element in elements {
            if case .map(let map) = element {
                keys.append(map.value(TemplateKey(.text(field)), run.heap) ?? .null)
            } else {
                keys.append(element)
            }
        }
        let maps = elements.count { if case .map = $0 { true } else { false } }
        let texts = keys.compactMap { key -> String? in if case .text(let text) = key { text } else { nil } }
        let areTexts = texts.count == keys.count
        guard maps == 0 || maps == elements.count, areTexts || keys.allSatisfy(\.isNumber) else { return elements }
        try run.count(elements.count * 10)
        let order = keys.indices.sorted { left, right in
            let order =
                areTexts
                ? Int(TemplateRun.order(texts[left], texts[right])) : run.order(keys[left], keys[right]) ?? 0
            if order == 0 { return left < right }
            return isDescending ? order > 0 : order < 0
        }
        return order.map { elements[$0] }
    }
}
