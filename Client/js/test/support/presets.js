/** The messages of presets.proto and of relays, which the client doesn't need, so that the codec meets all vectors. */

import { declare, schemas } from "../../src/schema.js";

declare(`
Certification country:s code:s label:s colorClass:s
MovieBody id:n title:s originalTitle:s releaseDate:s runtime:u genres:s* voteAverage:d voteCount:u popularity:d poster:Image backdrop:Image certification:Certification overview:s revenue:n
GenreBody id:n name:s image:Image movies:u
CreditBody person:n name:s character:s job:s portrait:Image
DetailBody id:n title:s originalTitle:s releaseDate:s countries:s* genres:s* runtime:u tagline:s overview:s infoLine:s certification:Certification directors:s* voteAverage:d voteCount:u poster:Image backdrop:Image revenue:n
ChartEntryBody title:s movie:n releaseDate:s gross:n grossToDate:n theaters:u daysInRelease:u distributor:s poster:Image voteAverage:d currency:s audience:n audienceToDate:n share:d hours:n views:n weeks:u rank:u previousRank:u isNew:o
BannerBody title:s caption:s description:s image:Image link:s actions:Action*
TextBody text:s highlighted:s action:Action
CourseBody title:s author:s rating:d reviews:u price:s tag:s image:Image currency:s
CategoriesBody titles:s*
PlaceBody title:s distance:s image:Image
IntroduceRequest guest:u! user:s token:s clientId:b! address:s
IntroduceAnswer user:s scopes:s* identityMs:n cut:Cut! lastMutation:n
PlannedSection section:s! handle:n! private:o
PlanAnswer screen:s! locale:s! cut:Cut! viewHandle:n! sections:PlannedSection* shared:o
`);

export { schemas };
