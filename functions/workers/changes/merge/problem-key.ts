import { hash } from 'node:crypto';
import type { StoredFinding } from '#shared/findings/finding/finding.ts';

type Placed = Pick<StoredFinding, 'tool' | 'ruleId' | 'ref' | 'locationDetail' | 'component'>;

/**
 * Findings of two assets with the same key are one problem when the assets become one, if no other finding of either
 * asset has the key. The key has the tool, the rule, the branch, and the place without the host: path and line, path
 * and query of an address, port and protocol, and the name of the component. The table does not store the identity by
 * which a report's reader recognizes a problem; where this key separates one problem, the next report closes one of the
 * two findings.
 */
export function problemKey({ tool, ruleId, ref = '', locationDetail, component }: Placed): string {
  const { path = '', line = 0, url = '', port = -1, protocol = '' } = locationDetail;
  const parts = [tool.toLowerCase(), ruleId, ref, path, line, withoutHost(url), port, protocol, component?.name ?? ''];
  return hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 22);
}

function withoutHost(url: string): string {
  const parsed = URL.parse(url);
  return parsed ? `${parsed.pathname}${parsed.search}` : url;
}
