/** Messages that the client doesn't need, of presets.proto, relays and servers, so that the codec meets all vectors. */

import "../../src/admin-schema.js";
import "../../src/layout-schema.js";
import { declare, schemas } from "../../src/schema.js";

declare(`
SectionHead kind:u header:supplement footer:supplement layout:Layout sorts* sort windows:u* window:u
  total:u hasMore:o error:status collection totalCapped:o 16 supplements*
  anywhere:u first:u cursor:b
Certification country code label colorClass
MovieBody id:n title originalTitle releaseDate runtime:u genres* voteAverage:d voteCount:u popularity:d poster:image
  backdrop:image certification:Certification overview revenue:n
GenreBody id:n name image movies:u
CreditBody person:n name character job portrait:image
DetailBody id:n title originalTitle releaseDate countries* genres* runtime:u tagline overview infoLine
  certification:Certification directors* voteAverage:d voteCount:u poster:image backdrop:image revenue:n
ChartEntryBody title movie:n releaseDate gross:n grossToDate:n theaters:u daysInRelease:u distributor poster:image
  voteAverage:d currency audience:n audienceToDate:n share:d hours:n views:n weeks:u rank:u previousRank:u isNew:o
BannerBody title caption description image link actions*
TextBody text highlighted action:actions
CourseBody title author rating:d reviews:u price:s tag image currency
CategoriesBody titles*
PlaceBody title distance image
RecordSumsRequest type! after
SourceReport state error lagMs:n
SourceTrouble reason! ageMs:n
SourceState source! position movedMs:n report:SourceReport reportAgeMs:n trouble:SourceTrouble
SourceAnswer sources:SourceState*
Observation kind:u! item! place:u! atMs:n! forMs:u action revision:n
ReportRequest number:n! answeredThrough:n screen! section! observations:Observation*!
IntroduceRequest guest:u! user token clientId:b! address
IntroduceAnswer user scopes* identityMs:n cut! lastMutation:n
PlannedSection section! handle:n! private:o
PlanAnswer screen! locale! cut! viewHandle:n! sections:PlannedSection* shared:o
`);

// Fields that the client neither sends nor reads.
declare(`
Rest_limits 4 unknownPerMessage:u subscriptions:u 8 listItems:u sections:u 11 mutations:u
Rest_Hello 13 pingIntervalMs:u relay:o
Rest_Request 6 traceparent guest:u
Rest_SearchRequest 2 queryId:n
Rest_SearchAnswer queryId:n 4 page:u 6 cut
`);
for (const [name, fields] of Object.entries(schemas))
  if (name.startsWith("Rest_")) Object.assign(schemas[name.slice("Rest_".length)], fields);

schemas.Hello.refuses = ({ protocolMin, protocolMax, clientId, token = "" }) =>
  protocolMin > protocolMax || clientId.length !== 16 || token.length > 12288;
schemas.Subscribe.refuses = schemas.Join.refuses;
schemas.RenewRequest.refuses = ({ token }) => token.length > 12288;
schemas.CollectionRequest.refuses = ({ subject }) => Buffer.byteLength(subject) > 256;
schemas.Manifest.refuses = ({ pairs = [] }) => pairs.length % 16 !== 0;

export { schemas };
