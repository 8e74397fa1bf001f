import { type Points, pointNumbers } from './edge-program.js'
import { directions, type EdgeMap } from './edges.js'
import type { Placement } from './placement.js'

/** The least sum of the strengths of a cell with edges. */
const edgesFrom = 0.3

/** At most `countMax` cells with edges, evenly chosen. */
export function pointsOf({ side, data }: EdgeMap, countMax: number): Points {
  const cells: number[] = []
  for (let i = 0; i < side * side; i++) {
    let sum = 0
    for (let c = 0; c < directions; c++) sum += data[i * directions + c] as number
    if (sum >= edgesFrom) cells.push(i)
  }
  const count = Math.min(countMax, cells.length)
  const chosen = Array.from(
    { length: count },
    (_, i) => cells[Math.floor(((i + 0.5) * cells.length) / count)] as number,
  )
  const points: Points = new Float32Array(count * pointNumbers)
  chosen.forEach((i, k) => {
    points.set(data.subarray(i * directions, (i + 1) * directions), k * pointNumbers)
    points[k * pointNumbers + directions] = ((i % side) + 0.5) / side - 0.5
    points[k * pointNumbers + directions + 1] = (Math.floor(i / side) + 0.5) / side - 0.5
  })
  return points
}

type Steps = Placement

/** Moves the placement in ever smaller steps to where the agreement is best. `halvings`: how often steps are halved. */
export function refine(
  measure: (placement: Placement) => number,
  start: Placement,
  first: Steps,
  halvings: number,
): { placement: Placement; score: number } {
  let placement = start
  let score = measure(start)
  let scale = 1
  for (let halving = 0; halving <= halvings; halving++, scale /= 2) {
    for (const key of ['x', 'y', 'sx', 'sy', 'turn'] as const) {
      for (const sign of [1, -1]) {
        let moved = false
        for (let more = 0; more < 3; more++) {
          const next = { ...placement, [key]: placement[key] + sign * scale * first[key] }
          const better = measure(next)
          if (better <= score) break
          placement = next
          score = better
          moved = true
        }
        if (moved) break
      }
    }
  }
  return { placement, score }
}
