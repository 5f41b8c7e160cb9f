/** The value of a key; a new one where the map has none. */
export function setIn<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const current = map.get(key) ?? make();
  map.set(key, current);
  return current;
}
