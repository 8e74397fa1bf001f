/**
 * A third of the elements of each kind, at least one of each. Routes that show the same of an object begin at different
 * elements (`start`), so that together they read all.
 */
export function thirdOfEachKind<T>(
  all: readonly T[],
  kindOf: (one: T) => string,
  start: number,
): T[] {
  return [...new Set(all.map(kindOf))].flatMap((kind) => {
    const ofKind = all.filter((one) => kindOf(one) === kind)
    const third = ofKind.filter((_, index) => index % 3 === start % 3)
    return third.length > 0 ? third : ofKind.slice(0, 1)
  })
}
