/// An object of the class `Date`.
final class DateObject: ScriptObject {
    /// Milliseconds since 1970; NaN is no time.
    var time: Double

    init(_ realm: Realm, _ time: Double, prototype: ScriptObject) {
        self.time = time
        super.init(realm, prototype: prototype)
    }

    override var className: String { "Date" }
}
