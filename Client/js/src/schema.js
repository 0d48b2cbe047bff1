/**
 * The messages of marquee.proto that this client sends or reads, as tables. Fields that it neither sends nor reads are
 * left out, and so skipped like unknown ones. A nested message is usually named after the field that holds it.
 *
 * A line that isn't indented begins a message. First come its names, separated by `/`; the message of a frame has its
 * kind's number after `=`. The fields follow in the order of their numbers, from 1; a bare number is that of the next
 * field. A field is a name, `:` and a type, followed by `*` if it is repeated, `!` if it is required, and `>` with its
 * minimum value. Types are u (uint32), n (uint64), x (fixed64), d (double), o (bool), s (string), b (bytes), or the
 * name of a message. If the type is left out, it is the message with the field's name, if one is already declared, or
 * else a string.
 */

/**
 * A field: its name in camel case, its type, its wire type, and its minimum value, if any.
 * @typedef {[name: string, type: string, isRepeated: boolean, isNeeded: boolean, wire: number, least: any]} Field
 */

/**
 * The fields of a message by number, and a check that returns true for invalid messages.
 * @typedef {Field[] & {refuses?: (message: Record<string, any>) => boolean}} Schema
 */

/** @type {Record<string, Schema>} */
export const schemas = {};
/**
 * The names of frame kinds, by number.
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
    /** @type {Schema} */
    const fields = [];
    let number = 1;
    for (const word of words) {
      const [name, given, least] = word.split(/[:*!>]/);
      const type = given || (schemas[name] ? name : "s");
      const wire = "uno".includes(type) ? 0 : "xd".includes(type) ? 1 : 2;
      if (+word) number = +word;
      else fields[number++] = [name, type, word.includes("*"), word.includes("!"), wire, least];
    }
    for (const word of named.split("/")) {
      const [name, kind] = word.split("=");
      schemas[name] = fields;
      if (kind) names[+kind] = name;
    }
  }
}

declare(`
cut catalogueEpoch:x catalogueRevision:n userEpoch:x userRevision:n
limits frameBytes:u>4096 partBytes:u>4096 elementsPerFrame:u>64 6 calls:u answerBytes:u
  10 creditBytes:n>1 12 cutBytes:n>1
status code:u reason remedy:u message retryAfterMs:u
Hello=1 protocolMin:u! protocolMax:u! 5 limits user token clientId:b! agent cluster seen:cut answeredThrough:n
Welcome=2 protocol:u! 3 cluster! user node limits! cut! pingIntervalMs:u pingMinimumMs:u
  progressIntervalMs:u imageBaseUrl locales* lastMutation:n agent identityMs:n
Ping=3/Pong=4 nonce:n
Progress=5 cut!
Ack=6 bytes:n! cut
GoAway=7 status! reconnectMinMs:u reconnectMaxMs:u
Close=8 status!
sections section! sort window:u anchor cursor:b value end:o before:u after:u
HeldSection section! sum:x!
resume cut! viewSum:x! sections:HeldSection*
Subscribe=16 subscription:u! generation:u screen! locale sections* resume
Unsubscribe=17 subscription:u!
SubscriptionError=18 subscription:u! generation:u status! section
Binding section! handle:n! sum:x
Join=19 subscription:u! generation:u viewHandle:n! viewSum:x! sections:Binding* cut! screen! locale!
items id! kind:u! subject body:b
updates records:b cleared:u* replace:o
Part/Data=32/Stage=33 handle:n! baseSum:x targetSum:x! script:b adds:items* updates* head:updates
  count:u! more:o cut
held handle:n! sum:x refused:o
Nack=20 number:u! good:cut held* status! staged:held*
Repair=21 number:u!
RebaseSection section handle:n!
Rebase=22 2 subscription:u! sections:RebaseSection*
Manifest=23 handle:n! sum:x! headHash:x! pairs:b more:o
Request=48 call:u! method:u! deadlineMs:u 5 body:b
Answer=49 call:u! status body:b more:o
Cancel=50 call:u!
SearchRequest query 3 page:u locale
SearchAnswer 2 items* total:u 5 pages:u 7 totalCapped:o
CollectionRequest number:n! answeredThrough:n subject! member:o! collection value
RenewRequest token!
RenewAnswer identityMs:n
MutationAnswer number:n! cut changed:o
sorts id! title
actions id title target
supplement title actions*
supplements kind supplement
SectionHead kind:u header:supplement footer:supplement layout:b sorts* sort windows:u* window:u
  total:u hasMore:o error:status collection totalCapped:o 16 supplements*
  anywhere:u first:u cursor:b
ViewHead title needsUser*
image name role aspect:d color
badges text role
rating value:d scale:d count:n
price amount currency
rank place:u previous:u isNew:o
progress value:d total:d unit
facts label value
record message bytes:b
CardBody overline title subtitle caption image badges* rating price rank
  progress facts* actions* text record
OtherBody type value
MemberBody revision:n value
`);
