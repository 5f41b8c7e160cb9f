import type { Define } from '../command.ts';
import type { Context } from '../context.ts';
import { serviceAddress, sessionOf } from '../credentials.ts';
import { EXIT, type Exit, Failure, usage } from '../errors.ts';

type Options = { organization?: string; audience?: string };

/** `exposure ci-token` */
export const define: Define = (command, act) => {
  command
    .option('--organization <id>', 'the organization that trusts the repository (default: EXPOSURE_ORGANIZATION)')
    .option('--audience <address>', 'for whom the identity is (default: the address of the service)')
    .addHelpText('after', EXAMPLE)
    .action(act(ciToken));
};

const EXAMPLE = `
Prints a token of ten minutes for the branch of a job of GitHub Actions or GitLab CI, in place of a key (trusted publishing).

Example:
  EXPOSURE_KEY=$(exposure ci-token) && export EXPOSURE_KEY`;

const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const JWT = 'urn:ietf:params:oauth:token-type:jwt';

/** Exchanges the identity of a job for a token (RFC 8693). */
async function ciToken(context: Context, options: Options): Promise<Exit> {
  const { env } = context;
  const organization_id = options.organization ?? env.EXPOSURE_ORGANIZATION;
  if (!organization_id)
    throw usage('The organization is missing.', 'Add --organization, or set EXPOSURE_ORGANIZATION.');
  const given = context.options.url ?? env.EXPOSURE_URL;
  if (!given) throw usage('The address of the service is missing.', 'Add --url, or set EXPOSURE_URL.');
  const url = serviceAddress(given);
  const subject_token =
    env.EXPOSURE_ID_TOKEN ?? (await identityOf(context, options.audience ?? env.EXPOSURE_AUDIENCE ?? url));
  const grant = { grant_type: TOKEN_EXCHANGE, subject_token_type: JWT, subject_token, organization_id };
  const { accessToken } = await sessionOf(context.anybody(url), grant);
  context.print(context.options.json ? JSON.stringify({ token: accessToken }) : accessToken);
  return EXIT.passed;
}

/** The identity token that GitHub Actions gives a job with `id-token: write`; GitLab sets EXPOSURE_ID_TOKEN. */
async function identityOf({ env, sendTo }: Context, audience: string): Promise<string> {
  const { ACTIONS_ID_TOKEN_REQUEST_URL: address, ACTIONS_ID_TOKEN_REQUEST_TOKEN: token } = env;
  if (!address) throw new Failure(EXIT.credentials, 'The CI system gives this job no identity token.', NO_IDENTITY);
  const url = new URL(address);
  url.searchParams.set('audience', audience);
  const answer = await sendTo(url.origin, token)(new Request(url));
  const value: unknown = answer.ok ? Reflect.get(Object(await answer.json()), 'value') : undefined;
  if (typeof value === 'string') return value;
  throw new Failure(EXIT.credentials, `The CI system answered ${answer.status}, and no identity token.`, NO_IDENTITY);
}

const NO_IDENTITY =
  'GitHub: give the job "permissions: id-token: write". GitLab: add "id_tokens: EXPOSURE_ID_TOKEN". Otherwise set EXPOSURE_KEY.';
