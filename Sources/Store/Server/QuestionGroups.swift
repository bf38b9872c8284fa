import JSON
import Postgres

/// The questions of a trip, with those together that differ in their values alone: a server answers these as one, which spares it the begin and the
/// end of a statement for each, and both sides their messages.
///
///     a(1), b, a(2), a(3), a(4)  ─▶  a for each of 1, 2, 3, 4 │ b  ─▶  the answers of a(1), b, a(2), a(3), a(4)
struct QuestionGroups {
    /// Questions that go out as one, or a single one.
    struct Group {
        /// The places of the questions, in their order.
        let members: [Int]
        /// The places of the values in which they differ; empty for a single one.
        let places: [Int]
    }

    private let questions: ArraySlice<ServerQuestion>
    private(set) var groups: [Group] = []

    /// - Parameter mayDiffer: whether the statement of a question can be asked many times at once, with other values at these places.
    init(_ questions: ArraySlice<ServerQuestion>, mayDiffer: (ServerQuestion, [Int]) -> Bool) {
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

    /// The places of the questions of each statement, in the order in which these are asked first.
    private static func alike(_ questions: ArraySlice<ServerQuestion>) -> [[Int]] {
        var alike: [[Int]] = []
        var known: [SQLText: Int] = [:]
        var start = questions.startIndex
        while start < questions.endIndex {
            // Mostly the next ones have the same.
            let sql = questions[start].sql
            let end = questions[start...].firstIndex { $0.sql != sql } ?? questions.endIndex
            let group = known[sql] ?? alike.count
            if group == alike.count {
                known[sql] = group
                alike.append([])
            }
            alike[group] += start..<end
            start = end
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
        if groups.count == 1, let answer = given.first, !groups[0].places.isEmpty {
            return answer.parts(groups[0].members.count)
        }
        var answers = [PostgresAnswer?](repeating: nil, count: questions.count)
        for (group, answer) in zip(groups, given) {
            guard !group.places.isEmpty else {
                answers[group.members[0] - questions.startIndex] = answer
                continue
            }
            guard let parts = answer.parts(group.members.count) else { return nil }
            for (member, part) in zip(group.members, parts) { answers[member - questions.startIndex] = part }
        }
        let all = answers.compactMap(\.self)
        return all.count == questions.count ? all : nil
    }
}
