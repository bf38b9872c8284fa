/// The arguments and input fields of a schema that say nothing but a name and a type: those that say the same are one object.
///
/// A generated schema has the same few over and over, such as `limit: Int` and `title: ModelStringInput`.
struct InputPool {
    private var names = NameTable()
    /// The last ones of each name, by the number of the name.
    private var recent: [[InputValue]] = []

    /// How many of a name are looked through.
    private static let recentMax = 8

    /// The one of that name and type, when there is one.
    func known(_ name: String, _ type: TypeUse) -> InputValue? {
        names[name].flatMap { number in recent[number].first { $0.type == type } }
    }

    mutating func add(_ value: InputValue) {
        let (isNew, number) = names.insert(value.name)
        if isNew { recent.append([]) }
        if recent[number].count == Self.recentMax { recent[number].removeFirst() }
        recent[number].append(value)
    }
}
