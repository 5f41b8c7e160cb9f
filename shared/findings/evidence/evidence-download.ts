import * as z from 'zod';
import { Timestamp } from '#shared/platform/http/records.ts';
import type { Bucket } from '#shared/platform/runtime/bucket.ts';
import { signDownload } from '#shared/platform/runtime/bucket-parts.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { invalid, notFound } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { evidenceKey, evidenceOn, FindingEvidence, type Shown } from './evidence.ts';

/** Anyone with the address can read the file. */
const URL_SECONDS = 300;

/** The types that a browser can show and in which it runs nothing. The viewer of a PDF does not start in a sandboxed frame. */
const SHOWN = ['image/', 'text/plain', 'application/json', 'video/'];

export const EvidenceDownload = FindingEvidence.extend({
  downloadUrl: z.string().meta({ description: 'GET this address without credentials' }),
  expiresAt: Timestamp.meta({ description: 'request a new address after this time' }),
}).meta({ id: 'FindingEvidenceDownload' });
type EvidenceDownload = z.infer<typeof EvidenceDownload>;

/** One of the files that a finding shows. @throws not_found */
export async function evidenceOf(table: Table, finding: Shown, evidenceId: string): Promise<FindingEvidence> {
  const file = (await evidenceOn(table, finding)).find(({ id }) => id === evidenceId);
  if (!file) throw notFound('evidence', evidenceId);
  return file;
}

type Asked = { disposition: 'attachment' | 'inline' };

/**
 * The file with an address from which it can be read for a while.
 * @throws validation_failed
 */
export async function evidenceDownload(
  { connections, table }: { connections: { bucket: Bucket }; table: Table },
  file: FindingEvidence,
  { disposition }: Asked = { disposition: 'attachment' },
): Promise<EvidenceDownload> {
  const { name, mediaType } = file;
  const shown = disposition === 'inline';
  if (shown && !SHOWN.some((type) => mediaType.startsWith(type)))
    throw invalid('disposition', 'inline belongs to pictures, texts, JSON and videos: leave it out');
  const { bucket } = connections;
  const downloadUrl = await signDownload(bucket, {
    key: evidenceKey(table, file),
    name,
    mediaType,
    seconds: URL_SECONDS,
    shown,
  });
  return { ...file, downloadUrl, expiresAt: inSeconds(URL_SECONDS) };
}
