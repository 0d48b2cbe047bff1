// The functions of Samples/c-client that need no server, for tests to try.
//
// Reads lines from standard input and answers each with one. Bytes are hex, "-" where there are none. A list is made by
// `new`, `head` and `item`; `apply` is given the bodies of a patch's parts.
//   hash BYTES · crc BYTES · change BODY RECORDS CLEARED REPLACE · frame LIMIT BYTES · card BYTES
//   new · head BYTES · item ID KIND SUBJECT BODY · sum · screen ID=SUM… · manifest · apply PART…
#define main client_main
#include "marquee-client.c"
#undef main

#include <math.h>
#include <stdarg.h>

static void __attribute__((format(printf, 2, 3))) add_format(struct buffer *buffer, const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    add_bytes(buffer, text, strlen(text));
}

static void add_hex(struct buffer *buffer, const uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) add_format(buffer, "%02x", bytes[i]);
}

// A text as JSON. What has been decoded is valid UTF-8.
static void add_string(struct buffer *to, const char *text) {
    add_format(to, "\"");
    for (; *text != 0; text++) {
        bool is_control = (uint8_t)*text < 0x20 || *text == 0x7f;
        if (is_control) add_format(to, "\\u%04x", (unsigned)*text);
        else if (*text == '"' || *text == '\\') add_format(to, "\\%c", *text);
        else add_bytes(to, text, 1);
    }
    add_format(to, "\"");
}

static void add_message(struct buffer *to, const ProtobufCMessage *message);

static void add_value(struct buffer *to, const ProtobufCFieldDescriptor *field, const void *value) {
    switch (field->type) {
    case PROTOBUF_C_TYPE_MESSAGE: return add_message(to, *(ProtobufCMessage *const *)value);
    case PROTOBUF_C_TYPE_STRING: return add_string(to, *(char *const *)value);
    case PROTOBUF_C_TYPE_BOOL: return add_format(to, "%s", *(const protobuf_c_boolean *)value ? "true" : "false");
    case PROTOBUF_C_TYPE_UINT32: return add_format(to, "%" PRIu32, *(const uint32_t *)value);
    case PROTOBUF_C_TYPE_UINT64: case PROTOBUF_C_TYPE_FIXED64:
        return add_format(to, "\"%" PRIu64 "\"", *(const uint64_t *)value);
    case PROTOBUF_C_TYPE_DOUBLE:
        return add_format(to, isfinite(*(const double *)value) ? "%.17g" : "\"%g\"", *(const double *)value);
    case PROTOBUF_C_TYPE_BYTES:
        add_format(to, "\"");
        add_hex(to, ((const ProtobufCBinaryData *)value)->data, ((const ProtobufCBinaryData *)value)->len);
        return add_format(to, "\"");
    default: return add_format(to, "null");
    }
}

static size_t width_of(ProtobufCType type) {
    switch (type) {
    case PROTOBUF_C_TYPE_BOOL: return sizeof(protobuf_c_boolean);
    case PROTOBUF_C_TYPE_UINT32: return sizeof(uint32_t);
    case PROTOBUF_C_TYPE_BYTES: return sizeof(ProtobufCBinaryData);
    default: return 8;
    }
}

// Any message as a JSON object of the fields that it has, by their names in the schema; 64 bits are text.
static void add_message(struct buffer *to, const ProtobufCMessage *message) {
    const uint8_t *base = (const uint8_t *)message;
    const char *separator = "{";
    for (unsigned i = 0; i < message->descriptor->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &message->descriptor->fields[i];
        const void *value = base + field->offset, *quantifier = base + field->quantifier_offset;
        bool is_repeated = field->label == PROTOBUF_C_LABEL_REPEATED;
        bool is_pointer = field->type == PROTOBUF_C_TYPE_MESSAGE || field->type == PROTOBUF_C_TYPE_STRING;
        size_t count = is_repeated ? *(const size_t *)quantifier
                       : is_pointer ? *(void *const *)value != NULL : *(const protobuf_c_boolean *)quantifier != 0;
        if (count == 0) continue;
        add_format(to, "%s\"%s\":%s", separator, field->name, is_repeated ? "[" : "");
        separator = ",";
        if (is_repeated) value = *(const uint8_t *const *)value;
        for (size_t j = 0; j < count; j++) {
            if (j > 0) add_format(to, ",");
            add_value(to, field, (const uint8_t *)value + j * width_of(field->type));
        }
        if (is_repeated) add_format(to, "]");
    }
    add_format(to, "%s", *separator == '{' ? "{}" : "}");
}

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

