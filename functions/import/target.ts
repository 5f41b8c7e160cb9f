import { isIP } from 'node:net';
import type { ScanTarget } from '#shared/ingest/submission.ts';

/** What a target is that was given as a text alone. */
export function targetNamed(text: string): ScanTarget {
  const value = text.trim();
  const [network = '', bits] = value.split('/');
  if (isIP(network) && bits !== undefined) return { type: 'cidr', value };
  if (isIP(value)) return { type: 'host', value };
  if (/^https?:\/\//i.test(value) && URL.canParse(value)) return { type: 'url', value };
  if (/^[\w.-]+\.[a-z]{2,}\/\S+$/i.test(value) || /^[\w-]+\/[\w.-]+$/.test(value)) return { type: 'repository', value };
  return { type: /^[\w-]+(\.[\w-]+)*$/.test(value) ? 'host' : 'application', value };
}
