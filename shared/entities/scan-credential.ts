import * as z from 'zod';
import { Id, readOnly, recordFields, Timestamp } from '../http/records.ts';
import { defineEntity } from '../table/entity.ts';
import { defineRow } from '../table/io/row.ts';
import type { TaskType } from './scanner.ts';

const CREDENTIAL_KINDS = ['ssh', 'smb', 'web_login', 'api_token', 'registry', 'code_host'] as const;
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number];

/** Which tasks need a credential of a kind: it is released for no other. */
export const FITS: Record<CredentialKind, readonly TaskType[]> = {
  ssh: ['network', 'configuration'],
  smb: ['network', 'configuration'],
  web_login: ['web'],
  api_token: ['web', 'cloud'],
  registry: ['container', 'dependencies', 'secrets'],
  code_host: ['sast', 'dependencies', 'secrets', 'configuration'],
};

const secretText = z.string().min(1).max(16_384).optional();

/** What is kept encrypted and never answered. */
export const SecretFields = z.strictObject({
  password: secretText,
  privateKey: secretText,
  passphrase: secretText,
  token: secretText,
});
export type SecretFields = z.infer<typeof SecretFields>;
export const SECRET_NAMES = SecretFields.keyof();

/** With what a scanner may log in where an engagement allows it. */
export const ScanCredential = z
  .object({
    ...recordFields,
    name: z.string().trim().min(1).max(120).meta({ example: 'Backup user of the shop' }),
    kind: z.enum(CREDENTIAL_KINDS).meta({ example: 'ssh' }),
    description: z.string().max(1000).nullable().default(null),
    username: z.string().min(1).max(200).nullable().default(null).meta({ example: 'backup' }),
    domain: z.string().min(1).max(255).nullable().default(null).meta({ description: 'of Windows' }),
    secretFields: readOnly(z.array(SECRET_NAMES)).meta({
      description: 'which are set; never their values',
      readOnly: true,
    }),
    secretUpdatedAt: readOnly(Timestamp),
  })
  .meta({ id: 'ScanCredential' });
export type ScanCredential = z.infer<typeof ScanCredential>;

export const scanCredentials = defineEntity<ScanCredential>(ScanCredential, {
  name: 'scan-credential',
  unique: ({ name }) => ({ name }),
});

/** The secret of a credential, as `shared/crypto/seal.ts` made it. */
export const sealedSecrets = defineRow<{ credentialId: string; sealed: Uint8Array }, { credentialId: string }>({
  name: 'sealed-secret',
  about: 'the sealed secret of a scan credential',
  key: ({ credentialId }) => [credentialId],
});

/** That a secret was handed to a scanner: kept for good, for whoever asks who had it. */
export const SecretRelease = z
  .object({
    ...recordFields,
    at: Timestamp,
    credentialId: Id,
    taskId: Id,
    attempt: z.int(),
    engagementId: Id,
    scanner: z.object({ id: Id, name: z.string() }),
    remoteAddress: z.string(),
  })
  .meta({ id: 'SecretRelease' });
export type SecretRelease = z.infer<typeof SecretRelease>;

export const secretReleases = defineEntity<SecretRelease>(SecretRelease, {
  name: 'secret-release',
  parents: { credential: { of: ({ credentialId }) => credentialId } },
  shards: 4, // as many scanners as work for an engagement may ask at once
});

/** One per attempt of a task: the secrets are handed out once. */
type ReleaseMark = { taskId: string; attempt: number; at: string };

export const releaseMarks = defineRow<ReleaseMark, Pick<ReleaseMark, 'taskId' | 'attempt'>>({
  name: 'release-mark',
  about: 'that the secrets of one attempt of a task were handed out',
  key: ({ taskId, attempt }) => [taskId, String(attempt)],
});
