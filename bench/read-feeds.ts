import { refreshFeeds } from '#functions/workers/advisories/index.ts';
import { type LocalKeys, localRegion } from '#local/credentials.ts';
import { makeConnections } from '#shared/platform/runtime/connections.ts';
import type { Settings } from '#shared/platform/runtime/env.ts';

/** Reads the feeds of the settings that it is sent, and answers its largest memory in megabytes. */
process.once('message', async ({ AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, ...settings }: Settings & LocalKeys) => {
  Object.assign(process.env, { AWS_REGION: localRegion, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY });
  await refreshFeeds(makeConnections(settings));
  process.send?.(Math.round(process.resourceUsage().maxRSS / 1024), () => process.disconnect());
});
