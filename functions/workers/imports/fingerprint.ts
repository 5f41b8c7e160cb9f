import { hash } from 'node:crypto';
import { type AssetIdentity, assetKey } from '#shared/assets/asset/asset.ts';
import type { KeyedFinding } from '#shared/findings/finding/reported.ts';

/**
 * The fingerprint of a problem, the same in every report. Version 1: SHA-256 over the tool's name, the asset in its zone,
 * the branch, and what the report's reader calls the identity of the problem (rule and place, without what moves: line
 * numbers, time, random text); its first 128 bits. A branch has findings of its own, because a repair there says
 * nothing about another branch. The scan's profile is no part of it: two profiles that find the same thing find one.
 */
export const FINGERPRINT_VERSION = 1;

/** Of a problem that has a secret in it: the identity is hashed under a key of the organization. */
export const KEYED_FINGERPRINT_VERSION = 2;

type Identified = { version?: number; tool: string; asset: AssetIdentity; ref?: string; identity: readonly string[] };

export const fingerprintOf = ({ version = FINGERPRINT_VERSION, tool, asset, ref, identity }: Identified): string =>
  hashOf([version, tool.toLowerCase(), assetKey(asset), ref ?? '', ...identity], 16);

/**
 * Changes when a report says something else about the same problem. Parts that differ from scan to scan
 * without telling anything new (evidence such as a recorded answer, the commit, when a secret was tried) are left out: they
 * would rewrite all.
 */
export function contentHashOf(finding: KeyedFinding): string {
  const { evidence: _evidence, identity: _identity, isKeyed: _isKeyed, location, secret, ...content } = finding;
  const { commit: _commit, ...place } = location;
  const { check, ...told } = secret ?? {};
  const parts = secret ? [sorted({ ...told, verified: check?.verified })] : [];
  return hashOf([sorted(content), sorted(place), ...parts], 8);
}

const hashOf = (value: unknown, bytes: number): string =>
  hash('sha256', JSON.stringify(value), 'buffer').subarray(0, bytes).toString('base64url');

const sorted = (fields: object): unknown[] => Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
