import { Link } from 'wouter-preact';
import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { AssetExposure } from '../../api/types.ts';
import { Section } from '../../parts/section.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { texts } from '../../texts.ts';

const words = texts.asset;

const useExposure = question((id) =>
  answerOf(client.GET('/api/v1/assets/{id}/exposure', { params: { path: { id } } })),
);

const WIDTH = 460;
const ROW = 44;
const NODE = { width: 132, height: 30 };
/** A box has room for so many letters; the list below has the whole text. */
const LETTERS = 18;

type Node = AssetExposure['nodes'][number];
type Placed = Node & { x: number; y: number };

const PAGES: Readonly<Partial<Record<Node['kind'], string>>> = {
  asset: '/assets',
  vulnerability: '/vulnerabilities',
  credential: '/exposed-credentials',
  application: '/applications',
};

/** How the asset can be reached: a drawing in columns of steps, and the same as a list of sentences. */
export function ExposureGraph({ id }: { id: string }) {
  const { data, error, ask } = useExposure(id);
  return (
    <Section title={words.exposure}>
      {error && !data && <Failed error={error} again={ask} />}
      {!error && !data && <Loading lines={4} />}
      {data && data.edges.length > 0 && <Drawing exposure={data} />}
      <ul class="bullets">
        {data?.nodes.map((node) => {
          const page = PAGES[node.kind];
          const isHere = node.recordId === id;
          return (
            <li key={node.id}>
              {node.text}{' '}
              {page && node.recordId && !isHere && <Link href={`${page}/${node.recordId}`}>{texts.open}</Link>}
            </li>
          );
        })}
      </ul>
      {data?.truncated && <p class="soft small">{words.exposureMore}</p>}
    </Section>
  );
}

/** The internet at the left, then each node at its number of steps from there; the rest beside the asset. */
function place({ nodes, edges }: AssetExposure): Placed[] {
  const steps = new Map<string, number>(nodes.filter(({ kind }) => kind === 'internet').map((node) => [node.id, 0]));
  if (steps.size === 0) for (const node of nodes) if (node.kind === 'asset') steps.set(node.id, 0);
  for (let round = 0; round < nodes.length; round++)
    for (const { from, to } of edges) {
      const [start, end] = [steps.get(from), steps.get(to)];
      if (start !== undefined && end === undefined) steps.set(to, start + 1);
      else if (start === undefined && end !== undefined) steps.set(from, end + 1);
    }
  const columns = Map.groupBy(nodes, ({ id }) => Math.min(2, steps.get(id) ?? 2));
  return [...columns].flatMap(([column, some]) =>
    some.map((node, n) => ({ ...node, x: column * ((WIDTH - NODE.width) / 2), y: n * ROW + 4 })),
  );
}

function Drawing({ exposure }: { exposure: AssetExposure }) {
  const placed = place(exposure);
  const at = new Map(placed.map((node) => [node.id, node]));
  const height = Math.max(...placed.map(({ y }) => y)) + ROW;
  return (
    <svg class="graph" viewBox={`0 0 ${WIDTH} ${height}`} role="img" aria-label={words.exposure}>
      {exposure.edges.map(({ from, to }) => {
        const [start, end] = [at.get(from), at.get(to)];
        if (!start || !end) return null;
        const isForward = end.x > start.x;
        const [x1, x2] = isForward ? [start.x + NODE.width, end.x] : [start.x, end.x + NODE.width];
        const [y1, y2] = [start.y + NODE.height / 2, end.y + NODE.height / 2];
        const middle = (x1 + x2) / 2;
        return (
          <path
            key={`${from} ${to}`}
            class="graph-edge"
            d={`M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`}
          />
        );
      })}
      {placed.map(({ id, x, y, kind, severity, text }) => (
        <g key={id} class={`graph-node graph-${severity ?? kind}`}>
          <title>{text}</title>
          <rect x={x} y={y} width={NODE.width} height={NODE.height} rx="6" />
          <text x={x + 10} y={y + 19}>
            {text.length > LETTERS ? `${text.slice(0, LETTERS - 1)}…` : text}
          </text>
        </g>
      ))}
    </svg>
  );
}
