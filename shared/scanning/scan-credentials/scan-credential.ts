import * as z from 'zod';
import type { TaskType } from '#shared/assets/targets/scan-target.ts';
import { ScanTarget } from '#shared/assets/targets/scan-target.ts';
import { Id, objectNamed, readOnly, recordFields, Timestamp } from '#shared/platform/http/records.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';
import { defineRow } from '#shared/platform/table/io/row.ts';

const CREDENTIAL_KINDS = ['ssh', 'smb', 'web_login', 'api_token', 'registry', 'code_host'] as const;
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number];

/** The types of task for which a credential of each kind is released. */
export const FITS: Record<CredentialKind, readonly TaskType[]> = {
  ssh: ['network', 'configuration'],
  smb: ['network', 'configuration'],
  web_login: ['web'],
  api_token: ['web', 'cloud'],
  registry: ['container', 'dependencies', 'secrets'],
  code_host: ['sast', 'dependencies', 'secrets', 'configuration'],
};

const secretText = z.string().min(1).max(16_384).optional();

/** The secret fields: encrypted in the table, in no answer to people. */
export const SecretFields = z.strictObject({
  password: secretText,
  privateKey: secretText,
  passphrase: secretText,
  token: secretText,
});
export type SecretFields = z.infer<typeof SecretFields>;
export const SECRET_NAMES = SecretFields.keyof();

/** A login for scanners, used where an engagement allows it. */
export const ScanCredential = objectNamed('ScanCredential', {
  ...recordFields,
  name: z.string().trim().min(1).max(120).meta({ example: 'Backup user of the shop' }),
  kind: z.enum(CREDENTIAL_KINDS).meta({ example: 'ssh' }),
  description: z.string().max(1000).nullable().default(null),
  username: z.string().min(1).max(200).nullable().default(null).meta({ example: 'backup' }),
  domain: z.string().min(1).max(255).nullable().default(null).meta({ description: 'the Windows domain' }),
  targets: z
    .array(ScanTarget)
    .max(100)
    .default([])
    .meta({
      description:
        'the targets on which engagements may use the credential, including everything within them. An engagement that uses it ' +
        'elsewhere needs the decision of an administrator',
      example: [{ type: 'cidr', value: '10.1.0.0/16' }],
    }),
  zones: z
    .array(z.string().trim().min(1).max(120))
    .max(20)
    .default([])
    .meta({ description: 'zones in which engagements may use it on every target', example: ['office'] }),
  secretFields: readOnly(z.array(SECRET_NAMES)).meta({
    description: 'the names of the fields that are set, never their values',
    readOnly: true,
  }),
  secretUpdatedAt: readOnly(Timestamp),
});
export type ScanCredential = z.infer<typeof ScanCredential>;

export const scanCredentials = defineEntity<ScanCredential>(ScanCredential, {
  name: 'scan-credential',
  feedFields: ['name', 'kind', 'username', 'domain', 'targets', 'zones', 'secretFields', 'secretUpdatedAt'],
  unique: ({ name }) => ({ name }),
});

/** A record of a secret that a scanner got. It is kept for good. */
export const SecretRelease = objectNamed('SecretRelease', {
  ...recordFields,
  at: Timestamp,
  credentialId: Id,
  taskId: Id,
  attempt: z.int(),
  engagementId: Id.nullable().meta({ description: 'null: a scan of a branch' }),
  scanner: z.object({ id: Id, name: z.string() }),
  remoteAddress: z.string(),
});
export type SecretRelease = z.infer<typeof SecretRelease>;

export const secretReleases = defineEntity<SecretRelease>(SecretRelease, {
  name: 'secret-release',
  feedFields: ['credentialId', 'taskId', 'engagementId', 'scanner', 'remoteAddress'],
  parents: { credential: { of: ({ credentialId }) => credentialId } },
  shards: 4, // all scanners of an engagement may ask at once
});

/** One mark per attempt of a task: its secrets are released once. */
type ReleaseMark = { taskId: string; attempt: number; at: string };

export const releaseMarks = defineRow<ReleaseMark, Pick<ReleaseMark, 'taskId' | 'attempt'>>({
  name: 'release-mark',
  about: 'that the secrets of one attempt of a task were handed out',
  key: ({ taskId, attempt }) => [taskId, String(attempt)],
});
