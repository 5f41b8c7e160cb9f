import { parseArgs } from 'node:util';
import { rotateSigningKey } from '#shared/platform/auth/key-rotation.ts';
import { rotateSealingKey } from '#shared/platform/crypto/sealing-key.ts';
import { makeConnections } from '#shared/platform/runtime/connections.ts';
import { readStackSettings, stackOptions } from './stack-settings.ts';

/** Replaces the key that signs the access tokens of a deployed stack; tokens of the old key stay valid until they expire:
 *
 *     npm run rotate-key -- --stack exposure-main-production
 * After a leak add `--compromised`: tokens of the old key are refused within five minutes and every client must get a
 * new token. `--sealing` adds a key for prompts and scan credentials instead; the earlier keys stay.
 */
const { values } = parseArgs({
  options: { ...stackOptions, compromised: { type: 'boolean' }, sealing: { type: 'boolean' } },
});
const settings = await readStackSettings(values);
const connections = makeConnections(settings);
console.log(await (values.sealing ? rotateSealing() : rotateSigning()));
connections.dynamo.client.destroy();

async function rotateSigning(): Promise<string> {
  const kid = await rotateSigningKey(connections, { compromised: values.compromised === true });
  return values.compromised
    ? `The key ${kid} signs from now on; tokens of earlier keys end within five minutes.`
    : `The key ${kid} is published and signs in ten minutes; the earlier key stays until its tokens have expired.`;
}

async function rotateSealing(): Promise<string> {
  return `The key ${await rotateSealingKey(connections)} seals in ten minutes; earlier keys stay to open the values that they sealed.`;
}
