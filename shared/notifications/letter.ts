import type { Letter } from '#shared/people/letter.ts';
import type { User } from '#shared/people/user.ts';
import { shortened } from '#shared/platform/runtime/texts.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { SUBSCRIPTIONS_PAGE } from './pages.ts';
import type { Waiting } from './waiting.ts';

/** The address that stops the messages works for so long; later the console does it. */
const STOP_SECONDS = 180 * 86_400;

/** The letter with what waits for a person. */
export function notificationLetter(
  { organizationId }: Pick<Table, 'organizationId'>,
  { id: userId, email }: Pick<User, 'id' | 'email'>,
  waiting: readonly Waiting[],
): Letter {
  const [first] = waiting;
  const count = waiting.reduce((sum, row) => sum + row.count, 0);
  const only = count === 1 ? first?.lines[0]?.text : undefined;
  const reasons = waiting.map(({ reason }) => `“${reason}”`).join(', ');
  return {
    to: email,
    subject: shortened(only ?? `${first?.reason ?? ''}${waiting.length > 1 ? ' and others' : ''} (${count})`, 150),
    paragraphs: [],
    sections: waiting.map((row) => ({
      heading: `${row.reason} (${row.count})`,
      lines: row.lines.map(({ text, page }) => ({ text, ...(page !== null && { page }) })),
      more: row.count - row.lines.length,
    })),
    link: { label: 'Change what notifies you', page: SUBSCRIPTIONS_PAGE },
    stop: {
      reason: shortened(`You get this letter because of: ${reasons}.`, 900),
      ticket: {
        purpose: 'unsubscribe',
        seconds: STOP_SECONDS,
        data: { organizationId, userId, sources: waiting.map(({ source }) => source) },
      },
    },
  };
}
