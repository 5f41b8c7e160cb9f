import * as fc from 'fast-check';
import { expect } from 'vitest';
import { type Asset, assets } from '#shared/assets/asset/asset.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { systemActor } from '#shared/platform/table/actor.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** Two applications and a team, by which the parts of an organization are made. */
export const [shop, bank, web] = [newId(), newId(), newId()];

export type Scope = { zones?: string[]; applicationIds?: string[]; teamIds?: string[] };

export const SCOPES: Scope[] = [
  { zones: ['dmz'] },
  { zones: ['LAB', 'nowhere'] },
  { applicationIds: [shop] },
  { applicationIds: [bank], zones: ['lab'] },
  { teamIds: [web] },
];

export type Placed = { zone: string | null; applicationIds: readonly string[]; ownerId: string | null };

/** A place of an asset. */
export const placed: fc.Arbitrary<Placed> = fc.record({
  zone: fc.constantFrom('DMZ', 'lab', null),
  applicationIds: fc.subarray([shop, bank]),
  ownerId: fc.constantFrom(web, null),
});

/** A host at a place. */
export function hostAt(table: Table, value: string, place: Placed, more: Partial<Asset> = {}): Promise<Asset> {
  const { applicationIds, zone, ownerId } = place;
  const by = { at: now(), by: systemActor, origin: 'manual' as const };
  const links = applicationIds.map((applicationId) => ({ applicationId, ...by }));
  const around = { type: 'host' as const, criticality: 'low' as const, internetExposed: null, tags: [] };
  const seen = { firstSeenAt: now(), lastSeenAt: now() };
  return table.create(assets, { ...around, ...seen, value, name: value, zone, ownerId, links, ...more });
}

/** Whether one value of the scope has all of the places, of which there is one at least. */
export const isIn = ({ zones = [], applicationIds = [], teamIds = [] }: Scope, places: readonly Placed[]): boolean =>
  places.length > 0 &&
  (zones.some((zone) => places.every((one) => one.zone?.toLowerCase() === zone.toLowerCase())) ||
    applicationIds.some((id) => places.every((one) => one.applicationIds.includes(id))) ||
    teamIds.some((id) => places.every(({ ownerId }) => ownerId === id)));

type Page = { data: { id: string }[]; totalCount: number };
type Query = Readonly<Record<string, unknown>>;
type List = (query: never) => Promise<Page>;

/** Each page of the person is that of an administrator without the records that the person does not see. */
export async function expectOwnPages(
  queries: readonly Query[],
  lists: { all: List; own: List },
  visible: ReadonlySet<string>,
): Promise<void> {
  for (const query of queries) {
    const {
      paginateFrom = 0,
      paginateSize = 100,
      ...asked
    } = { ...query } as { paginateFrom?: number; paginateSize?: number };
    const all = await lists.all({ ...asked, paginateSize: 100 } as never);
    const expected = all.data.filter(({ id }) => visible.has(id));
    const own = await lists.own({ ...asked, paginateFrom, paginateSize } as never);
    expect([query, own.data]).toEqual([query, expected.slice(paginateFrom, paginateFrom + paginateSize)]);
    expect(own.totalCount).toBe(expected.length);
  }
}

type Person = { send: (method: 'GET', path: string, more: object) => Promise<{ body: unknown }> };

/** Each figure of the summary is the number of records in the list that it links to. */
export async function expectFiguresListed(person: Person, summary: { links: { list: Record<string, string | null> } }) {
  for (const [figure, path] of Object.entries(summary.links.list)) {
    if (path === null) continue;
    const page = await person.send('GET', path, {});
    const counted = figure.split('.').reduce((value: unknown, name) => Reflect.get(Object(value), name), summary);
    expect([figure, Object(page.body).totalCount]).toEqual([figure, counted]);
  }
}
