import EventPatterns
import JSON

/// An event filter of Lambda: the pattern that the change of a table must match before a function gets it.
///
///     {"eventName": ["INSERT", "MODIFY"], "dynamodb": {"NewImage": {"status": {"S": [{"prefix": "done"}]}}}}
enum ChangeFilter {
    /// The filters of one function.
    static let countMax = 10
    /// The objects of a pattern may hold lists of tests, which are objects with lists.
    private static let limits = JSONLimits(bytesMax: 4_096, nestingMax: EventPatternLimits.nestingMax + 4)

    static func read(_ text: String) throws(EventPatternError) -> EventPattern {
        guard text.utf8.count <= limits.bytesMax else {
            throw EventPatternError("A filter has at most \(limits.bytesMax) bytes")
        }
        guard let value = try? JSONReader.value(of: Array(text.utf8), limits: limits) else {
            throw EventPatternError("A filter is JSON, with at most \(limits.nestingMax) levels")
        }
        return try EventPattern(value, .lambdaFilters)
    }

    /// Why a text is no filter; nil: it is one.
    static func fault(_ text: String) -> String? {
        do throws(EventPatternError) {
            _ = try read(text)
            return nil
        } catch {
            return error.reason
        }
    }
}

extension ToldChange {
    /// Those of some changes that match one of the filters. Where that takes too long, all of them: a filter saves calls and
    /// guards nothing, and no change may be lost.
    static func wanted(_ changes: [ToldChange], by filters: [EventPattern]) async -> [ToldChange] {
        guard !filters.isEmpty else { return changes }
        do throws(EventPatternError) {
            return try await MatchingSteps.work { steps throws(EventPatternError) in
                var wanted: [ToldChange] = []
                for change in changes {
                    let subject = try EventSubject(change.record, steps)
                    for filter in filters where try filter.matches(subject, steps) {
                        wanted.append(change)
                        break
                    }
                }
                return wanted
            }
        } catch {
            return changes
        }
    }
}
