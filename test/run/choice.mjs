import { parseArgs } from 'node:util'

const topologies = ['all-in-one', 'distributed']

/** What the arguments of `npm test` choose; nothing chosen is everything. */
export function readChoice(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      e2e: { type: 'boolean' },
      'all-in-one': { type: 'boolean' },
      distributed: { type: 'boolean' },
    },
  })
  const onlyUnit = positionals.includes('unit')
  const fragments = positionals.filter((word) => word !== 'unit')
  const chosen = topologies.filter((topology) => values[topology])
  const onlyE2e = values.e2e === true || chosen.length > 0
  return {
    fragments,
    checks: !onlyUnit && !onlyE2e && fragments.length === 0,
    unit: !onlyE2e,
    topologies: onlyUnit ? [] : chosen.length > 0 ? chosen : topologies,
  }
}
