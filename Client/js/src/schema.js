/**
 * The messages of marquee.proto that this client sends or reads, as tables. Fields that it neither sends nor reads are
 * left out, so they are skipped like unknown ones.
 *
 * A line that isn't indented begins a message. It is its names, each with the number of its kind behind `=` if it is
 * a frame's; then its fields, in the order of their numbers from 1. A number among them is that of the next field. A
 * field is its name and its type, with `*` if it is repeated and `!` if it is needed. Types are u (uint32), n (uint64),
 * x (fixed64), d (double), o (bool), b (bytes), the name of a message, or none for a string.
 */

/**
 * @typedef {object} Field
 * @property {number} number
 * @property {string} name in camel case
 * @property {string} type
 * @property {boolean} repeated
 * @property {boolean} needed
 * @property {number} wire its wire type
 */

/**
 * @typedef {object} Schema
 * @property {(Field | undefined)[]} fields by number
 * @property {(message: Record<string, any>) => boolean} [refuses] whether it has a value that it may not have
 */

/** @type {Record<string, Schema>} */
export const schemas = {};
/**
 * Numbers of the kinds of frames by their names.
 * @type {Record<string, number>}
 */
export const kinds = {};
/**
 * Names of kinds.
 * @type {string[]}
 */
export const names = [];

/**
 * Adds messages to `schemas`.
 * @param {string} lines
 */
export function declare(lines) {
  for (const line of lines.trim().split(/\n\b/)) {
    const [named, ...words] = line.split(/\s+/);
    /** @type {Field[]} */
    const fields = [];
    let number = 1;
    for (const word of words) {
      const [name, given] = word.split(/[:*!]/), type = given || "s";
      const wire = "uno".includes(type) ? 0 : "xd".includes(type) ? 1 : 2;
      if (+word) number = +word;
      else
        fields[number] =
          { number: number++, name, type, repeated: word.includes("*"), needed: word.includes("!"), wire };
    }
    const schema = { fields };
    for (const word of named.split("/")) {
      const [name, kind] = word.split("=");
      schemas[name] = schema;
      if (kind) names[(kinds[name] = +kind)] = name;
    }
  }
}

declare(`
Cut catalogueEpoch:x catalogueRevision:n userEpoch:x userRevision:n
Limits frameBytes:u partBytes:u elementsPerFrame:u 6 calls:u answerBytes:u 10 creditBytes:n 12 cutBytes:n
Status code:u reason remedy:u message retryAfterMs:u
Hello=1 protocolMin:u! protocolMax:u! 5 limits:Limits user token clientId:b! agent cluster seen:Cut answeredThrough:n
Welcome=2 protocol:u! 3 cluster! user node limits:Limits! cut:Cut! pingIntervalMs:u pingMinimumMs:u
  progressIntervalMs:u imageBaseUrl locales* lastMutation:n agent identityMs:n
Ping=3/Pong=4 nonce:n
Progress=5 cut:Cut!
Ack=6 bytes:n! cut:Cut
GoAway=7 status:Status! reconnectMinMs:u reconnectMaxMs:u
Close=8 status:Status!
SectionParameters section! sort window:u
HeldSection section! sum:x!
Resume cut:Cut! viewSum:x! sections:HeldSection*
Subscribe=16 subscription:u! generation:u screen! locale sections:SectionParameters* resume:Resume
Unsubscribe=17 subscription:u!
SubscriptionError=18 subscription:u! generation:u status:Status! section
Binding section! handle:n! sum:x
Join=19 subscription:u! generation:u viewHandle:n! viewSum:x! sections:Binding* cut:Cut! screen! locale!
Item id! kind:u! subject body:b
FieldChange records:b cleared:u* replace:o
Part/Data=32/Stage=33 handle:n! baseSum:x targetSum:x! script:b adds:Item* updates:FieldChange* head:FieldChange
  count:u! more:o cut:Cut
HeldVersion handle:n! sum:x refused:o
Nack=20 number:u! good:Cut held:HeldVersion* status:Status! staged:HeldVersion*
Repair=21 number:u!
RebaseSection section handle:n!
Rebase=22 2 subscription:u! sections:RebaseSection*
Manifest=23 handle:n! sum:x! headHash:x! pairs:b more:o
Request=48 call:u! method:u! deadlineMs:u 5 body:b
Answer=49 call:u! status:Status body:b more:o
Cancel=50 call:u!
SearchRequest query 3 page:u locale
SearchAnswer 2 items:Item* total:u 5 pages:u 7 totalCapped:o
CollectionRequest number:n! answeredThrough:n subject! member:o! collection value
RenewRequest token!
RenewAnswer identityMs:n
MutationAnswer number:n! cut:Cut changed:o
SortDescription id! title
Action id title target
Supplement title actions:Action*
NamedSupplement kind supplement:Supplement
SectionHead kind:u header:Supplement footer:Supplement layout:b sorts:SortDescription* sort windows:u* window:u
  total:u hasMore:o error:Status collection totalCapped:o 16 supplements:NamedSupplement*
ViewHead title needsUser*
SectionReference private:o placeholders:u
Image name role aspect:d color
CardBadge text role
CardRating value:d scale:d count:n
CardPrice amount currency
CardRank place:u previous:u isNew:o
CardProgress value:d total:d unit
CardFact label value
CardRecord message bytes:b
CardBody overline title subtitle caption image:Image badges:CardBadge* rating:CardRating price:CardPrice rank:CardRank
  progress:CardProgress facts:CardFact* actions:Action* text record:CardRecord
OtherBody type value
MemberBody revision:n value
`);
