import * as z from 'zod';
import { writes } from '#shared/platform/auth/access.ts';
import { Id, objectNamed, Timestamp } from '#shared/platform/http/records.ts';
import { defineRoutes, get, post } from '#shared/platform/http/route.ts';

const GIBIBYTE = 1024 ** 3;

export const UploadCreate = objectNamed('UploadCreate', {
  sizeBytes: z.int().min(1).max(GIBIBYTE).meta({ description: 'of the file as it is sent; at most 1 GiB' }),
  sha256: z
    .string()
    .regex(/^[0-9a-fA-F]{64}$/, 'must be 64 hexadecimal digits')
    .meta({
      description: 'SHA-256 of the file, hexadecimal',
      example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    }),
  name: z.string().min(1).max(200).optional().meta({ description: "the file's name, for people" }),
});
export type UploadCreate = z.infer<typeof UploadCreate>;

export const Upload = objectNamed('Upload', {
  uploadId: Id,
  name: z.string().nullable(),
  sizeBytes: z.int().positive(),
  sha256: z.string(),
  state: z.enum(['open', 'uploaded', 'used']),
  createdAt: Timestamp,
  expiresAt: Timestamp.meta({ description: 'use it before; then an unused upload is removed' }),
  partSizeBytes: z.int().positive(),
  parts: z
    .array(
      z.object({
        partNumber: z.int().positive(),
        sizeBytes: z.int().positive(),
        url: z.string(),
        headers: z.record(z.string(), z.string()).meta({ description: 'send these headers exactly' }),
      }),
    )
    .meta({ description: 'the missing parts, in the order of the file' }),
  urlsExpireAt: Timestamp.nullable().meta({
    description: 'request new addresses after this time; null without parts',
  }),
});
export type Upload = z.infer<typeof Upload>;

/** A role that may write in one area has files to send: reports of findings, packs of rules. An upload alone changes nothing. */
const senders = {
  ...writes('findings:write'),
  area: 'any',
  scope: ['findings:write', 'imports:write', 'soc:write'],
} as const;
const scanners = { machines: ['scanner'] } as const;
const appliances = { machines: ['apex'] } as const;

const creation = {
  summary: 'Get addresses for the upload of a large file',
  description:
    'PUT each part, exactly `sizeBytes` long and with exactly its `headers`, to its `url`; then send the `uploadId` where an ' +
    'operation takes a report or file. PUT a file up to 64 MiB (`partSizeBytes`) whole and once: size and checksum are signed, and ' +
    'a second PUT answers 412. PUT a larger file in parts, in any order; a part may be repeated. After a broken connection, GET ' +
    'the upload and continue with the listed parts. An upload can be used once, within a day, by its creator. The storage, not ' +
    'this interface, answers the PUT.',
  body: UploadCreate,
  response: Upload,
} as const;

const reading = {
  summary: 'List the missing parts of an upload, with new addresses',
  description:
    'Addresses are valid for an hour; each call answers new addresses. `parts` is empty once all parts have arrived. Send a part ' +
    'again if it arrived with another size. An upload of another caller is `not_found`.',
  response: Upload,
} as const;

export const uploadRoutes = defineRoutes({
  createUpload: post('/api/v1/uploads', { ...creation, access: senders, inPart: 'same' }),
  getUpload: get('/api/v1/uploads/{id}', { ...reading, access: senders, inPart: 'same' }),
  createScannerUpload: post('/api/v1/scanner_communication/uploads', { ...creation, access: scanners, lenient: true }),
  createApexUpload: post('/api/v1/apex_communication/uploads', { ...creation, access: appliances, lenient: true }),
  getApexUpload: get('/api/v1/apex_communication/uploads/{id}', { ...reading, access: appliances }),
  getScannerUpload: get('/api/v1/scanner_communication/uploads/{id}', { ...reading, access: scanners }),
});
