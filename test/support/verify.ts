import { expect } from 'vitest';
import type { Table } from '#shared/platform/table/table.ts';
import { verify } from '#shared/platform/table/upkeep/verify.ts';

/** Every counter, list position and search row of these entities is what a recount gives. */
export async function expectExact(table: Table, entities: readonly { name: string }[]): Promise<void> {
  for (const entity of entities) {
    const { differences, unsettled } = await verify(table, entity as never);
    const found = { entity: entity.name, differences, unsettled };
    expect(found).toEqual({ entity: entity.name, differences: [], unsettled: 0 });
  }
}