static void free_buffer(struct buffer *buffer) {
    free(buffer->bytes);
    *buffer = (struct buffer){0};
}

// The list that is asked about.
static Part *list;

static struct version *check_version(void) {
    Part *whole = new_whole();
    whole->adds = resized(NULL, list->n_adds * sizeof *whole->adds);
    for (size_t i = 0; i < list->n_adds; i++) whole->adds[whole->n_adds++] = copy_of_item(list->adds[i]);
    SET(whole->head, records, copy_of_bytes(list->head->records.data, list->head->records.len));
    return make_version(whole);
}

static void check_frame(struct buffer *answer, uint32_t limit, const char *hex) {
    struct buffer bytes = bytes_of(hex), again = {0};
    struct frame frame;
    ProtobufCMessage *message = NULL;
    size_t at = 0;
    const char *reason = next_frame(&bytes, &at, limit, &frame);
    if (reason == NULL && frame.body != NULL) reason = decode_frame(&frame, &message);
    if (message != NULL) {
        add_format(answer, "%s %u ", message->descriptor->short_name, (unsigned)frame.flags);
        add_message(answer, message);
        // Written again, it has to be a frame that says the same.
        at = 0;
        add_frame(&again, frame.kind, frame.flags, message);
        if (next_frame(&again, &at, UINT32_MAX, &frame) != NULL || at != again.count) reason = "written wrong";
    }
    if (reason != NULL) add_format(answer, "refused %s", reason);
    release(message);
    free_buffer(&again);
    free_buffer(&bytes);
}

static void check_change(struct buffer *answer, char **words) {
    struct buffer body = bytes_of(words[1]), records = bytes_of(words[2]), result = {0};
    ProtobufCBinaryData old = {body.count, body.bytes};
    uint32_t cleared[64];
    FieldChange change = MARQUEE__V1__FIELD_CHANGE__INIT;
    change.records = (ProtobufCBinaryData){records.count, records.bytes};
    change.cleared = cleared;
    for (char *at = words[3]; *at >= '0' && *at <= '9' && change.n_cleared < 64; at += *at == ',') {
        cleared[change.n_cleared++] = (uint32_t)strtoul(at, &at, 10);
    }
    change.replace = *words[4] == '1';
    bool is_good = apply_change(&change, &old, &result);
    add_format(answer, is_good ? "ok " : "refused");
    if (is_good) add_hex(answer, result.bytes, result.count);
    free_buffer(&body);
    free_buffer(&records);
    free_buffer(&result);
}

static void check_apply(struct buffer *answer, char **words) {
    struct version *base = check_version(), *result = NULL;
    Part *patch = NULL;
    const char *why = NULL;
    for (words++; *words != NULL && why == NULL; words++) {
        struct buffer bytes = bytes_of(*words);
        Part *part = NULL;
        why = decode(&marquee__v1__part__descriptor, bytes.bytes, bytes.count, ELEMENTS, &part);
        if (why == NULL) why = add_part(&patch, part);
        release(part);
        free_buffer(&bytes);
    }
    if (why == NULL) why = apply_patch(patch, base, &result);
    if (why != NULL) {
        add_format(answer, "refused %s", why);
    } else {
        const Part *whole = result->whole;
        add_format(answer, "ok %016" PRIx64 " ", whole->target_sum);
        add_hex(answer, whole->head->records.data, whole->head->records.len);
        for (size_t i = 0; i < whole->n_adds; i++) {
            const Item *item = whole->adds[i];
            add_format(answer, " %s:%" PRIu32 ":%s:", item->id, item->kind, item->subject);
            add_hex(answer, item->body.data, item->body.len);
        }
        drop_version(result);
    }
    release(patch);
    drop_version(base);
}

