import FeedModel
import TestSupport
import Testing

/// docs/PUBLISHING.md, "The requests": whole feeds.
@Suite(.bothWays) struct FeedPublishing {
    @Test func aNewFeedIsCreated() async throws {
        let api = API()
        let answer = try await api.send("PUT", "/feeds/news", sampleFeed)
        #expect(answer.status == 201)
        #expect(answer["ETag"] == nil)
        #expect(answer["Content-Type"] == "application/json")
        let token = try #require(answer.json["token"]?.text)
        #expect(token.string.hasSuffix(".1"))
        #expect(
            answer.json == [
                "kind": "published", "feed": "news", "token": .string(token), "changed": true,
                "items": ["inserted": 6, "removed": 0, "moved": 0, "updated": 0],
                "sections": ["inserted": 3, "removed": 0, "moved": 0, "updated": 0],
            ]
        )
    }

    @Test func aChangeIsCounted() async throws {
        let api = API()
        let old = try await api.put("news", sampleFeed)
        let answer = try await api.send(
            "PUT",
            "/feeds/news",
            """
            {"title":"News","badge":3,"sections":[
              {"id":"empty","title":"!","items":[]},
              {"id":"today","title":"Today","items":[{"id":"a2","headline":"Two"},
                {"id":"a1","kind":"story","headline":"1"},{"id":"b3"}]},
              {"id":"new","items":[{"id":"x"}]}]}
            """
        )
        #expect(answer.status == 200)
        #expect(answer.json["since"]?.string == old)
        #expect(answer.json["changed"] == true)
        #expect(
            answer.json["items"]
                == ["inserted": 1, "removed": 3, "moved": 2, "updated": 1]
        )
        #expect(
            answer.json["sections"]
                == ["inserted": 1, "removed": 1, "moved": 1, "updated": 1]
        )
    }

    @Test(arguments: [
        // The members of the values in another order, strings spelled another way, white space.
        #"{"items":[{"n":{"a":1,"b":[1,2]},"id":"x","s":"é/"}]}"#,
        #"{"items":[{"id":"x","s":"é\/","n":{"b":[1,2],"a":1}}]}"#,
        #" { "items" : [ { "id" : "\u0078" , "s" : "\u00e9/", "n" : {"a":1,"b":[1,2]} } ] } "#,
        #"{"kind":"snapshot","count":9,"items":[{"id":"x","s":"é/","n":{"a":1,"b":[1,2]}}]}"#,
        #"{"sections":[{"id":"main","items":[{"id":"x","s":"é/","n":{"a":1,"b":[1,2]}}]}]}"#,
    ])
    func whatChangesNothingMakesNoVersion(_ body: String) async throws {
        let api = API()
        let token = try await api.put(
            "news",
            #"{"items":[{"id":"x","s":"é/","n":{"a":1,"b":[1,2]}}]}"#
        )
        let answer = try await api.send("PUT", "/feeds/news", body)
        #expect(answer.status == 200)
        #expect(answer.json["changed"] == false)
        #expect(answer.json["token"]?.string == token)
        #expect(answer.json["since"]?.string == token)
    }

    @Test(arguments: [
        (#"{"id":"x","n":1}"#, #"{"id":"x","n":1.0}"#),
        (#"{"id":"x","n":1e2}"#, #"{"id":"x","n":100}"#),
        (#"{"id":"x","n":[1,2]}"#, #"{"id":"x","n":[2,1]}"#),
        (#"{"id":"x","n":"\u00e9"}"#, #"{"id":"x","n":"e\u0301"}"#),
        (#"{"id":"x","n":null}"#, #"{"id":"x"}"#),
    ])
    func valuesThatDifferMakeAVersion(_ old: String, _ new: String) async throws {
        let api = API()
        try await api.put("news", #"{"items":[\#(old)]}"#)
        let answer = try await api.send("PUT", "/feeds/news", #"{"items":[\#(new)]}"#)
        #expect(answer.json["changed"] == true)
        #expect(answer.json["items"]?["updated"] == 1)
    }

    @Test func valuesAreKeptExactly() async throws {
        let api = API()
        let item = #"{"id":"x","n":[1.10,12345678901234567890,-0,1E400],"s":"\ud83d\ude00"}"#
        try await api.put("news", #"{"big":0.10,"items":[\#(item)]}"#)
        let text = try await api.get("/feeds/news").text
        #expect(text.contains("[1.10,12345678901234567890,-0,1E400]"))
        #expect(text.contains(#""big":0.10"#))
    }

    @Test func itemsAloneAreOneSection() async throws {
        let api = API()
        try await api.put("news", #"{"items":[{"id":"x"}]}"#)
        let document = try await api.document("/feeds/news")
        #expect(document["sections"] == [["id": "main", "count": 1, "items": [["id": "x"]]]])
    }

    @Test func deletingTakesTheFeedAway() async throws {
        let api = API()
        let old = try await api.put("news", sampleFeed)
        _ = try await api.get("/feeds/news")
        let answer = try await api.send("DELETE", "/feeds/news")
        #expect(answer.status == 204)
        #expect(answer.body.isEmpty)
        #expect(try await api.get("/feeds/news").status == 404)
        #expect(try await api.send("DELETE", "/feeds/news").status == 404)
        let new = try await api.put("news", sampleFeed)
        #expect(new.prefix(8) != old.prefix(8))
        let document = try await api.document("/feeds/news?since=\(old)")
        #expect(document["reason"] == "epoch")
    }

    @Test func theAnswerMeansThatAllCanSeeIt() async throws {
        let api = API()
        for number in 0..<50 {
            let token = try await api.put("news", #"{"items":[{"id":"x","n":\#(number)}]}"#)
            #expect(try await api.get("/feeds/news")["ETag"] == "\"\(token)\"")
        }
    }

    @Test(arguments: ["-1", "1.5", "\"60\"", "true", "null", "1e2", "-99999999999999999999"])
    func maxAgeIsAWholeNumber(_ value: String) async throws {
        let api = API()
        let old = try await api.put("news", sampleFeed)
        let put = try await api.send("PUT", "/feeds/news", #"{"maxAge":\#(value),"items":[]}"#)
        #expect(put.status == 400)
        #expect(put.detail.contains("maxAge"))
        let patch = try await api.send(
            "PATCH",
            "/feeds/news",
            #"{"edits":[{"setFeed":{"maxAge":\#(value)}}]}"#
        )
        #expect(patch.status == 400)
        let jsonPatch = try await api.send(
            "PATCH",
            "/feeds/news",
            #"[{"op":"add","path":"/maxAge","value":\#(value)}]"#,
            ["Content-Type": "application/json-patch+json"]
        )
        #expect(jsonPatch.status == 422)
        #expect(try await api.document("/feeds/news")["token"]?.string == old)
    }

    @Test func maxAgeLetsCachesKeep() async throws {
        let api = API()
        let token = try await api.put("news", #"{"maxAge":60,"items":[]}"#)
        #expect(try await api.get("/feeds/news")["Cache-Control"] == "public, max-age=60")
        let still = try await api.get("/feeds/news?since=\(token)")
        #expect(still["Cache-Control"] == "no-store")
        let same = try await api.get("/feeds/news", ["If-None-Match": token])
        #expect(same["Cache-Control"] == "public, max-age=60")
    }

    /// A cache would send it to those who have that version, once there is one.
    @Test(arguments: ["", "&limit=1", "&as=changes", "&format=json-patch"])
    func cachesDoNotKeepWhatIsSentForAVersionThatIsNotKnown(_ query: String) async throws {
        let api = API()
        let first = try await api.put("news", #"{"maxAge":60,"items":[{"id":"a"}]}"#)
        let content = try await api.get("/feeds/news?since=\(first.prefix(8)).99\(query)").json
        #expect(query.contains("patch") || content["reason"] == "expired")
        let later = "/feeds/news?since=\(first.prefix(8)).99\(query)"
        for fields in [[:], ["If-None-Match": first]] {
            #expect(try await api.get(later, fields)["Cache-Control"] == "no-store")
        }
        try await api.put("news", #"{"maxAge":60,"items":[{"id":"a","n":1}]}"#)
        for target in ["/feeds/news?since=\(first)\(query)", "/feeds/news?\(query)"] {
            #expect(try await api.get(target)["Cache-Control"] == "public, max-age=60")
        }
    }

    /// RFC 9111 §1.2.2: what no cache can count is for good; the document has it as published.
    @Test(arguments: [
        ("0", "0"), ("2147483647", "2147483647"), ("2147483648", "2147483648"),
        ("2147483649", "2147483648"), ("9223372036854775807", "2147483648"),
        ("9223372036854775808", "2147483648"), ("99999999999999999999999", "2147483648"),
    ])
    func maxAgeMayBeAnyWholeNumber(_ value: String, _ sent: String) async throws {
        let api = API()
        let requests = [
            ("PUT", #"{"maxAge":\#(value),"items":[]}"#, "application/json"),
            ("PATCH", #"{"edits":[{"setFeed":{"maxAge":\#(value)}}]}"#, "application/json"),
            (
                "PATCH", #"[{"op":"add","path":"/maxAge","value":\#(value)}]"#,
                "application/json-patch+json"
            ),
        ]
        for (method, body, type) in requests {
            try await api.put("news", #"{"items":[]}"#)
            let answer = try await api.send(method, "/feeds/news", body, ["Content-Type": type])
            #expect(answer.status == 200, "\(answer.text)")
            let read = try await api.get("/feeds/news")
            #expect(read["Cache-Control"] == "public, max-age=\(sent)")
            #expect(read.text.contains("\"maxAge\":\(value)"))
        }
    }
}
