import type { StoredFinding } from '#shared/findings/finding/finding.ts';
import { acceptanceOf } from '#shared/findings/finding/finding-decision.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { vulnerabilities } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';
import { type Counting, countFindings } from '../counting.ts';
import type { Cell } from '../document.ts';
import { eachFinding } from '../records.ts';
import { defineSection, type Page, tableOf } from '../section.ts';

const ACCEPTED = 'status:risk_accepted';
const SHOWN = 100;

type Accepted = StoredFinding & {
  owner: { name: string | null } | null;
  applications: string[];
  asset: { tags: string[] };
};

/** An accepted risk with all that an auditor asks for. A decision on a vulnerability says how the risk is treated, and since when. */
async function riskOf(table: Table, finding: Accepted) {
  const [decided] = await table.findMany(vulnerabilities, finding.follows?.vulnerabilityIds ?? []);
  const { approver = null, reason = null, until = null } = acceptanceOf(finding) ?? {};
  return {
    id: finding.id,
    title: finding.title,
    vulnerability: decided?.advisoryId ?? finding.cves.join(', '),
    severity: finding.severity,
    reason,
    approver: approver?.name ?? null,
    treatment: decided?.decision?.treatment ?? ('accept' as const),
    start: decided?.decision?.at ?? finding.decidedAt ?? null,
    until,
    asset: finding.asset.name,
    owner: finding.owner?.name ?? null,
    tags: finding.asset.tags.join(', '),
    applications: finding.applications.join(', '),
  };
}
type Risk = Awaited<ReturnType<typeof riskOf>>;

async function* risksOf(counting: Counting): AsyncGenerator<Risk> {
  for await (const finding of eachFinding(counting, ACCEPTED)) yield riskOf(counting.table, finding);
}

async function gather(counting: Counting) {
  const all = await countFindings(counting, ACCEPTED);
  const first: Risk[] = [];
  for await (const risk of risksOf(counting)) if (first.push(risk) === SHOWN) break;
  return { all, first };
}

const rowOf = (risk: Risk, page: Page): Cell[] => [
  { text: risk.title, link: page.link(`/api/v1/findings/${risk.id}`) },
  risk.vulnerability,
  page.say(risk.severity),
  ...[risk.reason, risk.approver],
  page.say(risk.treatment),
  risk.start === null ? page.say('unknown') : page.day(risk.start),
  risk.until === null ? page.say('unlimited') : page.day(risk.until),
  ...[risk.asset, risk.owner, risk.tags, risk.applications],
];

/** Every accepted risk: on pages the first hundred, all of them in the files of tables. */
export const acceptedRisks = defineSection<Awaited<ReturnType<typeof gather>>>({
  title: 'acceptedRisks',
  appendix: true,
  gather,
  blocks: ({ all, first }, page) => [
    tableOf(page, {
      id: 'accepted_risks',
      title: 'acceptedRisks',
      columns: [
        ['title', 'finding', 0.26],
        ['vulnerability', 'vulnerability', 0.12, { under: 'title' }],
        ['severity', 'severity', 0.1, { under: 'title' }],
        ['reason', 'reason', 0.25],
        ['approver', 'approver', 0.14, { under: 'reason' }],
        ['treatment', 'treatment', 0.1, { under: 'reason' }],
        ['start', 'start', 0.135],
        ['until', 'until', 0.135],
        ['asset', 'asset', 0.22],
        ['owner', 'owner', 0.14, { under: 'asset' }],
        ['tags', 'tags', 0.14, { under: 'asset' }],
        ['applications', 'applications', 0.14, { under: 'asset' }],
      ],
      rows: first.map((risk) => rowOf(risk, page)),
      total: all.value,
      empty: 'noneAccepted',
    }),
  ],
  rows: {
    async *accepted_risks(counting, page) {
      for await (const risk of risksOf(counting)) yield rowOf(risk, page);
    },
  },
});
