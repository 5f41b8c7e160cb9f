import { isDeepStrictEqual } from 'node:util';
import { credentials } from '#shared/platform/auth/credential.ts';
import type { Key, Row } from '#shared/platform/table/layout/keys.ts';
import { kindOf } from '#shared/platform/table/upkeep/owned.ts';
import { feedTokens } from './calendar-feed.ts';
import { sealedSecrets } from './sealed.ts';

/** Kinds of rows that a revocation removes, and that hold the secret which replaced an earlier one. */
const SECRET_KINDS: readonly string[] = [credentials.name, sealedSecrets.name, feedTokens.name];

/**
 * Whether a row holds a secret or its hash. A restoration keeps the current rows of these kinds: it restores nothing
 * that was revoked or replaced since.
 */
export const isSecretRow = (row: Key): boolean => SECRET_KINDS.includes(kindOf(row));

/** Whether two rows of a secret differ in more than their use and the marks of a restoration. */
export const isReplaced = (one: Row, other: Row): boolean => !isDeepStrictEqual(lasting(one), lasting(other));

const lasting = ({ lastUsedAt: _, held: __, uses: ___, ...row }: Row) => row;
