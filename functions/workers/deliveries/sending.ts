import type { Position } from '#shared/events/delivery.ts';
import type { WebhookEndpoint } from '#shared/events/webhook-endpoint.ts';
import type { Context } from '#shared/platform/table/context.ts';

/** A visit of an endpoint: what it is, how far its events are sent, and its secrets. */
export type Sending = Context & {
  endpoint: WebhookEndpoint;
  position: Position;
  secrets: readonly string[];
  /** When the visit ends. */
  end: number;
};
