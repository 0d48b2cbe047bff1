# Prints channels and what they send, as NDJSON for `marquee publish` and `marquee-server import ndjson`.
#
#   awk -f Samples/guide/schedule.awk [-v channels=12] [-v hours=6] [-v minute=60] [-v start=SECONDS]
#
# `minute` is how many seconds a minute of the guide lasts: with 1, an hour passes in a minute. It begins an hour of the
# guide before `start`, by default now, and the same start always gives the same schedule.
BEGIN {
    if (!channels) channels = 12
    if (!hours) hours = 6
    if (!minute) minute = 60
    if (!start) start = now()
    split("Harbour One|Kino 5|Meadow|Goal|News at Once|Night Owl|Atlas|Little Bear|Stage|Kitchen|North|Rewind", names, "|")
    split("Seoul Berlin New~York London", zones, " ")
    split("film series news sport children series", kinds, " ")
    split("The Lamp on the Pier|Two Tickets North|A Garden in March|Cup Night|The Hour|Paper Boats|Salt and Iron|" \
        "Who Rang?|The Long Bridge|Foxes|Bread Day|Letters Home", english, "|")
    split("부두의 등불|북쪽으로 가는 표 두 장|3월의 정원|컵 대회의 밤|한 시간|종이배|소금과 철|누가 울렸나|긴 다리|여우들|" \
        "빵 굽는 날|집으로 보낸 편지", korean, "|")
    for (c = 1; c <= channels; c++) {
        name = names[(c - 1) % 12 + 1]
        if (c > 12) name = name " " int((c - 1) / 12) + 1
        zone = zones[(c - 1) % 4 + 1]
        sub("~", " ", zone)
        printf "{\"put\":{\"type\":\"channel\",\"id\":\"c%d\",\"record\":{\"id\":\"c%d\",\"name\":\"%s\",\"number\":%d,\"zone\":\"%s\"}}}\n", \
            c, c, name, c, zone
        time = int(start / 60) * 60 - 60 * minute + (c * 7 % 30) * minute
        for (n = 0; time < start + hours * 60 * minute; n++) {
            t = (c * 5 + n * 7) % 12 + 1
            kind = kinds[(c * 3 + n * 5) % 6 + 1]
            end = time + (15 + (c * 13 + n * 29) % 100) * minute
            printf "{\"put\":{\"type\":\"airing\",\"id\":\"c%d-%d\",\"record\":{\"id\":\"c%d-%d\",\"channel\":\"c%d\"," \
                "\"title\":{\"en\":\"%s\",\"ko\":\"%s\"},\"starts\":\"%s\",\"ends\":\"%s\",\"kind\":\"%s\",\"live\":%s}}}\n", \
                c, n, c, n, c, english[t], korean[t], utc(time), utc(end), kind, kind == "sport" ? "true" : "false"
            time = end
        }
    }
}

function now() {
    "date +%s" | getline seconds
    close("date +%s")
    return seconds + 0
}

function utc(seconds) { return strftime("%Y-%m-%dT%H:%M:%SZ", seconds, 1) }
