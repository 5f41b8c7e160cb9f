import type { CodeHost } from '#shared/code/integrations/integration.ts';
import type { Account } from '#shared/code/integrations/sources.ts';
import { ApiError, invalid } from '#shared/platform/runtime/errors.ts';
import type { JsonObject } from '#shared/reports/readers/json.ts';

export type Headers = Record<string, string | undefined>;

/** A request whose sender is not proven yet. */
export type Unproven = { headers: Headers; bytes: Uint8Array };

/** A request that a code host signed; `body` is `bytes`, parsed. */
type Sent = Unproven & { body: JsonObject };

/** An event, from its headers and its body. */
type Described = { deliveryId: string; event: string; action: string | null; repository: string | null };

/** A code host's form of deliveries. */
export type Sender = {
  kind: CodeHost;
  /** Whether the request has a signature or token, right or wrong. */
  isSigned: (headers: Headers) => boolean;
  /** The accounts that may have an integration to which an event belongs. `outline`: the outer levels of its body. */
  accountsIn: (headers: Headers, outline: JsonObject) => Account[];
  /** Whether the secret signed the event. */
  verify: (sent: Unproven, secret: string) => boolean;
  /** @throws validation_failed where a header lacks */
  describe: (sent: Sent) => Described;
  /** The bytes that come once, by the proof of the code host. */
  signs: (sent: Sent) => Uint8Array;
  /** The event to keep: without a secret that somebody exposed, which nobody needs to read here. */
  kept?: (sent: Sent) => Uint8Array;
};

const REFUSED =
  'The delivery is not signed with the webhook secret of an integration that takes its events: compare the secret at the ' +
  'code host with that of the integration.';

export const refused = (message = REFUSED): ApiError => new ApiError('unauthorized', message);

/** Whether a text is an id or a kind of event, as code hosts name them. */
export const isName = (text: string | undefined): text is string => /^[\w.:-]{1,100}$/.test(text ?? '');

/** @throws validation_failed */
export function headerOf(headers: Headers, name: string): string {
  const value = headers[name]?.trim() ?? '';
  if (!isName(value.replaceAll(' ', '_'))) throw invalid(name, 'must be the header that the code host sends');
  return value;
}

/** The host of an address; undefined for anything else. */
export const hostIn = (address: string | undefined): string | undefined =>
  address === undefined ? undefined : URL.parse(address)?.host;
