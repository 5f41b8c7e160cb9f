import { type Credential, opens, readCredential } from '#shared/platform/auth/credential.ts';
import type { MachineKind } from '#shared/platform/auth/permissions.ts';
import { parseClientId, parseClientSecret } from '#shared/platform/auth/token-format.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import type { Entity, Stored } from '#shared/platform/table/entity.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** The fields by which an installation identifies its machine. */
export type Claim = { instanceId?: string; clientId?: string; clientSecret?: string };

type Kind<T extends Stored> = { kind: MachineKind; entity: Entity<T> };

/** A machine of the organization and the credential that it has now. */
export type Known<T> = { machine: T; credential: Credential };

/**
 * The machine that the claim proves, by its current secret or because an administrator released it: ids are shown in
 * several places and prove nothing.
 * @returns also whether a machine has the claimed instance id already
 */
export async function findKnown<T extends Stored>(table: Table, { kind, entity }: Kind<T>, claim: Claim) {
  const { instanceId, clientId = '', clientSecret = '' } = claim;
  const client = parseClientId(clientId);
  const [installed, named] = await Promise.all([
    instanceId ? table.findUnique(entity, { field: 'instanceId', value: instanceId }, true) : undefined,
    client?.organizationId === table.organizationId ? table.find(entity, client.id, true) : undefined,
  ]);
  const secret = parseClientSecret(clientSecret);
  const claimed = await Promise.all([named, installed].map((machine) => withCredential(table, machine)));
  const known = claimed.find(
    (one) =>
      one?.credential.machine === kind && (isReleased(one.credential) || (secret && opens(one.credential, secret))),
  );
  return { known, isTaken: installed !== undefined };
}

async function withCredential<T extends Stored>(table: Table, machine?: T): Promise<Known<T> | undefined> {
  if (!machine) return undefined;
  const { dynamo, organizationId } = table;
  const credential = await readCredential(dynamo, { organizationId, id: machine.id });
  return credential && { machine, credential };
}

const isReleased = ({ releasedUntil }: Credential): boolean => releasedUntil !== undefined && releasedUntil > now();
