import type { TaskRow } from '#shared/platform/jobs/task.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type Letter, letterTask } from './letter.ts';
import { users } from './user.ts';

/** Each letter is written in the transaction of the event that it reports, which has room for so many. */
const MAX_LETTERS = 20;

/** The letters that report an event to the active administrators and owners except for one, the newest users first. */
export async function lettersToAdministrators(
  table: Table,
  letter: Omit<Letter, 'to'>,
  except?: string,
): Promise<{ tasks: TaskRow[]; writes: Write[] }> {
  const asked = { filter: { status: 'active' }, where: { role: ['owner', 'admin'] } };
  const { data } = await table.list(users, { paginateFrom: 0, paginateSize: MAX_LETTERS, ...asked });
  const letters = data
    .filter(({ id }) => id !== except)
    .map(({ email }) => letterTask(table, { ...letter, to: email }));
  return { tasks: letters.map(({ task }) => task), writes: letters.flatMap(({ writes }) => writes) };
}
