import * as fc from 'fast-check';
import { seenStored } from '#shared/platform/filter/rule.ts';
import { DAY_MS, setClock } from '#shared/platform/runtime/clock.ts';
import type { Entity, Stored } from '#shared/platform/table/entity.ts';
import { recordsOf } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { OperationName } from './client.ts';
import type { Made } from './random-filters.ts';

type Value = string | null | undefined | boolean | readonly string[];

/** The ids that random records name. */
type Ids = { people: readonly string[]; teams: readonly string[]; some: readonly string[] };

export type Records = {
  list: OperationName;
  make: (table: Table, ids: Ids, count: number) => Promise<Made[]>;
  versions: (table: Table) => Promise<Map<string, number>>;
};

export type Described<T> = {
  list: OperationName;
  /** `days`: when it happened, in days from now. */
  draft: (ids: Ids) => fc.Arbitrary<object>;
  /** The values that people see of a record, by the names of the fields of filters. */
  values: Record<string, (record: T) => Value>;
  /** Records that no list shows. */
  isHidden?: (record: T) => boolean;
};

const textsOf = (value: Value): string[] =>
  [value ?? []].flat().flatMap((one) => (typeof one === 'boolean' ? (one ? ['true'] : []) : [one]));

export function records<T extends Stored, D extends keyof T>(
  entity: Entity<T, D>,
  { list, draft, values, isHidden }: Described<T>,
): Records {
  return {
    list,
    versions: async (table) => new Map((await recordsOf(table, entity)).map(({ id, version }) => [id, version])),
    async make(table, ids, count) {
      const made: Made[] = [];
      for (const { age, ...one } of fc.sample(
        fc.tuple(fc.nat(20), draft(ids)).map(([age, given]) => ({ age, ...given })),
        {
          numRuns: count,
          seed: 7,
        },
      )) {
        setClock(() => Date.now() - age * DAY_MS);
        const record = await table.create(entity, one as never).finally(() => setClock());
        if (isHidden?.(record as T)) continue;
        const seen = Object.entries(values).map(([name, of]) => [name, textsOf(of(record as T))]);
        made.unshift({ id: record.id, values: Object.fromEntries(seen), seen: seenStored(record, { branches: [] }) });
      }
      return made;
    },
  };
}

export const of = fc.constantFrom;
export const tags = fc.subarray(['prod', 'PCI', 'Größe', 'ordinary']);
export const zone = of(null, 'DMZ', 'office');
export const severity = of('critical', 'high', 'low', 'info');
/** A time some days before or after now, with the edges of the day. */
export const time = fc
  .tuple(fc.integer({ min: -40, max: 40 }), of('00:00:00.000', '12:30:00.000', '23:59:59.999'))
  .map(([days, clock]) => `${new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)}T${clock}Z`);
export const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined, freq: 2 });
export const orNull = <T>(one: fc.Arbitrary<T>) => fc.option(one, { freq: 2 });
export const person = ({ people, teams }: Ids) => of(...people, ...teams).map((id) => ({ id, name: 'Ana' }));
export const assetOf = ({ some }: Ids) =>
  fc.record({ id: of(...some), type: of('host', 'repository', 'url'), name: of('web 1', 'shop'), zone });
export const stakes = of(
  undefined,
  { criticality: 'critical' },
  { criticality: 'low', exposed: true },
  { exposed: true },
);

const isLeft = ({ status }: { status: string }): boolean => status === 'open' || status === 'in_progress';
export const ifLeft = <T extends { status: string }>(one: T, value: Value): Value => (isLeft(one) ? value : null);

export const decided = {
  status: of('open', 'open', 'in_progress', 'fixed', 'false_positive', 'risk_accepted'),
  dueAt: maybe(time),
  fixedAt: maybe(time),
  reopenedAt: maybe(time),
  firstSeenAt: time,
  tags,
  assetTags: maybe(fc.subarray(['Lab', 'edge', 'Größe'], { minLength: 1 })),
  priority: fc.nat(100),
};
