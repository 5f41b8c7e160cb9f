import { type Asset, assets, seenAt } from '#shared/assets/asset/asset.ts';
import { assetsOf, type Counting, countAssets, countEach, dayBefore, matchingOf } from '../counting.ts';
import type { Cell } from '../document.ts';
import { each } from '../records.ts';
import { defineSection, type Page, shareOf, tableOf } from '../section.ts';

const SHOWN = 10;

async function gather(counting: Counting) {
  const figures = await countEach(countAssets, counting, {
    all: '',
    in30: `lastSeen>=${dayBefore(counting, 30)}`,
    in90: `lastSeen>=${dayBefore(counting, 90)}`,
    unowned: 'owner:none',
  });
  const unseen = await countAssets(counting, unseenFilter(counting));
  const matching = await matchingOf(counting, 'asset', `${assetsOf(counting)} ${unseenFilter(counting)}`);
  const page = { paginateFrom: 0, paginateSize: SHOWN, matching, sort: 'seen' };
  const { data } = await counting.table.list(assets, page);
  return { ...figures, unseen, blind: data.map(blindOf) };
}

const unseenFilter = (counting: Counting): string => `lastSeen<${dayBefore(counting, 90)}`;

const blindOf = ({
  id,
  name,
  type,
  zone,
  ...seen
}: Parameters<typeof seenAt>[0] & Pick<Asset, 'id' | 'name' | 'type' | 'zone'>) => ({
  id,
  name,
  type,
  zone,
  seenAt: seenAt(seen),
});

const rowOf = ({ id, name, type, zone, seenAt: at }: ReturnType<typeof blindOf>, page: Page): Cell[] => [
  { text: name, link: page.link(`/api/v1/assets/${id}`) },
  ...[type, zone, page.day(at)],
];

/** Which assets scans and sources have seen lately, and which are blind spots, by name. */
export const coverage = defineSection<Awaited<ReturnType<typeof gather>>>({
  title: 'coverage',
  gather,
  figures: ({ all, in30, in90, unowned, unseen }, page) => [
    [page.say('assets'), all],
    [page.say('seenIn', { n: 30 }), in30],
    [page.say('seenIn', { n: 90 }), in90],
    [page.say('notSeenIn', { n: 90 }), unseen],
    [page.say('unowned'), unowned],
  ],
  blocks: ({ all, in30, in90, unowned, unseen, blind }, page) => {
    if (all.value === 0) return [{ block: 'text', text: page.say('noAssets') }];
    const text = page.say('coverageText', {
      n: page.number(all.value),
      in30: page.percent(shareOf(in30.value, all.value)),
      in90: page.percent(shareOf(in90.value, all.value)),
      unowned: page.number(unowned.value),
    });
    if (unseen.value === 0) return [{ block: 'text', text: `${text} ${page.say('noBlindSpots')}` }];
    return [
      { block: 'text', text },
      tableOf(page, {
        id: 'blind_spots',
        title: 'blindSpots',
        columns: [
          ['name', 'asset', 0.46],
          ['type', 'type', 0.18],
          ['zone', 'zone', 0.18],
          ['lastSeen', 'lastSeen', 0.18],
        ],
        rows: blind.map((row) => rowOf(row, page)),
        total: unseen.value,
      }),
    ];
  },
  rows: {
    async *blind_spots(counting, page) {
      const matching = await matchingOf(counting, 'asset', `${assetsOf(counting)} ${unseenFilter(counting)}`);
      for await (const some of each(counting.table, assets, { matching }))
        for (const one of some) yield rowOf(blindOf(one), page);
    },
  },
});
