import { conflict } from './errors.ts';

/** State -> verb -> next state. A state without verbs is final. */
export type StateMachine<S extends string, V extends string> = Readonly<Record<S, Readonly<Partial<Record<V, S>>>>>;

/** `offers`: the verbs that are operations, which a caller can ask for; all others are steps of the service itself. */
type Step<S, V> = { state: S; verb: V; name: string; offers: readonly V[] };

/**
 * The next state after a verb.
 * @throws conflict naming the current state and the operations that it allows
 */
export function nextState<S extends string, V extends string>(
  machine: StateMachine<S, V>,
  { state, verb, name, offers }: Step<S, V>,
): S {
  const next = machine[state][verb];
  if (next !== undefined) return next;
  const allowed = offers.filter((offer) => machine[state][offer] !== undefined);
  const may =
    allowed.length === 0 ? 'the service decides what follows' : `from there it can only ${allowed.join(' or ')}`;
  throw conflict(`This ${name} is ${state}: it cannot ${verb}; ${isFinal(machine, state) ? 'it is final' : may}.`);
}

export const isFinal = <S extends string>(machine: Readonly<Record<S, object>>, state: S): boolean =>
  Object.keys(machine[state]).length === 0;

/** The states that are not final, or those from which one verb leads on. */
export const openStates = <S extends string>(machine: StateMachine<S, string>, verb?: string): S[] =>
  (Object.keys(machine) as S[]).filter((state) =>
    verb === undefined ? !isFinal(machine, state) : machine[state][verb],
  );

type Move<S> = { name: string; from: S; to: S };

/** @throws conflict for a status that a person cannot give a record that has this one */
export function assertMove<S extends string>(
  moves: Readonly<Record<S, readonly S[]>>,
  { name, from, to }: Move<S>,
): void {
  if (moves[from].includes(to)) return;
  const message = `${name} that is ${from} cannot become ${to}; it can become ${moves[from].join(', ')}.`;
  throw conflict(message, [{ path: 'status', message }]);
}
