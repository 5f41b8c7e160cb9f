import { SCOPES } from '#shared/platform/auth/permissions.ts';

/** The opening of the API reference: facts about all operations. @param opened the scopes that open an operation */
export const introduction = (opened: ReadonlySet<string>): string =>
  `
One place for what a security team owns, what is wrong with it, and whether it is getting better.

**Credentials** travel as \`Authorization: Bearer ...\`: an API key of the organization, or an access token from
\`POST /api/v1/oauth/token\`. Each operation names the role, scope or machine that it needs; anything less is answered
with 401 and the code \`insufficient_scope\`.

**Scopes of API keys**

${Object.entries(SCOPES)
  .map(([scope, meaning]) => `- \`${scope}\`: ${meaning}${opened.has(scope) ? '' : ' (opens no operation yet)'}`)
  .join('\n')}

**Roles** of persons and service accounts are \`viewer\`, \`analyst\`, \`admin\` and \`owner\`, each including those before it, and \`auditor\`,
who reads what an administrator reads and changes nothing. Staff of the
service provider are \`pentester\`, \`manager\` or \`platform_owner\`, each including those before it: they reach the engagements that
clients assign to them until these end, managers run shared scanners and appliances, and platform owners set limits, and copy, restore and
delete organizations.

**Statuses** are 200, 400, 401 and 500, and 429 where an operation names it. What the caller can mend is 400 with a \`code\` that says what; that includes
records and operations that do not exist (\`not_found\`). \`HEAD\` is answered as \`GET\`, without the body. In front of the service the gateway may answer 413, 429, 431
(an address and headers of more than 10 KB) or 503 itself.

**Lists** are newest first and paged with \`paginateFrom\` (offset, default 0) and \`paginateSize\` (1 to 500, default 50).

**Search** takes each word of \`search\` as the beginning of a word of the record: \`ngi\` finds nginx, \`"nginx"\` in quotation
marks that word alone. A word has two letters or digits at least. Dots, dashes and underscores belong to a word
(\`CVE-2021-44228\`, \`10.0.0.7\`). \`truncated\` says that so many words begin so that \`totalCount\` is a lower bound.

**Changes** are JSON merge patches: absent leaves a field, null clears it, arrays are replaced whole. Fields that the
server sets may come back unchanged. \`version\` or \`If-Match\` guards against overwriting someone else's change.

**Repeating a POST** is safe with an \`Idempotency-Key\`: the same key and request repeats the first answer for a day.
Operations that show a secret take none. A link request that is repeated without the machine's secret links another machine.

**Queued operations** answer with a \`taskId\`; follow it at \`GET /api/v1/tasks/{id}\`, or find it in \`GET /api/v1/tasks\`.

**Groups and pools.** A group holds scanners of your own, a pool (\`public-scanner-groups\`) those of the provider. Work names one of
them: \`scannerGroupId\` is a group, \`publicScannerGroupId\` a pool. A scanner names all of its own: \`groupIds\` are groups,
\`publicGroupIds\` pools. \`group\` of a link token is the group or the pool that its machines join.

Times are RFC 3339 in UTC. Durations are in seconds. Request bodies are at most 1 MB, or 64 KB without a credential;
operations that take reports, batches or events say 4 MB. Larger reports go through an upload, \`POST /api/v1/uploads\`.
`.trim();
