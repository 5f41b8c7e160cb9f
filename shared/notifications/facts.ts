import { assets } from '#shared/assets/asset/asset.ts';
import type { Event } from '#shared/events/event.ts';
import { collections } from '#shared/organizations/filtered.ts';
import { chunksOf } from '#shared/platform/runtime/chunks.ts';
import type { Stored } from '#shared/platform/table/entity.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** Facts of the record of an event, for messages and their receivers. */
export type Facts = {
  title?: string | undefined;
  severity?: string | undefined;
  assigneeId?: string | undefined;
  assetId?: string | undefined;
  assetName?: string | undefined;
  ownerId?: string | undefined;
  /** Of a comment, whose title is that of its record: the page of the record in the console. */
  page?: string | null;
};
/** The facts of the records by the subjects of their events. */
export type FactsBySubject = ReadonlyMap<string, Facts>;

const IDS = 100;

/** Whether records of an entity have a list that a caller's part restricts. */
export const isListed = (entity: string): boolean => listOf(entity) !== undefined;

const listOf = (entity: string) =>
  Object.entries(collections).find(([name, { page }]) => name === entity && page !== undefined)?.[1].page;

/** The present records of events, as a table shows them: of a table with a part only those of the part. */
export async function recordsBehind(table: Table, events: readonly Event[]): Promise<Map<string, Stored>> {
  const byEntity = Map.groupBy(events, ({ data }) => data.entity);
  const found = new Map<string, Stored>();
  for (const [entity, some] of byEntity) {
    const page = listOf(entity);
    for (const ids of page ? chunksOf([...new Set(some.map(({ data }) => data.id))], IDS) : []) {
      const { data } = (await page?.(table, { ids, paginateFrom: 0, paginateSize: IDS, consistent: true })) ?? {
        data: [],
      };
      for (const record of data) found.set(`${entity}/${record.id}`, record);
    }
  }
  return found;
}

/** The facts of records, with the owners of the assets. */
export async function factsOf(table: Table, records: ReadonlyMap<string, Stored>): Promise<FactsBySubject> {
  const facts = new Map([...records].map(([subject, record]) => [subject, factsIn(subject, record)]));
  const ids = [...new Set([...facts.values()].flatMap(({ assetId }) => assetId ?? []))];
  const owners = new Map((await table.findMany(assets, ids)).map(({ id, ownerId }) => [id, ownerId ?? undefined]));
  for (const of of facts.values()) of.ownerId ??= of.assetId === undefined ? undefined : owners.get(of.assetId);
  return facts;
}

function factsIn(subject: string, record: Stored): Facts {
  const text = (name: string): string | undefined => textIn(record, name);
  const asset: unknown = Reflect.get(record, 'asset');
  const assignee: unknown = Reflect.get(record, 'assignee');
  return {
    title: text('title') ?? text('name') ?? text('hostname'),
    severity: text('severity'),
    assigneeId: text('assigneeId') ?? textIn(assignee, 'id'),
    assetId: textIn(asset, 'id'),
    assetName: textIn(asset, 'name'),
    ownerId: subject.startsWith('asset/') || subject.startsWith('application/') ? text('ownerId') : undefined,
  };
}

function textIn(from: unknown, name: string): string | undefined {
  const value: unknown = typeof from === 'object' && from !== null ? Reflect.get(from, name) : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}
