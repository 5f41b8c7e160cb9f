type Of = { dynamo: { tableName: string }; tenant: string };

/**
 * A process keeps one thing of each organization, as long as all of them are no larger than `most`; the thing that was put longest ago goes
 * first, and the newest stays.
 */
export function keptByOrganization<T>(most: number, sizeOf: (value: T) => number = () => 1) {
  const kept = new Map<string, T>();
  let size = 0;
  const drop = (key: string) => {
    const value = kept.get(key);
    if (value !== undefined && kept.delete(key)) size -= sizeOf(value);
  };
  const keyOf = ({ dynamo, tenant }: Of) => `${dynamo.tableName} ${tenant}`;
  return {
    get: (of: Of): T | undefined => kept.get(keyOf(of)),
    put(of: Of, value: T): T {
      drop(keyOf(of));
      kept.set(keyOf(of), value);
      size += sizeOf(value);
      for (const oldest of kept.keys()) {
        if (size <= most || kept.size === 1) break;
        drop(oldest);
      }
      return value;
    },
  };
}
