import { applicationRisk } from '#shared/exposure/applications/risk.ts';
import { perValue } from '#shared/platform/runtime/per-value.ts';
import { type Counting, countAssets, countEach, countFindings, dayBefore, type Figure, OPEN } from '../counting.ts';
import type { Decision, Tile, Tone } from '../document.ts';
import { type Headline, reports } from '../report.ts';
import { defineSection, type Page, SEVERITIES, shareOf } from '../section.ts';
import { sparkOf } from './trend.ts';

/** An acceptance that ends within so many days is a decision of this report. */
const SOON_DAYS = 90;
const STALE_DAYS = 30;

const figuresOf = (counting: Counting) =>
  countEach(countFindings, counting, {
    ...perValue(SEVERITIES, (severity) => `${OPEN} severity:${severity}`),
    all: '',
    open: OPEN,
    criticalAndHigh: `${OPEN} severity:critical,high`,
    exploited: `${OPEN} kev:true`,
    overdue: `due<${counting.today}`,
    accepted: 'status:risk_accepted',
    acceptedEnding: `status:risk_accepted acceptanceEnds:${counting.today}..${dayBefore(counting, -SOON_DAYS)}`,
  });

const assetFiguresOf = (counting: Counting) =>
  countEach(countAssets, counting, {
    all: '',
    unowned: 'owner:none',
    unseen: `lastSeen<${dayBefore(counting, STALE_DAYS)}`,
  });

/** The last report about the same that the maker sees. */
async function previousOf({ table, report }: Counting): Promise<{ asOf: string; headline: Headline } | null> {
  const where = { series: report.series, sight: report.sight };
  const page = { paginateFrom: 0, paginateSize: 1, filter: { status: 'made' }, where };
  const { data } = await table.list(reports, page);
  const [last] = data;
  return last?.asOf && last.headline ? { asOf: last.asOf, headline: last.headline } : null;
}

/** The score of an application's risk (docs/applications.md), of findings alone: without criticality and exposure. */
function scoreOf(figures: Awaited<ReturnType<typeof figuresOf>>) {
  const open = perValue(SEVERITIES, (severity) => figures[severity].value);
  const counted = { open, kevOpen: figures.exploited.value, overdue: figures.overdue.value };
  return applicationRisk(counted, { criticality: 'low', internetExposed: null });
}

async function gather(counting: Counting) {
  const [findings, assets, previous, spark] = await Promise.all([
    figuresOf(counting),
    assetFiguresOf(counting),
    previousOf(counting),
    sparkOf(counting),
  ]);
  const { score, grade } = scoreOf(findings);
  return {
    score,
    grade,
    findings,
    assets,
    previous,
    spark,
    decideBy: dayBefore(counting, -14),
    endsBy: dayBefore(counting, -SOON_DAYS),
  };
}
export type Summary = Awaited<ReturnType<typeof gather>>;

export const headlineOf = ({ score, findings }: Summary): Headline => ({
  score,
  open: findings.open.value,
  criticalAndHigh: findings.criticalAndHigh.value,
  exploited: findings.exploited.value,
  overdue: findings.overdue.value,
  accepted: findings.accepted.value,
});

/** A change of the score by so much is better or worse. */
const NOTABLE = 3;

function toneOf({ score, previous }: Summary): Tone {
  if (!previous) return 'none';
  const change = score - previous.headline.score;
  if (Math.abs(change) < NOTABLE) return 'stable';
  return change < 0 ? 'better' : 'worse';
}

/** The figures of which the greatest change is the reason of a verdict. */
const REASONS = ['exploited', 'overdue', 'criticalAndHigh', 'open'] as const;

