/** Whether more than so many arrays and objects lie in each other. Never recurses. */
export function isDeeperThan(value: unknown, depthMax: number): boolean {
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    const below: unknown[] = []
    for (const item of level) {
      if (typeof item !== 'object' || item === null) continue
      if (depth === depthMax) return true
      for (const member of Object.values(item)) below.push(member)
    }
    level = below
  }
  return false
}
