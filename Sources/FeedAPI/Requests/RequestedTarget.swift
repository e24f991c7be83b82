import HTTPWire

/// What the target of a request names.
struct RequestedTarget: Sendable {
    let route: Route
    let query: Query

    /// Reads the target of a request.
    ///
    /// - Throws: `400` for one that is malformed.
    init(_ head: borrowing RequestHead) throws(Problem) {
        let places: TargetPlaces
        do {
            places = try TargetPlaces(head)
        } catch {
            throw Problem(error)
        }
        do {
            route = try Route(head, places)
        } catch {
            throw .malformed("the path has a malformed percent-escape, or is not UTF-8")
        }
        query = try Query(head.bytes, places.query)
    }
}
