import { findings as records, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { ordinalsOf, wholeRecordsAt } from '#shared/platform/table/selected.ts';
import { engagements } from '#shared/scanning/engagements/engagement.ts';
import { type Counting, matchingOf } from '../counting.ts';
import type { Block } from '../document.ts';
import { defineSection, type Page, SEVERITIES, tableOf } from '../section.ts';

/** Findings whose texts are in the report; the table has all of them. */
const DESCRIBED = 60;
const MAX_TEXT = 4_000;

async function gather(counting: Counting) {
  const { table, report } = counting;
  const { title, description, kind, status, targets, exclusions, startedAt, completedAt } = await table.get(
    engagements,
    report.engagementId ?? '',
  );
  const matching = await matchingOf(counting, 'finding', counting.findings);
  const ordinals = (await ordinalsOf(table, records, { matching })).slice(0, DESCRIBED);
  const found = await wholeRecordsAt(table, records, { ordinals, consistent: true });
  return {
    title,
    description,
    kind,
    status,
    startedAt,
    completedAt,
    targets: targets.map(({ value }) => value),
    exclusions: exclusions.map(({ value }) => value),
    findings: found.toSorted(worstFirst).map(described),
  };
}

const worstFirst = (a: StoredFinding, b: StoredFinding) =>
  SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) || (a.title < b.title ? -1 : 1);

const described = ({
  title,
  severity,
  status,
  asset,
  location,
  description,
  remediation,
  cves,
  cwes,
}: StoredFinding) => ({
  title,
  severity,
  status,
  asset: asset.name,
  location,
  names: [...cves, ...cwes],
  description: description?.slice(0, MAX_TEXT) ?? null,
  remediation: remediation?.slice(0, MAX_TEXT) ?? null,
});

/** `open` alone would be the heading of open findings. */
const STATUS = {
  open: 'stillOpen',
  in_progress: 'in_progress',
  risk_accepted: 'risk_accepted',
  false_positive: 'false_positive',
  out_of_scope: 'out_of_scope',
  fixed: 'fixed',
} as const satisfies Record<StoredFinding['status'], Parameters<Page['say']>[0]>;

function whenOf(startedAt: string | null, completedAt: string | null, page: Page): string {
  if (startedAt === null) return page.say('engagementPlanned');
  if (completedAt === null) return page.say('engagementRunning', { from: page.day(startedAt) });
  return page.say('engagementWhen', { from: page.day(startedAt), to: page.day(completedAt) });
}

/** The scope of a test, and its findings with their texts. */
export const engagement = defineSection<Awaited<ReturnType<typeof gather>>>({
  title: 'engagement',
  startsPage: true,
  gather,
  blocks: (facts, page) => {
    const { description, startedAt, completedAt, targets, exclusions } = facts;
    const texts: Block[] = [whenOf(startedAt, completedAt, page), description ?? '']
      .filter(Boolean)
      .map((text) => ({ block: 'text', text }));
    const scope = tableOf(page, {
      id: 'scope',
      title: 'scope',
      columns: [
        ['target', 'target', 0.7],
        ['included', 'included', 0.3],
      ],
      rows: [
        ...targets.map((target) => [target, page.say('yes')]),
        ...exclusions.map((target) => [target, page.say('no')]),
      ],
    });
    const each = facts.findings.flatMap(({ names, ...finding }): Block[] => [
      {
        block: 'heading',
        text: page.labelled(page.say(finding.severity), finding.title),
        note: [page.say(STATUS[finding.status]), finding.asset, finding.location, ...names].join(' · '),
      },
      ...(finding.description ? [{ block: 'text' as const, text: finding.description }] : []),
      ...(finding.remediation
        ? [{ block: 'text' as const, text: page.labelled(page.say('remediation'), finding.remediation) }]
        : []),
    ]);
    return [...texts, scope, ...each];
  },
});
