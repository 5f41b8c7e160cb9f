import { parseArgs } from 'node:util';
import { rotateSigningKey } from '#shared/auth/key-rotation.ts';
import { rotateSealingKey } from '#shared/crypto/sealing-key.ts';
import { makeConnections } from '#shared/runtime/connections.ts';
import { readStackSettings, stackOptions } from './stack-settings.ts';

/**
 * A new key for the access tokens of a deployed stack; the old one's tokens live out their hour:
 *
 *     npm run rotate-key -- --stack exposure-main-production
 *
 * After a leak add `--compromised`: tokens of the old key are worth nothing within five minutes and every client has
 * to get a new one. `--sealing` adds a key for prompts and scan credentials instead; the earlier ones stay.
 */
const { values } = parseArgs({
  options: { ...stackOptions, compromised: { type: 'boolean' }, sealing: { type: 'boolean' } },
});
const settings = readStackSettings(values);
const connections = makeConnections(settings);
console.log(await (values.sealing ? rotateSealing() : rotateSigning()));
connections.dynamo.client.destroy();

async function rotateSigning(): Promise<string> {
  const kid = await rotateSigningKey(connections, { compromised: values.compromised === true });
  return values.compromised
    ? `The key ${kid} signs from now on; tokens of earlier keys end within five minutes.`
    : `The key ${kid} is published and signs in ten minutes; the key before it stays until its tokens are over.`;
}

async function rotateSealing(): Promise<string> {
  return `The key ${await rotateSealingKey(connections)} seals in ten minutes; earlier keys stay for what they sealed.`;
}
