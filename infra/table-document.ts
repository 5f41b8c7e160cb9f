import { readdirSync, readFileSync } from 'node:fs';
import type { Entity } from '#shared/platform/table/entity.ts';
import type { Key } from '#shared/platform/table/layout/keys.ts';
import { GROUP, type Shape } from '#shared/platform/table/layout/positions.ts';
import { type AnyRow, entityPatterns, expiryOf, rowPattern } from './key-patterns.ts';

/** The modules that call `define`, and everything that they export: they are asked, so there is no list to forget. */
export async function modulesThatCall(define: string): Promise<{ file: string; calls: number; exported: unknown[] }[]> {
  const files = ['shared/', 'functions/'].flatMap((folder) => {
    const paths = readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' });
    return paths.filter((path) => path.endsWith('.ts')).map((path) => `${folder}${path}`);
  });
  const call = new RegExp(`(?<!const |function )\\b${define}[<(]`, 'g');
  const found = files.map((file) => ({
    file,
    calls: readFileSync(new URL(file, root), 'utf8').match(call)?.length ?? 0,
  }));
  const calling = found.filter(({ calls }) => calls > 0);
  const modules = calling.map(async ({ file, calls }) => {
    const exported: object = await import(new URL(file, root).href);
    return { file, calls, exported: Object.values(exported) };
  });
  return Promise.all(modules);
}

const root = new URL('../', import.meta.url);

const exportsBeside = async (define: string): Promise<unknown[]> =>
  (await modulesThatCall(define)).flatMap(({ exported }) => exported);

const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);

export const declaredEntities = async (): Promise<Entity[]> =>
  (await Promise.all(['defineEntity', 'defineEntityBeside', 'defineEntityAside'].map(exportsBeside)))
    .flat()
    .filter(isEntity)
    .sort(byName);

const declaredRowKinds = async (): Promise<AnyRow[]> =>
  (await exportsBeside('defineRow')).filter(isRowKind).sort(byName);

export const isEntity = (value: unknown): value is Entity =>
  typeof value === 'object' && value !== null && 'main' in value && 'parents' in value && 'facets' in value;

export const isRowKind = (value: unknown): value is AnyRow =>
  typeof value === 'object' && value !== null && 'about' in value && 'key' in value;

/** `docs/table.md`: the rows of the table and the question that each of them answers. */
export async function tableDocument(): Promise<string> {
  const entities = await declaredEntities();
  const kinds = await declaredRowKinds();
  const rows = [head, ...entityPatterns().map(entityRow), '', rowsHead, ...kinds.map(kindRow)].join('\n');
  return `${rows}\n\n${entities.map(section).join('\n\n')}\n`;
}

const head = `# Contents of the table

Generated from the declarations in \`shared/\` and \`functions/\` by \`npm run docs\`; a test compares. The keys come from the
functions that make them. One finding drawn as its rows, and how the rows work together: [store.md](store.md).

\`<org>\` is the organization's id in 22 characters, \`<ordinal>\` the record's number in its collection. A part in brackets
is there for entities whose counters are split into shards.

## Rows of an entity

| row | partition key | sort key |
|---|---|---|`;

const entityRow = ({ row, key }: { row: string; key: Key }): string => `| ${row} | \`${key.pk}\` | \`${key.sk}\` |`;

const rowsHead = `## Rows of no collection

\`<scope>\` is \`<org>\`, or \`global\` where many organizations share the rows. The key \`<x>\` is the value of the field \`x\` of the row.

| row | purpose | partition key | sort key | expires |
|---|---|---|---|---|`;

const kindRow = (kind: AnyRow): string => {
  const { pk, sk } = rowPattern(kind);
  return `| ${kind.name} | ${kind.about} | \`${pk}\` | \`${sk}\` | ${expiryOf(kind)} |`;
};

const section = (entity: Entity): string =>
  [
    `## ${entity.name}`,
    '',
    `- all, newest first${filters(entity.main)}`,
    ...Object.entries(entity.parents).map(
      ([list, { shape }]) => `- those of one ${list}, newest first${filters(shape)}`,
    ),
    ...(entity.detail.length > 0 ? [`- read by id only: ${entity.detail.join(', ')}`] : []),
    `- ordinals per mask row: ${entity.main.span} (${entity.main.planes} bit planes, ${entity.main.span / GROUP} numbers each)`,
    ...(entity.shards > 1 ? [`- shards: ${entity.shards}`] : []),
    ...(entity.together ? ['- its facets lie together with those of other collections'] : []),
  ].join('\n');

const filters = ({ dimensions }: Shape): string =>
  dimensions.length === 0
    ? ''
    : `; filtered by ${dimensions.map(({ name, values }) => `${name} (${values.join(', ')})`).join(' and ')}`;
