#include <stdint.h>

// The plural rules of ICU, which ships with Foundation. Foundation has no API for them on Linux, and the module of
// ICU's own headers is private to the toolchain. These declarations are the part of ICU's stable C interface that is
// needed here. Swift's builds of ICU on Linux put a prefix before each name, Apple's don't.
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

// The rules of a locale; null if ICU fails.
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
