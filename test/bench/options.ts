import { parseArgs } from 'node:util'
import { engineParts } from './engine/engine.js'
import type { Part } from './engine/questions.js'
import { operationNames } from './operations.js'

export type Topology = 'all-in-one' | 'distributed'

export type Options = {
  topologies: Topology[]
  /** The operations to measure. */
  operations: string[]
  /** Events, jobs: the same in both topologies, so measured once. */
  engine: Part[]
  /** What there is, made a hundred times as much. */
  scale: boolean
  /** What each process on the way of a request costs. */
  hops: boolean
  memory: boolean
  quick: boolean
  /** Where the figures go as JSON. */
  json: string | undefined
  /** Where profiles of the product's processes go. */
  profile: string | undefined
}

const scaleName = 'scale'
const hopsName = 'hops'

export class UsageError extends Error {}

export const usage = `npm run bench [-- options]
  --all-in-one, --distributed  one topology instead of both
  --only <operation>           one operation (may be repeated), and no memory:
                               ${operationNames.slice(0, 4).join(', ')},
                               ${operationNames.slice(4).join(', ')},
                               ${[...engineParts, scaleName, hopsName].join(', ')} (once, for all topologies)
  --memory                     the memory of large transfers only
  --quick                      short rounds and smaller transfers: a first look, not a result
  --json <file>                the figures as JSON, too
  --profile <directory>        where the CPU goes, by function; slows the product down`

/** What the arguments choose; nothing chosen is everything. */
export function readOptions(args: string[]): Options | 'help' {
  const values = parse(args)
  if (values.help) return 'help'
  const known = [...operationNames, ...engineParts, scaleName, hopsName]
  const unknown = (values.only ?? []).filter((name) => !known.includes(name))
  if (unknown.length > 0) throw new UsageError(`there is no ${unknown.join(', ')}\n${usage}`)
  const all: Topology[] = ['all-in-one', 'distributed']
  const chosen = all.filter((topology) => values[topology])
  const everything = values.memory ? [] : known
  const wanted = values.only ?? everything
  return {
    topologies: chosen.length > 0 ? chosen : all,
    operations: operationNames.filter((name) => wanted.includes(name)),
    engine: engineParts.filter((part) => wanted.includes(part)),
    scale: wanted.includes(scaleName),
    hops: wanted.includes(hopsName),
    memory: values.memory === true || values.only === undefined,
    quick: values.quick === true,
    json: values.json,
    profile: values.profile,
  }
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        'all-in-one': { type: 'boolean' },
        distributed: { type: 'boolean' },
        only: { type: 'string', multiple: true },
        memory: { type: 'boolean' },
        quick: { type: 'boolean' },
        json: { type: 'string' },
        profile: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values
  } catch (error) {
    const why = error instanceof Error ? error.message.split('. ')[0] : String(error)
    throw new UsageError(`${why}\n${usage}`)
  }
}
