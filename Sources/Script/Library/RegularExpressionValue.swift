extension Realm {
    /// The value of a literal such as `/a+/g`.
    func makeRegularExpression(_ pattern: Text, _ flags: Text) throws(Thrown) -> Value {
        .object(try makeRegularExpression(Value.text(pattern), Value.text(flags)))
    }
}
