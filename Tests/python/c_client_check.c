// The functions of Samples/c-client that need no server, for tests to try.
//
// Reads lines from standard input and answers each with one. Bytes are hex, "-" where there are none. A list is made by
// `new`, `head` and `item`; `apply` is given the bodies of a patch's parts.
//   hash BYTES · crc BYTES · change BODY RECORDS CLEARED REPLACE · frame LIMIT BYTES · body KIND BYTES
//   new · head BYTES · item ID KIND SUBJECT BODY · sum · screen ID=SUM… · manifest · apply PART…
#define main client_main
#include "marquee-client.c"
#undef main

static struct buffer bytes_of(const char *hex) {
    struct buffer bytes = {0};
    add_bytes(&bytes, "", 1);  // so that there is memory even for nothing
    bytes.count = 0;
    for (unsigned byte; hex != NULL && sscanf(hex, "%2x", &byte) == 1; hex += 2) {
        add_bytes(&bytes, &(uint8_t){(uint8_t)byte}, 1);
    }
    return bytes;
}

static char *text_of(const char *hex) {
    struct buffer bytes = bytes_of(hex);
    add_bytes(&bytes, "", 1);
    return (char *)bytes.bytes;
}

static struct buffer check_head;
static struct item *check_items[LIST_ITEMS];
static size_t check_count;

static struct version *check_version(void) {
    for (size_t i = 0; i < check_count; i++) keep_item(check_items[i]);
    return make_version(check_head.bytes ? check_head.bytes : (const uint8_t *)"", check_head.count, check_items,
                        check_count);
}

static void check_frame(struct buffer *answer, uint32_t limit, const char *hex) {
    struct buffer bytes = bytes_of(hex);
    ProtobufCMessage *message = NULL;
    size_t size;
    const char *reason = split(bytes.bytes, bytes.count, limit, &size);
    const struct kind *kind = size ? kind_of((uint16_t)get_big(bytes.bytes + 4, 2)) : NULL;
    if (reason == NULL && kind != NULL) {
        reason = decode(kind->type, bytes.bytes + HEADER_BYTES, size - HEADER_BYTES, ELEMENTS, &message);
    }
    if (message != NULL) {
        add_format(answer, "%s %u ", message->descriptor->short_name, (unsigned)get_big(bytes.bytes + 6, 2));
        add_message(answer, message);
        // Written again, it has to be a frame that says the same.
        struct buffer again = {0};
        add_frame(&again, kind->kind, message);
        release(message);
        if (split(again.bytes, again.count, UINT32_MAX, &size) != NULL || size != again.count) reason = "written wrong";
        free_buffer(&again);
    }
    if (reason != NULL) add_format(answer, "refused %s", reason);
    free_buffer(&bytes);
}

static void check_change(struct buffer *answer, char **words) {
    struct buffer body = bytes_of(words[1]), records = bytes_of(words[2]), result = {0};
    uint32_t cleared[64];
    Marquee__V1__FieldChange message = MARQUEE__V1__FIELD_CHANGE__INIT;
    message.records = (ProtobufCBinaryData){records.count, records.bytes};
    message.cleared = cleared;
    for (char *at = words[3]; *at >= '0' && *at <= '9' && message.n_cleared < 64; at += *at == ',') {
        cleared[message.n_cleared++] = (uint32_t)strtoul(at, &at, 10);
    }
    message.replace = *words[4] == '1';
    struct change *change = change_of(&message);
    if (apply_change(change, body.bytes, body.count, &result)) {
        add_text(answer, "ok ");
        add_hex(answer, result.bytes, result.count);
    } else {
        add_text(answer, "refused");
    }
    free_change(change);
    free_buffer(&body);
    free_buffer(&records);
    free_buffer(&result);
}

static void check_apply(struct buffer *answer, char **words) {
    struct version *base = check_version(), *result = NULL;
    struct patch patch = {0};
    const char *why = NULL;
    for (words++; *words != NULL && why == NULL; words++) {
        struct buffer bytes = bytes_of(*words);
        Marquee__V1__Part *part = NULL;
        why = decode(&marquee__v1__part__descriptor, bytes.bytes, bytes.count, ELEMENTS, &part);
        if (why == NULL) why = add_part(&patch, part);
        release(part);
        free_buffer(&bytes);
    }
    if (why == NULL) why = apply_patch(&patch, base, &result);
    if (why != NULL) {
        add_format(answer, "refused %s", why);
    } else {
        add_format(answer, "ok %016" PRIx64 " ", result->sum);
        add_hex(answer, result->head, result->head_size);
        for (uint32_t i = 0; i < result->count; i++) {
            add_format(answer, " %s:%" PRIu32 ":%s:", id_of(result->items[i]), result->items[i]->kind,
                       subject_of(result->items[i]));
            add_hex(answer, body_of(result->items[i]), result->items[i]->body_size);
        }
        drop_version(result);
    }
    free_patch(&patch);
    drop_version(base);
}