static void check_sum(struct buffer *answer, char **words) {
    struct version *version = check_version();
    const Part *whole = version->whole;
    if (strcmp(words[0], "sum") == 0) {
        const char *before = "";
        add_format(answer, "%016" PRIx64 " %016" PRIx64, whole->target_sum,
                   xxh64(whole->head->records.data, whole->head->records.len));
        for (size_t i = 0; i < whole->n_adds; i++) {
            const Item *item = whole->adds[i];
            uint64_t hash = xxh64(item->body.data, item->body.len);
            add_format(answer, " %016" PRIx64, edge(before, item->id, item->kind, item->subject, hash));
            before = item->id;
        }
        add_format(answer, " %016" PRIx64, edge(before, "", 0, "", 0));
    } else if (strcmp(words[0], "screen") == 0) {
        uint64_t sums[SECTIONS] = {0};
        for (size_t i = 0; i < whole->n_adds && i < SECTIONS; i++) {
            for (char **word = words + 1; *word != NULL; word++) {
                char *equals = strchr(*word, '=');
                if (equals == NULL || strncmp(*word, whole->adds[i]->id, (size_t)(equals - *word))) continue;
                sums[i] = strtoull(equals + 1, NULL, 16);
            }
        }
        add_format(answer, "%016" PRIx64, sum_of(whole, sums));
    } else {
        session.part_bytes = PART_BYTES;
        say_manifest(1, whole);
        add_hex(answer, session.out.bytes, session.out.count);
        session.out.count = 0;
    }
    drop_version(version);
}

static void check_item(char **words) {
    struct buffer body = bytes_of(words[4]);
    char *id = text_of(words[1]), *subject = text_of(words[3]);
    Item item = MARQUEE__V1__ITEM__INIT;
    item.id = id;
    item.kind = (uint32_t)strtoul(words[2], NULL, 10);
    item.subject = subject;
    item.body = (ProtobufCBinaryData){body.count, body.bytes};
    list->adds[list->n_adds++] = copy_of_item(&item);
    free(id);
    free(subject);
    free_buffer(&body);
}

static void begin_list(void) {
    release(list);
    list = new_whole();
    list->adds = resized(NULL, LIST_ITEMS * sizeof *list->adds);
}

int main(void) {
    static char *words[4096];
    char *line = NULL;
    size_t room = 0;
    empty = make_version(new_whole());
    begin_list();
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
        } else if (strcmp(command, "card") == 0) {
            ProtobufCMessage *card = NULL;
            decode(&marquee__v1__card_body__descriptor, bytes.bytes, bytes.count, BODY_ELEMENTS, &card);
            if (card != NULL) add_message(&answer, card);
            else add_format(&answer, "unknown");
            release(card);
        } else if (strcmp(command, "new") == 0) {
            begin_list();
        } else if (strcmp(command, "head") == 0) {
            free(list->head->records.data);
            list->head->records = copy_of_bytes(bytes.bytes, bytes.count);
        } else if (strcmp(command, "item") == 0 && count == 5 && list->n_adds < LIST_ITEMS) {
            check_item(words);
        } else if (strcmp(command, "apply") == 0) {
            check_apply(&answer, words);
        } else if (strcmp(command, "sum") == 0 || strcmp(command, "screen") == 0 || strcmp(command, "manifest") == 0) {
            check_sum(&answer, words);
        } else {
            add_format(&answer, "unknown");
        }
        printf("%.*s\n", (int)answer.count, answer.bytes != NULL ? (const char *)answer.bytes : "");
        free_buffer(&answer);
        free_buffer(&bytes);
    }
    free(line);
    release(list);
    return EX_OK;
}
