type Of = { dynamo: { tableName: string }; scope: string };

/** A process keeps one thing of each of so many organizations; that which was put longest ago goes first. */
export function keptByOrganization<T>(most: number) {
  const kept = new Map<string, T>();
  const keyOf = ({ dynamo, scope }: Of) => `${dynamo.tableName} ${scope}`;
  return {
    get: (of: Of): T | undefined => kept.get(keyOf(of)),
    put(of: Of, value: T): T {
      kept.delete(keyOf(of));
      kept.set(keyOf(of), value);
      const [oldest] = kept.keys();
      if (kept.size > most && oldest !== undefined) kept.delete(oldest);
      return value;
    },
  };
}
