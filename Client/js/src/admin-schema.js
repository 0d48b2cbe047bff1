/** The messages of operators' calls. */

import { utf8 } from "./bytes.js";
import { declare, schemas } from "./schema.js";

declare(`
Content id head:b items* sum:x!
GetScreenRequest screen! locale sections*
GetScreenAnswer screen! locale! cut! view:Content! sections:Content*
PublishRequest number:n! answeredThrough:n key index:u last:o changes:b*
  source:SourceMove
SourceMove source! position expected
HealthAnswer state! cut sessions:u subscriptions:u 6 uptimeMs:n encodes:n deliveries:n version
  records:RecordCount* staleMs:n unwritableMs:n
RecordCount type! count:n
SectionDescription id! kind:u sorts* windows:u* placeholders:u
ScreenDescription pattern! title example sections:SectionDescription*
DescribeRequest locale
DescribeAnswer screens:ScreenDescription* locales*
`);

const SCREEN_BYTES = 256;
const isLong = (/** @type {any} */ { screen }) => utf8(screen).length > SCREEN_BYTES;
schemas.GetScreenRequest.refuses = schemas.GetScreenAnswer.refuses = isLong;
