# Prints people with invented names, as NDJSON for `marquee publish` and `marquee-server import ndjson`.
#
#   awk -f Samples/directory/people.awk [-v people=100000]
#
# The same number always gives the same people.
BEGIN {
    if (!people) people = 100000
    heads = split("Ab Al An Ar Be Bo Bri Cas Cle Cor Da Del Dor Ed El Es Fa Fen Flo Gal Ger Gra Hal Hen Hol Ib In Is " \
        "Ja Jen Jor Kel Kin Kor La Len Lor Ma Mel Mor Na Nel Nor Ob Ol Or Pa Pel Por Quin Quo Ra Ren Ros Sa Sel Sor " \
        "Ta Ten Tor Ul Ur Va Ven Vor Wal Wen Wor Xan Xe Yar Yel Za Zel Zor", head, " ")
    middles = split("ba be da der di fer gan gi ka ke la li man mer mi na ni ra ri sa ser ta ti va vin wa", middle, " ")
    tails = split("berg croft dale den field ford gate ham hurst land ley low mark mont ner quist rick sen shaw son " \
        "stead stone ton wald well wick worth", tail, " ")
    firsts = split("Ada Ben Cleo Dan Eva Finn Gus Hana Ian Joy Kai Lea Max Nia Otis Pia Ravi Sia Tom Uma Vic Wren " \
        "Yara Zoe", first, " ")
    towns = split("Aldhaven|Birkholm|Castermouth|Dunlea|Eastwater|Fernhill|Greyport|Highmoor|Inverlake|Kestrel Bay|" \
        "Longmere|Northgate", town, "|")
    for (n = 0; n < people; n++) {
        # A multiplier without a common factor with the number of names, so that they are spread over the letters.
        k = (n * 7919) % (heads * middles * tails * firsts)
        family = head[k % heads + 1] middle[int(k / heads) % middles + 1] tail[int(k / heads / middles) % tails + 1]
        given = first[int(k / heads / middles / tails) % firsts + 1]
        printf "{\"put\":{\"type\":\"person\",\"id\":\"p%d\",\"record\":{\"id\":\"p%d\",\"name\":\"%s, %s\"," \
            "\"letter\":\"%s\",\"town\":\"%s\",\"number\":\"%03d %04d\"}}}\n", \
            n, n, family, given, substr(family, 1, 1), town[n * 31 % towns + 1], 200 + n % 700, n * 37 % 10000
    }
}
