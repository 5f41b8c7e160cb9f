import { conflict } from '../runtime/errors.ts';
import type { Actor } from '../table/actor.ts';
import type { Table } from '../table/table.ts';

/** @throws conflict for a comment of somebody else */
export function assertAuthor({ actor }: Pick<Table, 'actor'>, { createdBy }: { createdBy: Actor }): void {
  if (createdBy.id !== actor.id) throw conflict('Only the author of a comment can change or delete it.');
}
