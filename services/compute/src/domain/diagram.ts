import { type Happening, launched, lifecycleOf, next, rules, type State } from './lifecycle.js'

/** The lifecycles and what leads from one to another, as a Mermaid state diagram for the README. */
export function lifecycleDiagram(): string {
  const edges = new Map<string, Set<Happening>>()
  const known = new Map<string, State>([[keyOf(launched), launched]])
  for (const state of known.values()) {
    for (const happening of Object.keys(rules) as Happening[]) {
      const after = next(state, happening)
      if (!after) continue
      if (!known.has(keyOf(after))) known.set(keyOf(after), after)
      const [from, to] = [lifecycleOf(state), lifecycleOf(after)]
      if (from === to) continue
      const edge = `${from} --> ${to}`
      edges.set(edge, (edges.get(edge) ?? new Set()).add(happening))
    }
  }
  const lines = [...edges].map(([edge, happenings]) => `  ${edge}: ${[...happenings].join(', ')}`)
  const first = `  [*] --> ${lifecycleOf(launched)}: launch`
  return ['stateDiagram-v2', first, ...lines, '  terminated --> [*]'].join('\n')
}

const keyOf = ({ desired, observed }: State) => `${desired} ${observed}`
