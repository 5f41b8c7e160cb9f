import { refreshFeeds } from '#functions/workers/advisories/index.ts';
import { localCredentials, localRegion } from '#local/credentials.ts';
import { makeConnections } from '#shared/runtime/connections.ts';
import type { Settings } from '#shared/runtime/env.ts';

/** Reads the feeds of the settings that it is sent, and answers its largest memory in megabytes. */
process.once('message', async (settings: Settings) => {
  const { accessKeyId, secretAccessKey } = localCredentials;
  const credentials = { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey };
  Object.assign(process.env, { AWS_REGION: localRegion, ...credentials });
  await refreshFeeds(makeConnections(settings));
  process.send?.(Math.round(process.resourceUsage().maxRSS / 1024), () => process.disconnect());
});
