import JSON

extension Set where Element == String {
    /// Returns whether a name is one of these, by its bytes.
    ///
    /// Hot path of a start: of a sequence `contains(_: String)` of the room JSON looks through all, since the hash of a text is Unicode's.
    /// Among texts that Unicode calls equal a set has one, so it is found by that hash and compared.
    func contains(_ name: String) -> Bool { Self.known(name, in: self).map { $0 == name } ?? false }

    /// Generic, so that it is the set's own look-up.
    private static func known<Name: Hashable>(_ name: Name, in names: Set<Name>) -> Name? {
        names.firstIndex(of: name).map { names[$0] }
    }
}
