/** Edit distance: insertions, deletions, replacements and swaps of adjacent letters. */
export function distance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1]
      const isSwapped =
        row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      const costs = [
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
      ]
      if (isSwapped) costs.push(at(beforeLast, column - 2) + 1)
      current.push(Math.min(...costs))
    }
    beforeLast = last
    last = current
  }
  return at(last, b.length)
}

const at = (costs: number[], column: number) => costs[column] ?? Number.POSITIVE_INFINITY

const differencesMax = 2

/** The most similar known name; undefined when none is similar enough. */
export function closest(name: string, known: string[]): string | undefined {
  const near = known
    .map((one) => ({ one, differences: distance(name, one) }))
    // Short names are similar to too many others.
    .filter(({ one, differences }) => differences <= Math.min(differencesMax, one.length / 4))
    .sort((first, second) => first.differences - second.differences)
  return near[0]?.one
}
