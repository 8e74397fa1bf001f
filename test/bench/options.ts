import { parseArgs } from 'node:util'
import { engineParts } from './engine/engine.js'
import type { Part } from './engine/messages.js'
import { operationNames } from './operations.js'

export type Topology = 'all-in-one' | 'distributed'

export type Options = {
  topologies: Topology[]
  /** The operations to measure. */
  operations: string[]
  /** Events and jobs: the same in both topologies, so measured once. */
  engine: Part[]
  /** Whether to measure with a hundred times as much data. */
  scale: boolean
  /** Whether to measure how fast searches are, and how well they find the corpus. */
  searchSpeed: boolean
  searchQuality: boolean
  /** Whether to measure exports of a large story. */
  storyExports: boolean
  /** Whether to measure pages beside requests of the API. */
  pages: boolean
  /** Whether to measure the proxy before notebooks. */
  notebooks: boolean
  /** Whether to measure concurrent streams of a language model. */
  aiStreams: boolean
  /** How many figure revisions `searchSpeed` searches; undefined: 100,000, or fewer for `quick`. */
  objects: number | undefined
  /** Whether to measure the cost of each process between client and database. */
  hops: boolean
  /** Whether to measure what the page about scaling is calculated from. */
  scaling: boolean
  memory: boolean
  quick: boolean
  /** Another checkout to compare with. */
  against: string | undefined
  /** The file for the results as JSON. */
  json: string | undefined
  /** The directory for CPU profiles of the product. */
  profile: string | undefined
}

const scaleName = 'scale'
const hopsName = 'hops'
const searchNames = ['search-speed', 'search-quality']
const storyExportsName = 'story-exports'
const notebooksName = 'notebooks'
const pagesName = 'pages'
const aiStreamsName = 'ai-streams'
const scalingName = 'scaling'

export class UsageError extends Error {}

export const usage = `npm run bench [-- options]
  --all-in-one, --distributed  one topology instead of both
  --only <operation>           one operation (may be repeated), without memory:
                               ${operationNames.slice(0, 4).join(', ')},
                               ${operationNames.slice(4).join(', ')},
                               ${[...engineParts, scaleName, hopsName].join(', ')},
                               ${[...searchNames, storyExportsName, notebooksName, pagesName].join(', ')},
                               ${scalingName} (once, for all topologies), ${aiStreamsName}
  --objects <number>           figure revisions for search-speed; the default is 100000
  --memory                     only the memory of large transfers
  --quick                      short rounds and smaller transfers: only a rough estimate
  --against <directory>        another built checkout, to compare this one with
  --json <file>                also write the results as JSON
  --profile <directory>        write CPU profiles; slows the product down`

/** Parses the arguments; the default is everything. */
export function readOptions(args: string[]): Options | 'help' {
  const values = parse(args)
  if (values.help) return 'help'
  const once = [
    ...[scaleName, hopsName, ...searchNames],
    ...[storyExportsName, notebooksName, pagesName, scalingName],
  ]
  const known = [...operationNames, ...engineParts, ...once, aiStreamsName]
  const unknown = (values.only ?? []).filter((name) => !known.includes(name))
  if (unknown.length > 0) throw new UsageError(`unknown operation: ${unknown.join(', ')}\n${usage}`)
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
    scaling: wanted.includes(scalingName),
    storyExports: wanted.includes(storyExportsName),
    notebooks: wanted.includes(notebooksName),
    pages: wanted.includes(pagesName),
    aiStreams: wanted.includes(aiStreamsName),
    searchSpeed: wanted.includes('search-speed'),
    searchQuality: wanted.includes('search-quality'),
    objects: values.objects === undefined ? undefined : readCount(values.objects),
    memory: values.memory === true || values.only === undefined,
    quick: values.quick === true,
    against: values.against,
    json: values.json,
    profile: values.profile,
  }
}

function readCount(text: string): number {
  const count = Number(text)
  if (!Number.isInteger(count) || count < 1000)
    throw new UsageError(`--objects must be a whole number of at least 1000\n${usage}`)
  return count
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        'all-in-one': { type: 'boolean' },
        distributed: { type: 'boolean' },
        only: { type: 'string', multiple: true },
        objects: { type: 'string' },
        memory: { type: 'boolean' },
        quick: { type: 'boolean' },
        against: { type: 'string' },
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
