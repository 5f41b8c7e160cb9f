import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import { answerOf, client, type Refused } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { Collector, Integrator } from '../../api/types.ts';
import { Facts } from '../../parts/facts.tsx';
import { timeOf } from '../../parts/format.ts';
import { Act } from '../../parts/listing.tsx';
import { integrations as words } from '../../texts/integrations.ts';
import { Frame } from './frame.tsx';

const at = (id: string) => ({ params: { path: { id } } });

const useCollector = question((id) => answerOf(client.GET('/api/v1/collectors/{id}', at(id))));
const useIntegrator = question((id) => answerOf(client.GET('/api/v1/integrators/{id}', at(id))));

type MachineProps = {
  asked: { data?: Collector | Integrator; error?: Refused; ask: () => void };
  system: string;
  remove: () => Promise<unknown>;
  actions?: ComponentChildren;
};

const Machine = ({ asked: { data: machine, error, ask }, system, remove, actions }: MachineProps) => (
  <Frame
    asked={{ ...(error && { error }), ask }}
    known={machine && { name: machine.name, state: machine.status, system }}
    actions={actions}
    facts={
      machine && (
        <Facts
          rows={[
            [words.last, machine.lastSeenAt ? timeOf(machine.lastSeenAt) : words.never],
            [words.host, machine.hostname],
            [words.zone, machine.zone],
            [words.version, machine.softwareVersion],
          ]}
        />
      )
    }
    remove={remove}
  />
);

/** A machine that sends the events of logs. */
export function CollectorPage({ id }: { id: string }) {
  const asked = useCollector(id);
  const { data: collector } = asked;
  const turn = () =>
    answerOf(
      client.PATCH('/api/v1/collectors/{id}', {
        params: { path: { id } },
        headers: { 'if-match': `"${collector?.version}"` },
        body: { enabled: !collector?.enabled },
      }),
    );
  return (
    <Machine
      asked={asked}
      system={words.systems.collector}
      remove={() => answerOf(client.DELETE('/api/v1/collectors/{id}', at(id)))}
      actions={
        collector && (
          <>
            <Link class="button main" href={`/log-sources?collectorId=${id}`}>
              {words.sources}
            </Link>
            <Act look="button" label={collector.enabled ? words.off : words.on} done={words.changed} run={turn} />
          </>
        )
      }
    />
  );
}

/** A machine that sends alerts, identities and inventory of other systems. */
export const IntegratorPage = ({ id }: { id: string }) => (
  <Machine
    asked={useIntegrator(id)}
    system={words.systems.integrator}
    remove={() => answerOf(client.DELETE('/api/v1/integrators/{id}', at(id)))}
  />
);
