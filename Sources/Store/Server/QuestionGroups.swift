import JSON
import Postgres

/// The questions of a trip, with those together that differ in their values alone: a server answers these as one, which spares it the begin and the
/// end of a statement for each, and both sides their messages.
///
///     a(1), b, a(2), a(3), a(4)  ─▶  a for each of 1, 2, 3, 4 │ b  ─▶  the answers of a(1), b, a(2), a(3), a(4)
struct QuestionGroups {
    /// Questions that go out as one, or a single one.
    struct Group {
        /// The numbers of the questions.
        let members: [Int]
        /// The places of the values in which they differ; empty for a single one.
        let places: [Int]
    }

    private let questions: [ServerQuestion]
    private(set) var groups: [Group] = []

    /// - Parameter mayDiffer: whether the statement of a question can be asked many times at once, with other values at these places.
    init(_ questions: [ServerQuestion], mayDiffer: (ServerQuestion, [Int]) -> Bool) {
        self.questions = questions
        for members in Self.alike(questions) {
            let first = questions[members[0]]
            if members.count >= StoreLimits.questionsAsOneMin, let places = places(ofDifferencesIn: members),
                mayDiffer(first, places)
            {
                groups.append(Group(members: members, places: places))
            } else {
                groups += members.map { Group(members: [$0], places: []) }
            }
        }
    }

    /// The numbers of the questions of each statement, in the order in which these are asked first.
    private static func alike(_ questions: [ServerQuestion]) -> [[Int]] {
        var alike: [[Int]] = []
        var known: [SQLText: Int] = [:]
        var last: (sql: SQLText, group: Int)?
        for (number, question) in questions.enumerated() {
            // Mostly it is the one before.
            let group = if let last, last.sql == question.sql { last.group } else { known[question.sql] ?? alike.count }
            if group == alike.count {
                known[question.sql] = group
                alike.append([])
            }
            alike[group].append(number)
            last = (question.sql, group)
        }
        return alike
    }

    /// The places of the values that are not the same in all of some questions; nil where a place has values of several types, or nulls too.
    private func places(ofDifferencesIn members: [Int]) -> [Int]? {
        let first = questions[members[0]].values
        var places: [Int] = []
        for (place, value) in first.enumerated() {
            var isSame = true
            for member in members.dropFirst() {
                let values = questions[member].values
                guard values.count == first.count, values[place].serverType == value.serverType else { return nil }
                if isSame { isSame = ServerQuestion.isSame(values[place], value) }
            }
            if !isSame { places.append(place) }
        }
        return places
    }

    /// The values with which the statement of a group is asked.
    func values(of group: Group) -> [PostgresValue] {
        let first = questions[group.members[0]]
        return first.values.enumerated().map { place, value in
            guard group.places.contains(place) else { return value.serverValue }
            return .array(
                of: value.serverType, group.members.map { questions[$0].values[place].serverValue })
        }
    }

    /// The question that a group asks first.
    func first(of group: Group) -> ServerQuestion { questions[group.members[0]] }

    /// The answers to the questions, in their order, from those to the groups. Nil where one is missing, or has a row of no question.
    func answers(_ given: ArraySlice<PostgresAnswer>) -> [PostgresAnswer]? {
        var answers = [PostgresAnswer?](repeating: nil, count: questions.count)
        for (group, answer) in zip(groups, given) {
            guard !group.places.isEmpty else {
                answers[group.members[0]] = answer
                continue
            }
            guard let parts = answer.parts(group.members.count) else { return nil }
            for (member, part) in zip(group.members, parts) { answers[member] = part }
        }
        let all = answers.compactMap(\.self)
        return all.count == questions.count ? all : nil
    }
}
