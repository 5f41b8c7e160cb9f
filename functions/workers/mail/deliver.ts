import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SESv2Client } from '@aws-sdk/client-sesv2';
import { TaskFailure } from '#shared/platform/jobs/worker.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { newId } from '#shared/platform/runtime/ids.ts';

type Message = { to: string; subject: string; text: string; html: string; headers: Record<string, string> };

/**
 * Sends a message through Amazon SES, or writes it as a file (RFC 5322) where `MAIL_DIR` replaces SES.
 * @throws TaskFailure for a message that SES refuses for good
 */
export async function deliver({ settings }: Pick<Connections, 'settings'>, message: Message): Promise<void> {
  const raw = await written({ from: settings.MAIL_FROM, ...message });
  if (settings.MAIL_DIR !== undefined) return keep(settings.MAIL_DIR, raw);
  const { SESv2Client, SendEmailCommand } = await import('@aws-sdk/client-sesv2');
  ses ??= new SESv2Client({});
  const send = new SendEmailCommand({ Destination: { ToAddresses: [message.to] }, Content: { Raw: { Data: raw } } });
  await ses.send(send).catch(refused);
}

let ses: SESv2Client | undefined;

/** Errors of SES that a repetition does not mend. */
const REFUSALS = ['MessageRejected', 'BadRequestException', 'MailFromDomainNotVerifiedException', 'NotFoundException'];

function refused(error: Error): never {
  if (!REFUSALS.includes(error.name)) throw error;
  throw new TaskFailure('mail_refused', `Amazon SES refuses the message: ${error.name}.`);
}

async function written(message: Message & { from: string | undefined }): Promise<Buffer> {
  const { createTransport } = await import('nodemailer');
  const { message: raw } = await createTransport({ streamTransport: true, buffer: true }).sendMail(message);
  if (!Buffer.isBuffer(raw)) throw new Error('the message is a stream');
  return raw;
}

async function keep(directory: string, raw: Buffer): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await writeFile(join(directory, `${newId()}.eml`), raw, { mode: 0o600 });
}
