/// Methods of Java's maps and their entries.
extension TemplateRun {
    func callMap(
        _ method: MethodName, _ arguments: [TemplateValue], _ map: TemplateMap
    ) throws(TemplateExit) -> TemplateValue? {
        let key = TemplateKey(arguments.first ?? .null)
        switch (method, arguments.count) {
        case (.size, 0): return .integer(Int32(clamping: map.count))
        case (.isEmpty, 0): return .bool(map.count == 0)
        case (.get, 1): return map.value(key, heap) ?? .null
        case (.getOrDefault, 2): return map.value(key, heap) ?? arguments[1]
        case (.containsKey, 1): return .bool(map.contains(key, heap))
        case (.containsValue, 1): return .bool(try contains(arguments[0], in: map.members(heap).map(\.value)))
        case (.keySet, 0): return .view(TemplateView(map: map, part: .keys))
        case (.values, 0): return .view(TemplateView(map: map, part: .values))
        case (.entrySet, 0): return .view(TemplateView(map: map, part: .entries))
        case (.put, 2): return try put(key, arguments[1], in: map)
        case (.putIfAbsent, 2):
            if let old = map.value(key, heap), !old.isNull { return old }
            try put(key, arguments[1], in: map)
            return .null
        case (.putAll, 1):
            guard case .map(let other) = arguments[0] else { return nil }
            for member in other.members(heap) { try put(member.key, member.value, in: map) }
            return .text("")
        case (.replace, 2):
            guard map.contains(key, heap) else { return .null }
            return try put(key, arguments[1], in: map)
        case (.remove, 1):
            try count(1 + map.count / VelocityLimits.bytesPerStep)
            return map.remove(key, heap) ?? .null
        case (.remove, 2):
            guard let value = map.value(key, heap), try equals(value, arguments[1]) else { return .bool(false) }
            try count(1 + map.count / VelocityLimits.bytesPerStep)
            map.remove(key, heap)
            return .bool(true)
        case (.clear, 0):
            map.removeAll()
            return .text("")
        default: return nil
        }
    }

    func callEntry(
        _ method: MethodName, _ arguments: [TemplateValue], _ entry: TemplateEntry
    ) throws(TemplateExit) -> TemplateValue? {
        switch (method, arguments.count) {
        case (.getKey, 0): return entry.key.value
        case (.getValue, 0): return entry.value(heap)
        case (.setValue, 1): return try put(entry.key, arguments[0], in: entry.map)
        default: return nil
        }
    }
}
