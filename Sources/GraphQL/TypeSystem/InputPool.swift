/// The arguments and input fields of a schema while it is built: those that say the same are one object.
///
/// A generated schema has the same few over and over, such as `limit: Int` and `title: ModelStringInput`.
final class InputPool {
    private var names = NameTable()
    /// The last ones of each name, by the number of the name.
    private var recent: [[InputValue]] = []

    /// How many of a name are looked through.
    private static let recentMax = 8

    /// The one of that name and type that says nothing more, made by the closure when there is none yet.
    func plain(_ name: String, _ type: TypeUse, make: () -> InputValue) -> InputValue {
        let (isNew, number) = names.insert(name)
        if isNew { recent.append([]) }
        if let known = recent[number].first(where: { $0.type == type }) { return known }
        let made = make()
        if recent[number].count == Self.recentMax { recent[number].removeFirst() }
        recent[number].append(made)
        return made
    }
}
