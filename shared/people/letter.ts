import * as z from 'zod';
import { outboxWrites } from '#shared/platform/jobs/outbox.ts';
import { newTask, type TaskRow } from '#shared/platform/jobs/task.ts';
import { inSeconds, now } from '#shared/platform/runtime/clock.ts';
import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import { commit, type Write } from '#shared/platform/table/io/commit.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { personWithAddress, personWrites } from './person.ts';
import { TicketRequest } from './ticket.ts';

/**
 * A letter to one person. The worker writes it as text and as HTML. `link` opens a page of the console; its ticket, if
 * it has one, is made when the letter is sent, so that no queue holds a token that opens something.
 */
export const Letter = z.object({
  to: z.email(),
  subject: z.string().max(200),
  paragraphs: z.array(z.string().max(1_000)).max(10),
  /** Lists of records with their pages of the console; `more`: records that are not listed. */
  sections: z
    .array(
      z.object({
        heading: z.string(),
        lines: z.array(z.object({ text: z.string(), page: z.string().optional() })),
        more: z.int().nonnegative(),
      }),
    )
    .optional(),
  link: z.object({ label: z.string(), page: z.string(), ticket: TicketRequest.optional() }).optional(),
  /** A code that the reader types, made with its ticket when the letter is sent. */
  code: TicketRequest.optional(),
  /** Why the letter comes, and the ticket of the address that stops such letters (RFC 8058). */
  stop: z.object({ reason: z.string(), ticket: TicketRequest }).optional(),
  /** The deliveries of the ledger that the letter is. */
  deliveries: z.array(z.object({ targetId: z.string(), id: z.string() })).optional(),
});
export type Letter = z.infer<typeof Letter>;

/** The task that sends a letter, with its writes for the transaction of the event that the letter reports. */
export function letterTask(table: Table, letter: Letter): { task: TaskRow; writes: Write[] } {
  const input = Letter.parse(letter);
  const task = newTask(table.actor, { operation: 'send_letter', job: 'mail', unit: 'letters', input });
  return { task, writes: outboxWrites(table, task) };
}

const MAX_LETTERS_PER_HOUR = 5;

/** Counts a letter that somebody asks for themselves. @returns false for a person who got the most letters of an hour */
export const countLetter = (dynamo: Dynamo, email: string): Promise<boolean> =>
  retry(async () => {
    const person = await personWithAddress(dynamo, email);
    const recent = person?.lettersAt.filter((at) => at > inSeconds(-3600)) ?? [];
    if (!person || recent.length >= MAX_LETTERS_PER_HOUR) return false;
    await commit(dynamo, personWrites(person, { lettersAt: [...recent, now()] }), new Map());
    return true;
  });
