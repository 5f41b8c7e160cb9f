import type { noteHealth } from '#shared/events/health.ts';
import type { Position } from '#shared/events/position.ts';
import type { WebhookEndpoint } from '#shared/events/webhook-endpoint.ts';
import type { Subscription } from '#shared/notifications/subscription.ts';
import type { Context } from '#shared/platform/table/context.ts';

/** A reader of the log as the deliveries need it: an endpoint, or a subscription. */
type Reader = Pick<WebhookEndpoint, 'id' | 'types' | 'matching' | 'status'>;

/** A visit of a reader: how far its events are sent, and how its health is noted. */
export type Sending = Context & {
  reader: Reader;
  position: Position;
  note: (changes: Parameters<typeof noteHealth>[2]['changes']) => Promise<void>;
  /** When the visit ends. */
  end: number;
  /** The visit is in a lane for readers that fail or are slow. */
  apart: boolean;
};

/** The same of a subscription. */
export type Subscribed = Sending & { reader: Subscription };

/** Where events are sent, with the secrets that sign them. */
export type Target = { url: string; secrets: readonly string[] };
