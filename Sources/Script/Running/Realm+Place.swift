extension Realm {
    /// Where the program is that runs: for the host, in a native function the place of its call.
    package var callPlace: SourcePlace? {
        current.map { SourcePlace(file: $0.unit.program.file, place: $0.place) }
    }
}
