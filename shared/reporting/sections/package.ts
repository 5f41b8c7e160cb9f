import { products } from '#shared/assets/inventory/product.ts';
import { vulnerabilities as records } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';
import { type Counting, countOf, matchingOf } from '../counting.ts';
import type { Cell } from '../document.ts';
import { each } from '../records.ts';
import { defineSection, type Page, tableOf } from '../section.ts';

const SHOWN = { paginateFrom: 0, paginateSize: 100 };

/** A collection of the whole organization: a part has no components of its own. */
async function gatherComponents({ table }: Counting) {
  if (table.part) return null;
  const { data, totalCount } = await table.list(products, { ...SHOWN, sort: 'assets' });
  const rows = data.map(({ vendor, product, release, cpe, assets }) => ({ vendor, product, release, cpe, assets }));
  return { rows, total: totalCount };
}
type Component = NonNullable<Awaited<ReturnType<typeof gatherComponents>>>['rows'][number];

const componentRow = ({ vendor, product, release, cpe, assets }: Component): Cell[] => [
  ...[vendor, product, release, cpe],
  assets,
];

/** The software that assets have, in each version. */
export const components = defineSection<Awaited<ReturnType<typeof gatherComponents>>>({
  title: 'components',
  gather: gatherComponents,
  blocks: (facts, page) => [
    facts === null
      ? { block: 'text', text: page.say('notSeen') }
      : tableOf(page, {
          id: 'components',
          title: 'components',
          columns: [
            ['vendor', 'vendor', 0.2, { under: 'product' }],
            ['product', 'component', 0.6],
            ['release', 'version', 0.25],
            ['cpe', 'cpe', 0.28, { under: 'product' }],
            ['assets', 'assets', 0.15, 'right'],
          ],
          rows: facts.rows.map(componentRow),
          total: facts.total,
          empty: 'noComponents',
        }),
  ],
  rows: {
    async *components({ table }) {
      if (table.part) return;
      for await (const some of each(table, products)) for (const product of some) yield componentRow(product);
    },
  },
});

/** The words of VEX (OpenVEX 0.2.0) for the decisions of people. */
const STATEMENT = {
  open: 'affected',
  in_progress: 'affected',
  risk_accepted: 'affected',
  false_positive: 'not_affected',
  fixed: 'fixed',
} as const;

/** The filter of the vulnerabilities that a package is about. */
export const vulnerabilitiesAbout = ({ report }: Counting): string =>
  report.applicationId ? `application:${report.applicationId}` : '';

async function gatherStatements(counting: Counting) {
  const matching = await matchingOf(counting, 'vulnerability', vulnerabilitiesAbout(counting));
  const [all, { data }] = await Promise.all([
    countOf(counting, 'vulnerability', vulnerabilitiesAbout(counting)),
    counting.table.list(records, { ...SHOWN, matching }),
  ]);
  return { all, rows: data.map(statementOf) };
}

type Listed = Pick<Parameters<typeof records.search>[0], 'advisoryId' | 'component' | 'asset' | 'status' | 'decision'>;

const statementOf = ({ advisoryId, component, asset, status, decision }: Listed) => ({
  advisoryId,
  component: component?.purl ?? component?.name ?? null,
  version: component?.version ?? null,
  asset: asset.name,
  statement: STATEMENT[status],
  reason: decision?.reason ?? null,
});

const statementRow = (
  { advisoryId, component, version, asset, statement, reason }: ReturnType<typeof statementOf>,
  page: Page,
): Cell[] => [advisoryId, component, version, asset, page.say(statement), reason];

/** A statement on each vulnerability of the components. */
export const statements = defineSection<Awaited<ReturnType<typeof gatherStatements>>>({
  title: 'statements',
  gather: gatherStatements,
  blocks: ({ all, rows }, page) => [
    tableOf(page, {
      id: 'statements',
      title: 'statements',
      columns: [
        ['vulnerability', 'vulnerability', 0.18],
        ['component', 'component', 0.26],
        ['version', 'version', 0.1],
        ['asset', 'asset', 0.2],
        ['statement', 'status', 0.12],
        ['reason', 'reason', 0.14],
      ],
      rows: rows.map((row) => statementRow(row, page)),
      total: all.value,
      empty: 'noStatements',
    }),
  ],
  rows: {
    async *statements(counting, page) {
      const matching = await matchingOf(counting, 'vulnerability', vulnerabilitiesAbout(counting));
      for await (const some of each(counting.table, records, { matching }))
        for (const one of some) yield statementRow(statementOf(one), page);
    },
  },
});
