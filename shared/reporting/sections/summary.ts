import { applicationRisk } from '#shared/exposure/applications/risk.ts';
import { perValue } from '#shared/platform/runtime/per-value.ts';
import { type Counting, countAssets, countEach, countFindings, dayBefore, OPEN } from '../counting.ts';
import { decisionsFrom } from '../decisions.ts';
import type { Decision, Tile, Tone } from '../document.ts';
import { type Headline, reports } from '../report.ts';
import { defineSection, type Page, SEVERITIES, shareOf } from '../section.ts';

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

/** Sparks go over so many reports before this one. */
const FORMER = 11;

/** The last reports about the same that the maker sees, newest first. */
async function formerOf({ table, report }: Counting): Promise<{ asOf: string; headline: Headline }[]> {
  const where = { series: report.series, sight: report.sight };
  const page = { paginateFrom: 0, paginateSize: FORMER, filter: { status: 'made' }, where };
  const { data } = await table.list(reports, page);
  return data.flatMap(({ asOf, headline }) => (asOf && headline ? [{ asOf, headline }] : []));
}

/** The score of an application's risk (docs/applications.md), of findings alone: without criticality and exposure. */
function scoreOf(figures: Awaited<ReturnType<typeof figuresOf>>) {
  const open = perValue(SEVERITIES, (severity) => figures[severity].value);
  const counted = { open, kevOpen: figures.exploited.value, overdue: figures.overdue.value };
  return applicationRisk(counted, { criticality: 'low', internetExposed: null });
}

async function gather(counting: Counting) {
  const [findings, assets, former] = await Promise.all([
    figuresOf(counting),
    assetFiguresOf(counting),
    formerOf(counting),
  ]);
  const { score, grade } = scoreOf(findings);
  const decisions = await decisionsFrom(counting, asked(findings, assets));
  return { score, grade, findings, assets, former, decisions, endsBy: dayBefore(counting, -SOON_DAYS) };
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

function toneOf({ score, former: [previous] }: Summary): Tone {
  if (!previous) return 'none';
  const change = score - previous.headline.score;
  if (Math.abs(change) < NOTABLE) return 'stable';
  return change < 0 ? 'better' : 'worse';
}

/** The figures of which the greatest change is the reason of a verdict. */
const REASONS = ['exploited', 'overdue', 'criticalAndHigh', 'open'] as const;

function verdictOf(summary: Summary, page: Page): string {
  const { findings, assets, score, grade } = summary;
  const [previous] = summary.former;
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
  const before = summary.former[0]?.headline[name];
  const change = before === undefined ? null : value - before;
  return {
    label: page.say(name),
    value: page.number(value),
    change: change === null ? null : signed(page, change),
    tone: change === null ? 'none' : LESS_IS_BETTER(change),
    spark: sparkOf(summary, (headline) => headline[name]),
    link: page.link(list),
  };
}

/** The course of a figure over the former reports to this one. */
const sparkOf = (summary: Summary, of: (headline: Headline) => number): number[] =>
  [headlineOf(summary), ...summary.former.map(({ headline }) => headline)].map(of).toReversed();

const signed = (page: Page, change: number): string => `${change > 0 ? '+' : ''}${page.number(change)}`;

function tilesOf(summary: Summary, page: Page): Tile[] {
  const { score, grade, former, findings } = summary;
  const [previous] = former;
  const change = previous ? score - previous.headline.score : null;
  const share = ({ open, overdue }: Pick<Headline, 'open' | 'overdue'>) => shareOf(open - overdue, open);
  const inTime = share(headlineOf(summary));
  const before = previous ? share(previous.headline) : null;
  const points = inTime === null || before === null ? null : Math.round(100 * (inTime - before));
  return [
    {
      ...{
        label: page.say('score'),
        value: findings.all.value === 0 ? page.say('unknown') : `${score} (${grade})`,
        tone: toneOf(summary),
        link: null,
      },
      change: change === null ? null : signed(page, change),
      spark: sparkOf(summary, (headline) => headline.score),
    },
    tileOf(summary, page, 'criticalAndHigh'),
    tileOf(summary, page, 'exploited'),
    tileOf(summary, page, 'overdue'),
    {
      label: page.say('inTime'),
      value: page.percent(inTime),
      link: page.link(findings.open.list),
      change: points === null ? null : page.say('points', { n: signed(page, points) }),
      tone: points === null ? 'none' : LESS_IS_BETTER(-points),
      spark: sparkOf(summary, (headline) => share(headline) ?? 1),
    },
    tileOf(summary, page, 'accepted'),
  ];
}

/** The decisions that readers may be asked for, the most pressing first. */
const asked = (findings: Awaited<ReturnType<typeof figuresOf>>, assets: Awaited<ReturnType<typeof assetFiguresOf>>) => [
  { text: 'decideExploited' as const, of: 'finding' as const, figure: findings.exploited },
  { text: 'decideOverdue' as const, of: 'finding' as const, figure: findings.overdue },
  { text: 'decideAccepted' as const, of: 'finding' as const, figure: findings.acceptedEnding },
  { text: 'decideCritical' as const, of: 'finding' as const, figure: findings.critical },
  { text: 'decideUnowned' as const, of: 'asset' as const, figure: assets.unowned },
  { text: 'decideUnseen' as const, of: 'asset' as const, figure: assets.unseen },
];

const NAMED = 2;

function decisionsOf({ decisions, endsBy }: Summary, page: Page): Decision[] {
  return decisions.map(({ text, figure: { value, list }, owners, decideBy }) => {
    const names = owners
      .slice(0, NAMED)
      .map((name) => page.short(name, 13))
      .join(', ');
    const more = owners.length - NAMED;
    return {
      text: page.say(text, { n: page.number(value), day: page.day(endsBy) }),
      owner: owners.length === 0 ? null : more > 0 ? page.say('andMore', { names, n: page.number(more) }) : names,
      dueDate: decideBy,
      link: page.link(list),
    };
  });
}

/** The verdict, the tiles and the decisions. */
export const summary = defineSection<Summary>({
  title: 'summary',
  gather,
  blocks: (gathered, page) => {
    // nothing is known, so nothing is stable either
    const facts = gathered.findings.all.value === 0 ? { ...gathered, former: [] } : gathered;
    const decisions = decisionsOf(facts, page);
    const tone = toneOf(facts);
    return [
      { block: 'verdict', tone, label: tone === 'none' ? null : page.say(tone), text: verdictOf(facts, page) },
      { block: 'tiles', tiles: tilesOf(facts, page) },
      decisions.length > 0 ? { block: 'decisions', decisions } : { block: 'text', text: page.say('nothingToDecide') },
    ];
  },
});
