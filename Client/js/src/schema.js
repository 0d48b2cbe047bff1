/**
 * The messages of marquee.proto as tables.
 *
 * A line is a message: its name, then its fields in the order of their numbers from 1. A number among them is that of
 * the next field. A field is `name:type` with `*` if it is repeated and `!` if it is needed. Types are u (uint32),
 * n (uint64), x (fixed64), d (double), o (bool), s (string), b (bytes), or the name of a message.
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

/** @typedef {{name: string, fields: Field[], byNumber: Field[], needed: Field[]}} Schema */

/** @type {Record<string, Schema>} */
export const schemas = {};

/** @type {Record<string, number>} */
const wires = { u: 0, n: 0, o: 0, x: 1, d: 1 };

/**
 * Adds messages to `schemas`.
 * @param {string} lines
 */
export function declare(lines) {
  for (const line of lines.trim().split("\n")) {
    const [name, ...words] = line.trim().split(" ");
    /** @type {Schema} */
    const schema = { name, fields: [], byNumber: [], needed: [] };
    let number = 1;
    for (const word of words) {
      if (+word) {
        number = +word;
        continue;
      }
      const [, field, type, marks] = /** @type {string[]} */ (/(\w+):(\w+)(.*)/.exec(word));
      const row = { number, name: field, type, repeated: marks === "*", needed: marks === "!", wire: wires[type] ?? 2 };
      schema.fields.push(row);
      schema.byNumber[number++] = row;
      if (row.needed) schema.needed.push(row);
    }
    schemas[name] = schema;
  }
}

declare(`
Cut catalogueEpoch:x catalogueRevision:n userEpoch:x userRevision:n
Limits frameBytes:u partBytes:u elementsPerFrame:u unknownPerMessage:u subscriptions:u calls:u answerBytes:u listItems:u sections:u creditBytes:n mutations:u cutBytes:n
Status code:u reason:s remedy:u message:s retryAfterMs:u
Hello protocolMin:u! protocolMax:u! 5 limits:Limits user:s token:s clientId:b! agent:s cluster:s seen:Cut answeredThrough:n pingIntervalMs:u relay:o
Welcome protocol:u! 3 cluster:s! user:s node:s limits:Limits! cut:Cut! pingIntervalMs:u pingMinimumMs:u progressIntervalMs:u imageBaseUrl:s locales:s* lastMutation:n agent:s identityMs:n
Ping nonce:n
Pong nonce:n
Progress cut:Cut!
Ack bytes:n! cut:Cut
GoAway status:Status! reconnectMinMs:u reconnectMaxMs:u
Close status:Status!
SectionParameters section:s! sort:s window:u
HeldSection section:s! sum:x!
Resume cut:Cut! viewSum:x! sections:HeldSection*
Subscribe subscription:u! generation:u screen:s! locale:s sections:SectionParameters* resume:Resume
Unsubscribe subscription:u!
SubscriptionError subscription:u! generation:u status:Status! section:s
Binding section:s! handle:n! sum:x
Join subscription:u! generation:u viewHandle:n! viewSum:x! sections:Binding* cut:Cut! screen:s! locale:s!
Item id:s! kind:u! subject:s body:b
FieldChange records:b cleared:u* replace:o
Part handle:n! baseSum:x targetSum:x! script:b adds:Item* updates:FieldChange* head:FieldChange count:u! more:o cut:Cut
HeldVersion handle:n! sum:x refused:o
Nack number:u! good:Cut held:HeldVersion* status:Status! staged:HeldVersion*
Repair number:u!
RebaseSection section:s handle:n!
Rebase 2 subscription:u! sections:RebaseSection*
Manifest handle:n! sum:x! headHash:x! pairs:b more:o
Request call:u! method:u! deadlineMs:u 5 body:b traceparent:s guest:u
Answer call:u! status:Status body:b more:o
Cancel call:u!
GetScreenRequest screen:s! locale:s sections:SectionParameters*
Content id:s head:b items:Item* sum:x!
GetScreenAnswer screen:s! locale:s! cut:Cut! view:Content! sections:Content*
SearchRequest query:s queryId:n page:u locale:s
SearchAnswer queryId:n items:Item* total:u page:u pages:u cut:Cut totalCapped:o
CollectionRequest number:n! answeredThrough:n subject:s! member:o! collection:s value:s
PublishRequest number:n! answeredThrough:n key:s index:u last:o changes:b*
RenewRequest token:s!
RenewAnswer identityMs:n
MutationAnswer number:n! cut:Cut changed:o
HealthAnswer state:s! cut:Cut sessions:u subscriptions:u 6 uptimeMs:n encodes:n deliveries:n version:s records:RecordCount* staleMs:n
RecordCount type:s! count:n
SortDescription id:s! title:s
SectionDescription id:s! kind:u sorts:SortDescription* windows:u* placeholders:u
ScreenDescription pattern:s! title:s example:s sections:SectionDescription*
DescribeRequest locale:s
DescribeAnswer screens:ScreenDescription* locales:s*
Dimension unit:u value:d
Insets top:d leading:d bottom:d trailing:d
Spacing points:d flexible:o
EdgeSpacing top:Spacing leading:Spacing bottom:Spacing trailing:Spacing
Anchor edges:u x:d y:d fractional:o
Supplementary kind:s width:Dimension height:Dimension anchor:Anchor insets:Insets pinned:o zIndex:d
LayoutNode type:u width:Dimension height:Dimension insets:Insets spacing:d count:u children:u* badges:Supplementary* flexibleSpacing:o edgeSpacing:EdgeSpacing
Layout nodes:LayoutNode* insets:Insets spacing:d scrolling:u supplementaries:Supplementary* decoration:s decorationInsets:Insets decorationZIndex:d insetsReference:u
Action id:s title:s target:s
Supplement title:s actions:Action*
NamedSupplement kind:s supplement:Supplement
SectionHead kind:u header:Supplement footer:Supplement layout:Layout sorts:SortDescription* sort:s windows:u* window:u total:u hasMore:o error:Status collection:s totalCapped:o 16 supplements:NamedSupplement*
ViewHead title:s needsUser:s*
SectionReference private:o placeholders:u
Image name:s role:s aspect:d color:s
CardBadge text:s role:s
CardRating value:d scale:d count:n
CardPrice amount:s currency:s
CardRank place:u previous:u isNew:o
CardProgress value:d total:d unit:s
CardFact label:s value:s
CardRecord message:s bytes:b
CardBody overline:s title:s subtitle:s caption:s image:Image badges:CardBadge* rating:CardRating price:CardPrice rank:CardRank progress:CardProgress facts:CardFact* actions:Action* text:s record:CardRecord
OtherBody type:s value:s
MemberBody revision:n value:s
`);
