import Testing

@testable import Cameo

/// Which assets belong together.
@Suite struct MomentTests {
    let library = TestLibrary()

    private static let zurich = (47.37, 8.54)
    private static let lisbon = (38.72, -9.14)

    private func moments(_ options: MomentList.Options = MomentList.Options()) async throws -> [[String]] {
        try await library.scan().moments(options).map { moment in
            moment.assets.map { $0.path.stemAndExtension.stem.description }
        }
    }

    @Test func anAssetTakenInTheLastSecondOfADayIsInThatDaysMoment() async throws {
        library.write("a.jpg", MadeUp.jpeg(date: "2025:12:31 23:59:59", fraction: "999", salt: "a"))
        library.write("b.jpg", MadeUp.jpeg(date: "2026:01:01 00:00:00", salt: "b"))
        library.write("c.jpg", MadeUp.jpeg(date: "2025:12:31 00:00:00", salt: "c"))
        #expect(try await moments() == [["c", "a"], ["b"]])
        #expect(try await library.scan().moments().map(\.title) == ["31 December 2025", "1 January 2026"])
    }

    @Test func dayBordersAreThoseOfThePlaceNotOfTheMachine() async throws {
        // One instant apart, on two days by their own clocks.
        library.write("tokyo.jpg", MadeUp.jpeg(date: "2025:06:02 00:30:00", offset: "+09:00", salt: "t"))
        library.write("lisbon.jpg", MadeUp.jpeg(date: "2025:06:01 16:30:00", offset: "+01:00", salt: "l"))
        #expect(try await moments() == [["lisbon"], ["tokyo"]])
    }

    @Test func anAssetWithoutADateIsInAMomentToo() async throws {
        library.write("none.jpg", MadeUp.jpeg(salt: "n"), modified: 1_600_000_000)
        library.write("dated.jpg", MadeUp.jpeg(date: "2020:09:13 01:00:00", salt: "d"))
        #expect(try await moments() == [["dated", "none"]])
    }

    @Test func oneDayInTwoPlacesIsTwoMomentsAndThePlacelessJoinTheNearerInTime() async throws {
        library.write("1.jpg", MadeUp.jpeg(date: "2025:06:01 08:00:00", salt: "1"))
        library.write("2.jpg", MadeUp.jpeg(date: "2025:06:01 09:00:00", place: Self.zurich, salt: "2"))
        library.write("3.jpg", MadeUp.jpeg(date: "2025:06:01 10:00:00", salt: "3"))
        library.write("4.jpg", MadeUp.jpeg(date: "2025:06:01 18:00:00", salt: "4"))
        library.write("5.jpg", MadeUp.jpeg(date: "2025:06:01 19:00:00", place: Self.lisbon, salt: "5"))
        #expect(try await moments() == [["1", "2", "3"], ["4", "5"]])
        #expect(try await moments(MomentList.Options(distance: 3_000_000)) == [["1", "2", "3", "4", "5"]])
        #expect(try await moments(MomentList.Options(isDescending: true)) == [["5", "4"], ["3", "2", "1"]])
    }

    @Test func anAppNamesThePlaces() async throws {
        struct Gazetteer: PlaceNaming {
            func name(of place: Place) -> String? { place.latitude > 40 ? "Zürich" : nil }
        }
        library.write("1.jpg", MadeUp.jpeg(date: "2025:06:01 09:00:00", place: Self.zurich, salt: "2"))
        library.write("2.jpg", MadeUp.jpeg(date: "2025:06:01 19:00:00", place: Self.lisbon, salt: "5"))
        let titles = try await library.scan().moments(MomentList.Options(naming: Gazetteer())).map(\.title)
        #expect(titles == ["Zürich, 1 June 2025", "1 June 2025"])
    }

    @Test func distanceIsMeasuredAcrossTheDateLineAndThePoles() {
        func item(_ latitude: Double, _ longitude: Double) -> MomentGrouping.Item {
            MomentGrouping.Item(seconds: 0, latitude: Int32(latitude * 1e7), longitude: Int32(longitude * 1e7))
        }
        #expect(abs(MomentGrouping.distance(item(0, 179.9), item(0, -179.9)) - 22_239) < 10)
        #expect(MomentGrouping.distance(item(90, 0), item(90, 123)) < 1)
        #expect(abs(MomentGrouping.distance(item(47.37, 8.54), item(38.72, -9.14)) - 1_725_000) < 10_000)
    }

    @Test(arguments: 0..<300) func whateverComesEveryAssetIsInExactlyOneMoment(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var items: [MomentGrouping.Item] = []
        var seconds = Int64.random(in: -200_000...200_000, using: &random)
        for _ in 0..<Int.random(in: 0...40, using: &random) {
            seconds += [0, 1, 600, 43_200, 86_400].randomElement(using: &random) ?? 0
            let hasPlace = Bool.random(using: &random)
            items.append(
                MomentGrouping.Item(
                    seconds: seconds,
                    latitude: hasPlace ? Int32.random(in: 0...3, using: &random) * 2_000_000 : FileRecord.noPlace,
                    longitude: 0))
        }
        let grouping = MomentGrouping(count: items.count, meters: 25_000) { items[$0] }
        grouping.checkInvariants(count: items.count) { items[$0] }
        for range in grouping.ranges {
            let placed = items[range].filter(\.hasPlace)
            #expect(zip(placed, placed.dropFirst()).allSatisfy { MomentGrouping.distance($0, $1) <= 25_000 })
        }
        // No two neighbours that could be one moment are two.
        for (a, b) in zip(grouping.ranges, grouping.ranges.dropFirst())
        where items[a.lowerBound].day == items[b.lowerBound].day {
            let (last, first) = (items[a].last(where: \.hasPlace), items[b].first(where: \.hasPlace))
            #expect(last.flatMap { last in first.map { MomentGrouping.distance(last, $0) > 25_000 } } == true)
        }
    }
}
