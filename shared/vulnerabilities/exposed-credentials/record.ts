import { orNull } from '#shared/platform/runtime/given.ts';
import type { ListItem } from '#shared/platform/table/entity.ts';
import type { ExposedCredential, exposedCredentials, StoredCredential } from './exposed-credential.ts';

type CredentialRow = ListItem<StoredCredential, (typeof exposedCredentials.detail)[number]>;

const SHOWN_ASSETS = 20;

/** The public record. Who made it is always the service, so it is not stored in lists. */
export function credentialRecord(row: CredentialRow): ExposedCredential {
  const { id, version, createdAt, updatedAt, kind, sources, tools, status, places, openPlaces, firstSeenAt } = row;
  const { decision } = row;
  const isDecided = decision?.status === status;
  return {
    id,
    version,
    createdAt,
    updatedAt,
    kind,
    sources,
    tools,
    status,
    places,
    openPlaces,
    firstSeenAt,
    ...orNull(row, 'masked', 'account', 'endedAt'),
    statusReason: (isDecided && decision.reason) || null,
    decidedBy: isDecided ? decision.by : null,
    verified: row.check?.verified ?? null,
    checkedAt: row.check?.at ?? null,
    assets: row.assets.slice(0, SHOWN_ASSETS),
  };
}
