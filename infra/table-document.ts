import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Entity } from '#shared/table/entity.ts';
import { GROUP, type Shape } from '#shared/table/layout/positions.ts';

const shared = fileURLToPath(new URL('../shared', import.meta.url));

/** Every entity that a module under shared/ exports: the modules are asked, so that there is no list to forget. */
export async function declaredEntities(): Promise<Entity[]> {
  const files = readdirSync(`${shared}/entities`).filter((file) => file.endsWith('.ts'));
  const modules = await Promise.all(
    files.sort().map((file) => import(new URL(`../shared/entities/${file}`, import.meta.url).href)),
  );
  const entities = modules.flatMap((module) => Object.values(module)).filter(isEntity);
  return entities.sort((a, b) => (a.name < b.name ? -1 : 1));
}

const isEntity = (value: unknown): value is Entity =>
  typeof value === 'object' && value !== null && 'main' in value && 'parents' in value && 'facets' in value;

/** `docs/table.md`: what lies in the table and which question each part answers. */
export async function tableDocument(): Promise<string> {
  const entities = await declaredEntities();
  return `${head}\n\n${entities.map(section).join('\n\n')}\n`;
}

const head = `# What lies in the table

Generated from the declarations in \`shared/entities/\` by \`npm run docs\`; a test compares. How the rows work together:
[decisions/0001-store.md](decisions/0001-store.md). \`<org>\` is the organization's id in 22 characters, \`<n>\` an ordinal.

| row of an entity | partition key | sort key |
|---|---|---|
| record (list row) | \`<org>#<entity>#<partition>\` | \`<n>\` |
| its long fields | \`<org>#<entity>#d<partition>\` | \`<n>\` |
| facets, next ordinal | \`<org>#<entity>#i\` | \`c\`, \`o\` |
| counts per block of a list | \`<org>#<entity>#i[#<list>=<parent>]\` | \`p<page>\` |
| bit masks of a block | \`<org>#<entity>#m[#<list>=<parent>]#<block>\` | \`m\` |
| counters of an open value | \`<org>#<entity>#t#<facet>\` | \`=<value>\` |
| search word | \`<org>#<entity>#s<first letter>\` | \`<word> <inverted n>\` |
| unique value | \`<org>#<entity>#u#<field>#<value>\` | \`u\` |`;

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
  ].join('\n');

const filters = ({ dimensions }: Shape): string =>
  dimensions.length === 0
    ? ''
    : `; filtered by ${dimensions.map(({ name, values }) => `${name} (${values.join(', ')})`).join(' and ')}`;
