import { type LinkToken, linkTokens } from '#shared/credentials/link-token.ts';
import { organizations } from '#shared/credentials/organization.ts';
import { isReplaced, isSecretRow } from '#shared/credentials/secret-rows.ts';
import { credentials } from '#shared/platform/auth/credential.ts';
import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import { longId } from '#shared/platform/runtime/ids.ts';
import { writeRows } from '#shared/platform/table/io/commit.ts';
import { getRows } from '#shared/platform/table/io/read.ts';
import { rowKey } from '#shared/platform/table/io/row.ts';
import { GLOBAL_SCOPE, type Key, type Row } from '#shared/platform/table/layout/keys.ts';
import { listItemOf } from '#shared/platform/table/layout/record.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { kindOf, scanPage } from '#shared/platform/table/upkeep/owned.ts';

type Tell = (line: string) => void;

/**
 * Takes over the current secrets: a secret that was revoked since stays revoked, a replaced secret stays replaced, and
 * a link token that was used since stays used. Secrets of an organization that was deleted since come back with it.
 */
export async function keepSecrets(live: Dynamo, restored: Dynamo, tell: Tell): Promise<void> {
  const isThere = organizationsIn(live);
  const [used, gone]: [Key[], Row[]] = [[], []];
  let replaced = 0;
  let from: Key | undefined;
  do {
    const { rows, next } = await scanPage(restored, from);
    const known: Row[] = [];
    for (const row of rows) if ((isSecretRow(row) || isLinkToken(row)) && (await isThere(row))) known.push(row);
    const today = new Map((await getRows(live, known, true)).map((row) => [nameOf(row), row]));
    const secrets = known.filter(isSecretRow);
    const removed = secrets.filter((row) => !today.has(nameOf(row)));
    const put = secrets.flatMap((row) => {
      const now = today.get(nameOf(row));
      return now && isReplaced(row, now) ? [now] : [];
    });
    await writeRows(restored, { put, remove: removed });
    used.push(...known.filter((row) => isLinkToken(row) && isUsedSince(row, today.get(nameOf(row)))).map(credentialOf));
    gone.push(...removed);
    replaced += put.length;
    from = next;
  } while (from);
  await writeRows(restored, { remove: used });
  for (const { kind, id, credentialId, personId, name, ...row } of gone)
    tell(`stays revoked: ${kind ?? kindOf(row)} ${id ?? credentialId ?? personId} ${name ?? ''}`.trimEnd());
  for (const { pk } of used) tell(`stays used: link token ${pk.split('#').at(-1)}`);
  tell(`keeps ${replaced} secrets that were replaced, and ends ${gone.length + used.length}`);
}

const nameOf = ({ pk, sk }: Key): string => `${pk} ${sk}`;

const scopeOf = ({ pk }: Key): string => pk.split('#')[0] ?? '';

/** Whether the organization of a row exists in the current table. */
function organizationsIn(live: Dynamo): (row: Key) => Promise<boolean> {
  const all = openTable(live, GLOBAL_SCOPE);
  const found = new Map<string, Promise<boolean>>();
  return (row) => {
    const scope = scopeOf(row);
    const known = found.get(scope) ?? all.find(organizations, longId(scope), true).then((one) => one !== undefined);
    found.set(scope, known);
    return known;
  };
}

const isLinkToken = (row: Row): boolean => kindOf(row) === linkTokens.name && '_c' in row;

const isUsedSince = (then: Row, now: Row | undefined): boolean =>
  now !== undefined && listItemOf<LinkToken, never>(now).uses > listItemOf<LinkToken, never>(then).uses;

const credentialOf = (row: Row): Key => rowKey(scopeOf(row), credentials, { id: listItemOf<LinkToken, never>(row).id });
