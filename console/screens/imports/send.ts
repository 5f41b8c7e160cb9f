import { answerOf, client } from '../../api/client.ts';
import { upload } from '../../api/upload.ts';

/** A report up to this size is the body of its import; a larger one goes to the storage first. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

type Query = { target?: string };
type Progress = (part: number) => void;
type Accepted = { taskId: string; warnings?: string[] };

/** Sends a packed report. @returns the task that imports it. @throws Refused, or with what the storage answered */
export async function sendReport(packed: Blob, name: string, query: Query, progress: Progress): Promise<Accepted> {
  if (packed.size <= MAX_BODY_BYTES)
    return answerOf(
      client.POST('/api/v1/findings/import', {
        params: { query },
        headers: { 'content-type': 'application/octet-stream' },
        body: {},
        bodySerializer: () => packed,
      }),
    );
  const uploadId = await upload(packed, name, progress);
  return answerOf(client.POST('/api/v1/findings/import', { body: { uploadId, ...query } }));
}
