import { useParams } from 'wouter-preact';
import { Empty } from '../../parts/states.tsx';
import { texts } from '../../texts.ts';
import { HostPage } from './host-page.tsx';
import { CollectorPage, IntegratorPage } from './machine-page.tsx';
import { TicketingPage } from './ticketing-page.tsx';
import { WebhookPage } from './webhook-page.tsx';

const PAGES = {
  host: HostPage,
  ticketing: TicketingPage,
  collector: CollectorPage,
  integrator: IntegratorPage,
  webhook: WebhookPage,
};
const isKnown = (kind: string): kind is keyof typeof PAGES => kind in PAGES;

/** A connection; its address names the kind before the id. */
export function ConnectionPage() {
  const { id: address = '' } = useParams();
  const [kind = '', id = ''] = address.split(':');
  if (!isKnown(kind)) return <Empty icon="search" title={texts.screens.missing} hint={texts.screens.missingHint} />;
  const Page = PAGES[kind];
  return <Page key={id} id={id} />;
}
