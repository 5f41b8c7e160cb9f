import { type Counting, countEach, countFindings, dayBefore, OPEN } from '../counting.ts';
import { defineSection, shareOf, tableOf } from '../section.ts';

/** Days since the first sighting, from and to. */
const BANDS = [
  { name: 'band30', from: 0, to: 30 },
  { name: 'band90', from: 31, to: 90 },
  { name: 'band180', from: 91, to: 180 },
  { name: 'bandOver', from: 181, to: undefined },
] as const;

async function gather(counting: Counting) {
  const each = await Promise.all(
    BANDS.map(({ from, to }) => {
      const first = to === undefined ? '' : dayBefore(counting, to);
      const seen = first
        ? `firstSeen:${first}..${dayBefore(counting, from)}`
        : `firstSeen<=${dayBefore(counting, from)}`;
      return countEach(countFindings, counting, {
        open: `${OPEN} ${seen}`,
        criticalAndHigh: `${OPEN} severity:critical,high ${seen}`,
        overdue: `due<${counting.today} ${seen}`,
      });
    }),
  );
  return BANDS.map(({ name }, n) => ({ name, ...each[n] }));
}
type Ages = Awaited<ReturnType<typeof gather>>;

/** How long open findings are open, and how many of them are within their due date. */
export const ages = defineSection<Ages>({
  title: 'ages',
  gather,
  blocks: (facts, page) => {
    const cell = (figure: Ages[number]['open']) =>
      figure ? { text: page.number(figure.value), link: page.link(figure.list) } : null;
    const rows = facts.map(({ name, open, criticalAndHigh, overdue }) => [
      page.say(name),
      cell(open),
      cell(criticalAndHigh),
      cell(overdue),
      page.percent(shareOf((open?.value ?? 0) - (overdue?.value ?? 0), open?.value ?? 0)),
    ]);
    return [
      tableOf(page, {
        id: 'ages',
        title: 'ages',
        columns: [
          ['age', 'age', 0.28],
          ['open', 'open', 0.18, 'right'],
          ['criticalAndHigh', 'criticalAndHigh', 0.18, 'right'],
          ['overdue', 'overdue', 0.18, 'right'],
          ['inTime', 'inTime', 0.18, 'right'],
        ],
        rows,
      }),
    ];
  },
});
