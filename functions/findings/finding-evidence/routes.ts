import * as z from 'zod';
import { FindingEvidence, MAX_FILES } from '#shared/findings/evidence/evidence.ts';
import { EvidenceDownload } from '#shared/findings/evidence/evidence-download.ts';
import { reads, writes } from '#shared/platform/auth/access.ts';
import { Deletion, Id, objectNamed } from '#shared/platform/http/records.ts';
import { defineRoutes, get, post, remove } from '#shared/platform/http/route.ts';

const path = '/api/v1/findings/{id}/evidence';

/** Control characters and separators of paths would make another name of it where it is saved. */
export const FileName = z
  .string()
  .trim()
  .regex(
    /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}"/\\]{1,200}$/u,
    'must be 1 to 200 characters without / \\ " and control characters',
  );

export const EvidenceCreate = objectNamed('FindingEvidenceCreate', {
  uploadId: Id.meta({ description: 'a finished upload of your own, of at most 64 MiB (`POST /api/v1/uploads`)' }),
  kind: FindingEvidence.shape.kind.meta({ example: 'screenshot' }),
  name: FileName.optional().meta({ description: "the upload's name without it", example: 'login.png' }),
  note: z.string().trim().min(1).max(1000).nullable().default(null),
});
export type EvidenceCreate = z.output<typeof EvidenceCreate>;

const Shown = z.object({
  disposition: z.enum(['attachment', 'inline']).default('attachment').meta({
    description: '`inline`, of pictures, texts, JSON and videos: a browser shows the file in place of saving it',
  }),
});

export const findingEvidenceRoutes = defineRoutes({
  listFindingEvidence: get(path, {
    summary: 'List the evidence files of a finding, newest first',
    description: 'The texts of a report are in `evidence` of the finding itself.',
    access: reads('findings:read'),
    inPart: 'seen',
    response: z.array(FindingEvidence),
  }),
  createFindingEvidence: post(path, {
    summary: 'Attach a file to a finding',
    description:
      `The request consumes the upload. A finding has at most ${MAX_FILES} files, which are deleted with the finding; its history ` +
      'says who added each file. Another request with the same upload gets the same file.',
    access: writes('findings:write'),
    inPart: 'seen',
    body: EvidenceCreate,
    response: FindingEvidence,
  }),
  getFindingEvidence: get(`${path}/{evidenceId}`, {
    summary: 'Get the address of an evidence file',
    description:
      'The address works for 5 minutes and needs no credential. The file is a download unless you ask for `inline`. The address is never ' +
      'served as a page: a browser shows HTML and SVG as their text.',
    access: reads('findings:read'),
    inPart: 'seen',
    query: Shown,
    response: EvidenceDownload,
  }),
  deleteFindingEvidence: remove(`${path}/{evidenceId}`, {
    summary: 'Delete an evidence file',
    description: 'The deletion is permanent; the history of the finding records it.',
    access: writes('findings:write'),
    irreversible: true,
    inPart: 'seen',
    response: Deletion,
  }),
});
