/// A list or a map of a run.
///
/// The run knows all of them and empties them at its end: containers that contain each other would stay for ever, and a long chain
/// of them would be released in as many calls.
class TemplateContainer {
    /// How often something was put in or taken out: who goes through it must not see that.
    fileprivate(set) var changes = 0

    func changed() { changes &+= 1 }

    func clear() {}
}