function verdictOf(summary: Summary, page: Page): string {
  const { findings, assets, previous, score, grade } = summary;
  if (findings.all.value === 0) return page.say(assets.all.value === 0 ? 'verdictEmpty' : 'verdictNoFindings');
  if (!previous) return page.say('verdictFirst', { score, grade, n: page.number(findings.open.value) });
  const { headline, asOf } = previous;
  const now = headlineOf(summary);
  const [reason] = REASONS.toSorted((a, b) => changeOf(b) - changeOf(a));
  function changeOf(name: (typeof REASONS)[number]): number {
    return Math.abs(now[name] - headline[name]) / Math.max(1, headline[name]);
  }
  const tone = toneOf(summary);
  const text = (
    { better: 'verdictBetter', worse: 'verdictWorse', stable: 'verdictStable', none: 'verdictStable' } as const
  )[tone];
  const why = reason && now[reason] !== headline[reason] ? reason : undefined;
  return [
    page.say(text, { score, before: headline.score, day: page.day(asOf) }),
    why && page.say('verdictWhy', { what: page.say(why), from: page.number(headline[why]), to: page.number(now[why]) }),
  ]
    .filter(Boolean)
    .join(' ');
}

const LESS_IS_BETTER = (change: number): Tone => (change === 0 ? 'stable' : change < 0 ? 'better' : 'worse');

function tileOf(summary: Summary, page: Page, name: keyof Headline & keyof Summary['findings']): Tile {
  const { value, list } = summary.findings[name];
  const before = summary.previous?.headline[name];
  const change = before === undefined ? null : value - before;
  return {
    label: page.say(name),
    value: page.number(value),
    change: change === null ? null : signed(page, change),
    tone: change === null ? 'none' : LESS_IS_BETTER(change),
    spark: [],
    link: page.link(list),
  };
}

const signed = (page: Page, change: number): string => `${change > 0 ? '+' : ''}${page.number(change)}`;

function tilesOf(summary: Summary, page: Page): Tile[] {
  const { score, grade, previous, findings } = summary;
  const change = previous ? score - previous.headline.score : null;
  const inTime = shareOf(findings.open.value - findings.overdue.value, findings.open.value);
  return [
    {
      ...{ label: page.say('score'), value: `${score} (${grade})`, tone: toneOf(summary), spark: [], link: null },
      change: change === null ? null : signed(page, change),
    },
    { ...tileOf(summary, page, 'criticalAndHigh'), spark: summary.spark },
    tileOf(summary, page, 'exploited'),
    tileOf(summary, page, 'overdue'),
    {
      ...{ label: page.say('inTime'), value: page.percent(inTime), change: null, tone: 'none', spark: [] },
      link: page.link(findings.open.list),
    },
    tileOf(summary, page, 'accepted'),
  ];
}

const DECISIONS = 3;

/** The decisions that readers are asked for: the first three of which there is something to decide. */
function decisionsOf({ findings, assets, decideBy, endsBy }: Summary, page: Page): Decision[] {
  const asked: [Figure, Parameters<Page['say']>[0]][] = [
    [findings.exploited, 'decideExploited'],
    [findings.overdue, 'decideOverdue'],
    [findings.acceptedEnding, 'decideAccepted'],
    [findings.critical, 'decideCritical'],
    [assets.unowned, 'decideUnowned'],
    [assets.unseen, 'decideUnseen'],
  ];
  return asked
    .filter(([{ value }]) => value > 0)
    .slice(0, DECISIONS)
    .map(([{ value, list }, text]) => ({
      text: page.say(text, { n: page.number(value), day: page.day(endsBy) }),
      owner: null,
      dueDate: decideBy,
      link: page.link(list),
    }));
}

/** The verdict, the tiles and the decisions. */
export const summary = defineSection<Summary>({
  title: 'summary',
  gather,
  blocks: (facts, page) => {
    const decisions = decisionsOf(facts, page);
    return [
      { block: 'verdict', tone: toneOf(facts), text: verdictOf(facts, page) },
      { block: 'tiles', tiles: tilesOf(facts, page) },
      decisions.length > 0 ? { block: 'decisions', decisions } : { block: 'text', text: page.say('nothingToDecide') },
    ];
  },
});
