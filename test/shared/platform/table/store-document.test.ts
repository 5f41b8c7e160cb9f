import { readdirSync, readFileSync } from 'node:fs';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { findings } from '#shared/findings/finding/finding.ts';
import { verify } from '#shared/platform/table/upkeep/verify.ts';
import { useStore } from '../../../support/store.ts';
import { storeSample } from './sample-finding.ts';

const store = useStore();

const page = readFileSync(new URL('../../../../docs/store.md', import.meta.url), 'utf8');
const folder = new URL('../../../../shared/platform/table/', import.meta.url);

const COUNTING = /#finding#[imotvw]/;

/** A row as the page shows it: its keys, and the numbers of a row that counts. */
const shown = ({ pk, sk, ...attributes }: Record<string, unknown>): string =>
  [pk, String(sk).replace(/[0-9a-f-]{36}$/, '<id>'), ...(COUNTING.test(String(pk)) ? numbersOf(attributes) : [])].join(
    ' | ',
  );

const numbersOf = (attributes: Record<string, unknown>): string[] =>
  Object.entries(attributes)
    .map(([name, value]) => `${name} = ${numberText(BigInt(value as number))}`)
    .sort();

function numberText(value: bigint): string {
  if (value <= Number.MAX_SAFE_INTEGER) return String(value);
  const ten = String(value).length - 1;
  return value === 10n ** BigInt(ten) ? `10^${ten}` : `2^${value.toString(2).length - 1}`;
}

/** The rows of the page's table: `pk` and `sk`, and the code of the last column where the row counts. */
const drawn = (): string[] =>
  [...page.matchAll(/^\| [^|]+ \| `((?:Example-company|global)[^`]*)` \| `([^`]+)` \| (.*) \|$/gm)].map(
    ([, pk = '', sk, holds = '']) =>
      [pk, sk, ...(COUNTING.test(pk) ? [...holds.matchAll(/`([^`]+)`/g)].map(([, code]) => code).sort() : [])].join(
        ' | ',
      ),
  );

test('docs/store.md draws the rows that the store writes for its finding, so that a reader is not misled', async () => {
  const table = await storeSample(store);
  const { Items = [] } = await store.dynamo.client.send(new ScanCommand({ TableName: store.dynamo.tableName }));
  expect(drawn().sort()).toEqual(Items.map(shown).sort());
  expect(await verify(table, findings)).toEqual({ records: 1, differences: [], unsettled: 0 });
});

test('docs/store.md says when to read each file of the store', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const [, order = ''] = page.split('## In which order to read');
  const named = [...order.matchAll(/`([a-z/-]+\.ts)`/g)].map(([, file]) => file);
  expect(named.sort()).toEqual(files.sort());
});