static void check_sum(struct buffer *answer, char **words) {
    struct version *version = check_version();
    if (strcmp(words[0], "sum") == 0) {
        const char *before = "";
        add_format(answer, "%016" PRIx64 " %016" PRIx64, version->sum, version->head_hash);
        for (uint32_t i = 0; i < version->count; i++) {
            const struct item *item = version->items[i];
            add_format(answer, " %016" PRIx64,
                       edge(before, id_of(item), item->kind, subject_of(item), item->body_hash));
            before = id_of(item);
        }
        add_format(answer, " %016" PRIx64, edge(before, "", 0, "", 0));
    } else if (strcmp(words[0], "screen") == 0) {
        uint64_t sums[SECTIONS] = {0};
        for (uint32_t i = 0; i < version->count && i < SECTIONS; i++) {
            for (char **word = words + 1; *word != NULL; word++) {
                char *equals = strchr(*word, '=');
                if (equals == NULL || strncmp(*word, id_of(version->items[i]), (size_t)(equals - *word))) continue;
                sums[i] = strtoull(equals + 1, NULL, 16);
            }
        }
        add_format(answer, "%016" PRIx64, sum_of(version, sums));
    } else {
        session.part_bytes = PART_BYTES;
        session.manifests[session.manifests_count++] = (struct manifest){1, keep_version(version), 0};
        say_manifests();
        add_hex(answer, session.out.bytes, session.out.count);
        session.out.count = 0;
    }
    drop_version(version);
}

int main(void) {
    static char *words[4096];
    char *line = NULL;
    size_t room = 0;
    empty = make_version((const uint8_t *)"", 0, NULL, 0);
    options.is_ndjson = true;
    while (getline(&line, &room, stdin) > 0) {
        size_t count = 0;
        char *rest = line;
        while (count < 4095 && (words[count] = strsep(&rest, " \n")) != NULL) count += *words[count] != 0;
        words[count] = NULL;
        struct buffer answer = {0}, bytes = bytes_of(count > 1 ? words[1] : NULL);
        const char *command = count > 0 ? words[0] : "";
        if (strcmp(command, "hash") == 0) {
            add_format(&answer, "%016" PRIx64, xxh64(bytes.bytes, bytes.count));
        } else if (strcmp(command, "crc") == 0) {
            add_format(&answer, "%08" PRIx32, crc32c(0xffffffff, bytes.bytes, bytes.count) ^ 0xffffffff);
        } else if (strcmp(command, "frame") == 0 && count == 3) {
            check_frame(&answer, (uint32_t)strtoul(words[1], NULL, 10), words[2]);
        } else if (strcmp(command, "change") == 0 && count == 5) {
            check_change(&answer, words);
        } else if (strcmp(command, "body") == 0 && count == 3) {
            struct item *item = NULL;
            struct buffer body = bytes_of(words[2]);
            item = make_item("-", (uint32_t)strtoul(words[1], NULL, 10), "", body.bytes, body.count);
            add_item(&answer, item, 1);
            drop_item(item);
            free_buffer(&body);
        } else if (strcmp(command, "new") == 0) {
            while (check_count > 0) drop_item(check_items[--check_count]);
            check_head.count = 0;
        } else if (strcmp(command, "head") == 0) {
            check_head.count = 0;
            add_bytes(&check_head, bytes.bytes, bytes.count);
        } else if (strcmp(command, "item") == 0 && count == 5 && check_count < LIST_ITEMS) {
            struct buffer body = bytes_of(words[4]);
            char *id = text_of(words[1]), *subject = text_of(words[3]);
            check_items[check_count++] =
                make_item(id, (uint32_t)strtoul(words[2], NULL, 10), subject, body.bytes, body.count);
            free(id);
            free(subject);
            free_buffer(&body);
        } else if (strcmp(command, "apply") == 0) {
            check_apply(&answer, words);
        } else if (strcmp(command, "sum") == 0 || strcmp(command, "screen") == 0 || strcmp(command, "manifest") == 0) {
            check_sum(&answer, words);
        } else {
            add_text(&answer, "unknown");
        }
        print(&answer);
        free_buffer(&bytes);
    }
    free(line);
    while (check_count > 0) drop_item(check_items[--check_count]);
    free_buffer(&check_head);
    return DONE;
}
