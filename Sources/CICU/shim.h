#include <stdint.h>

// The plural rules and the collation of ICU, which ships with Foundation. Foundation has no API for them on Linux, and
// the module of ICU's own headers is private to the toolchain. These declarations are the part of ICU's stable C
// interface that is needed here. Swift's builds of ICU on Linux put a prefix before each name, Apple's don't.
#ifdef __APPLE__
#define ICU_NAME(name) name
#else
#define ICU_NAME(name) swift_##name
#endif

typedef struct UPluralRules UPluralRules;
typedef struct UNumberFormatter UNumberFormatter;
typedef struct UFormattedNumber UFormattedNumber;
typedef struct UEnumeration UEnumeration;

UPluralRules *ICU_NAME(uplrules_open)(const char *locale, int *status);
void ICU_NAME(uplrules_close)(UPluralRules *rules);
UEnumeration *ICU_NAME(uplrules_getKeywords)(const UPluralRules *rules, int *status);
int32_t ICU_NAME(uplrules_selectFormatted)(
    const UPluralRules *rules, const UFormattedNumber *number, uint16_t *keyword, int32_t capacity, int *status);
const char *ICU_NAME(uenum_next)(UEnumeration *names, int32_t *length, int *status);
void ICU_NAME(uenum_close)(UEnumeration *names);
UNumberFormatter *ICU_NAME(unumf_openForSkeletonAndLocale)(
    const uint16_t *skeleton, int32_t length, const char *locale, int *status);
void ICU_NAME(unumf_close)(UNumberFormatter *formatter);
UFormattedNumber *ICU_NAME(unumf_openResult)(int *status);
void ICU_NAME(unumf_closeResult)(UFormattedNumber *number);
void ICU_NAME(unumf_formatDecimal)(
    const UNumberFormatter *formatter, const char *decimal, int32_t length, UFormattedNumber *number, int *status);

typedef struct UCollator UCollator;

UCollator *ICU_NAME(ucol_open)(const char *locale, int *status);
void ICU_NAME(ucol_close)(UCollator *collator);
void ICU_NAME(ucol_setStrength)(UCollator *collator, int strength);
const char *ICU_NAME(ucol_getLocaleByType)(const UCollator *collator, int type, int *status);
void ICU_NAME(ucol_getVersion)(const UCollator *collator, uint8_t version[4]);
int32_t ICU_NAME(ucol_getSortKey)(
    const UCollator *collator, const uint16_t *text, int32_t length, uint8_t *key, int32_t capacity);

// A locale's order of texts, in which accents count and case doesn't; null if ICU fails.
static inline UCollator *collator_open(const char *locale) {
    int status = 0;
    UCollator *collator = ICU_NAME(ucol_open)(locale, &status);
    if (status > 0 || !collator) return 0;
    // UCOL_SECONDARY
    ICU_NAME(ucol_setStrength)(collator, 1);
    return collator;
}

static inline void collator_close(UCollator *collator) { ICU_NAME(ucol_close)(collator); }

// The locale whose rules it has, the same for all locales that share an order; null if ICU fails.
static inline const char *collator_locale(const UCollator *collator) {
    int status = 0;
    // ULOC_ACTUAL_LOCALE
    const char *name = ICU_NAME(ucol_getLocaleByType)(collator, 0, &status);
    return status > 0 ? 0 : name;
}

// A number that changes with the keys.
static inline uint32_t collator_version(const UCollator *collator) {
    uint8_t version[4];
    ICU_NAME(ucol_getVersion)(collator, version);
    return (uint32_t)version[0] << 24 | (uint32_t)version[1] << 16 | (uint32_t)version[2] << 8 | version[3];
}

// Writes the bytes by which a text in UTF-16 is compared, with a zero at the end, and returns their number, which is
// larger than the capacity if they don't fit.
static inline int32_t collator_key(
    const UCollator *collator, const uint16_t *text, int32_t length, uint8_t *key, int32_t capacity) {
    return ICU_NAME(ucol_getSortKey)(collator, text, length, key, capacity);
}

// The plural rules of a locale; null if ICU fails.
static inline UPluralRules *plural_rules_open(const char *locale) {
    int status = 0;
    UPluralRules *rules = ICU_NAME(uplrules_open)(locale, &status);
    return status > 0 ? 0 : rules;
}

static inline void plural_rules_close(UPluralRules *rules) { ICU_NAME(uplrules_close)(rules); }

// Formats numbers as the locale does by default, because the visible digits decide; null if ICU fails.
static inline UNumberFormatter *plural_formatter_open(const char *locale) {
    int status = 0;
    static const uint16_t nothing = 0;
    UNumberFormatter *formatter = ICU_NAME(unumf_openForSkeletonAndLocale)(&nothing, 0, locale, &status);
    return status > 0 ? 0 : formatter;
}

static inline void plural_formatter_close(UNumberFormatter *formatter) { ICU_NAME(unumf_close)(formatter); }

// Writes the name of a number's category in UTF-16 and returns its length; 0 on failure.
static inline int32_t plural_category(
    const UPluralRules *rules, const UNumberFormatter *formatter, const char *decimal, int32_t length, uint16_t *name,
    int32_t capacity) {
    int status = 0;
    UFormattedNumber *number = ICU_NAME(unumf_openResult)(&status);
    if (status > 0) return 0;
    int32_t written = 0;
    ICU_NAME(unumf_formatDecimal)(formatter, decimal, length, number, &status);
    if (status <= 0) written = ICU_NAME(uplrules_selectFormatted)(rules, number, name, capacity, &status);
    ICU_NAME(unumf_closeResult)(number);
    return status > 0 || written > capacity ? 0 : written;
}

// The names of a locale's plural categories, to be read with `plural_category_next` and closed.
static inline UEnumeration *plural_categories_open(const UPluralRules *rules) {
    int status = 0;
    UEnumeration *names = ICU_NAME(uplrules_getKeywords)(rules, &status);
    return status > 0 ? 0 : names;
}

// The next name, which is valid until the next call; null after the last.
static inline const char *plural_category_next(UEnumeration *names) {
    int status = 0;
    const char *name = ICU_NAME(uenum_next)(names, 0, &status);
    return status > 0 ? 0 : name;
}

static inline void plural_categories_close(UEnumeration *names) { ICU_NAME(uenum_close)(names); }
