import { issueCode } from '#shared/people/confirmation.ts';
import { Letter } from '#shared/people/letter.ts';
import { issueTicket } from '#shared/people/ticket.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { compose } from './compose.ts';
import { deliver } from './deliver.ts';
import { NO_SENDER, noted } from './note-deliveries.ts';

/** Sends the letter of a task. A letter that is sent again has another ticket; both open the same thing. */
export async function sendLetter({ connections, table, task }: Work): Promise<Record<string, unknown>> {
  const letter = Letter.parse(task.input);
  const isSent = await noted(table, letter, () => sendNow(connections, letter));
  return isSent ? { sent: true } : { sent: false, reason: NO_SENDER };
}

/** @returns false in a deployment without a sender */
export async function sendNow(connections: Connections, letter: Letter): Promise<boolean> {
  if (connections.settings.MAIL_FROM === undefined) return false;
  const action = letter.link && (await addressOf(connections, letter.link));
  const stop = letter.stop && (await stopAddress(connections, letter.stop));
  const code = letter.code && (await issueCode(connections.dynamo, letter.code));
  const { to, subject } = letter;
  const forms = compose(letter, { action, stop, code, baseUrl: connections.settings.BASE_URL });
  await deliver(connections, { to, subject, ...forms, headers: stop === undefined ? {} : oneClick(stop) });
  return true;
}

/** Programs for mail stop the letters by a POST to this address (RFC 8058). */
const oneClick = (address: string): Record<string, string> => ({
  'List-Unsubscribe': `<${address}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

const stopAddress = async ({ dynamo, settings }: Connections, { ticket }: NonNullable<Letter['stop']>) =>
  `${settings.BASE_URL}/api/v1/notifications/unsubscribe/${await issueTicket(dynamo, ticket)}`;

/** The token is behind `#`: browsers send that part to no server. */
async function addressOf({ dynamo, settings }: Connections, { page, ticket }: NonNullable<Letter['link']>) {
  const address = `${settings.BASE_URL}${page}`;
  return ticket ? `${address}#token=${await issueTicket(dynamo, ticket)}` : address;
}
