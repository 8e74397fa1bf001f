import type { Figbase, Schemas } from '@figbase/client'
import { type CommonOptions, connect } from '../connection.js'
import { usageError } from '../failure.js'
import { openFile } from '../files.js'
import { parseMetadataTexts } from '../metadata.js'
import { printTable, show } from '../output.js'
import { pageOf } from '../pages.js'
import { type Kind, type Reference, resolveKind } from '../reference.js'

type Options = CommonOptions & {
  image?: string
  by: 'keyword' | 'text' | 'semantic'
  in?: string
  meta?: string[]
  stale?: boolean
  limit: number
}

/** Finds objects by words, or figures by a picture. */
export async function search(query: string | undefined, options: Options): Promise<void> {
  const { meta = [] } = options
  const hasMetadata = meta.length > 0
  if (options.image === undefined ? query === undefined && !hasMetadata : query !== undefined) {
    throw usageError('Search either for words, for --meta, or for --image')
  }
  const connection = await connect(options)
  const { figbase } = connection
  const found = await figbase.post('/search/', {
    body: {
      k: options.limit,
      ...(options.image === undefined
        ? { search_type: options.by, query: query ?? '' }
        : { search_type: 'image', image: await picture(options.image) }),
      ...(options.stale && { is_stale: true }),
      ...(hasMetadata && { metadata: parseMetadataTexts(meta) }),
      ...(options.in !== undefined && {
        workspace: (await resolveKind(connection, options.in, ['workspace'])).api_id,
      }),
    },
  })
  const hits = await toHits(figbase, found)
  show(options.json, hits, () =>
    printTable(hits.map(({ score, kind, name, url }) => [score.toFixed(2), kind, name, url])),
  )
}

type Hit = Reference & { score: number; name: string | null; url: string }

/** Revisions are shown with the names of their figures and assets, which one request reads. */
async function toHits(figbase: Figbase, found: Schemas['SearchResult'][]): Promise<Hit[]> {
  const owners = found.map(({ object }) => ownerOf(object))
  const paths = [...new Set(owners.filter((path) => path !== undefined))]
  const names = await namesAt(figbase, paths)
  return found.map(({ score, object }, at) => {
    const reference = { kind: kindOf(object.entity_type), api_id: object.api_id }
    const name = 'name' in object ? object.name : names.get(owners[at] ?? '')
    return { score, ...reference, name: name ?? null, url: pageOf(figbase, reference) }
  })
}

const kindOf = (type: string) => (type === 'figure_revision' ? 'revision' : (type as Kind))

function ownerOf(object: Schemas['SearchResult']['object']): string | undefined {
  if ('figure' in object) return `figure/${object.figure}/?fields=name`
  return 'asset' in object ? `asset/${object.asset}/?fields=name` : undefined
}

async function namesAt(figbase: Figbase, paths: string[]): Promise<Map<string, string>> {
  if (paths.length === 0) return new Map()
  const requests = paths.map((path) => ({ path }))
  const { responses } = await figbase.post('/batch/', { body: { requests } })
  const names = new Map<string, string>()
  for (const [at, { status, body }] of responses.entries()) {
    const path = paths[at]
    if (status === 200 && path !== undefined) names.set(path, (body as { name: string }).name)
  }
  return names
}

async function picture(file: string): Promise<string> {
  const { source } = await openFile(file)
  if (source.size > pictureBytesMax) throw usageError(`${file} is larger than 6 MiB`)
  return Buffer.from(await source.read(0, source.size)).toString('base64')
}

/** The server has a limit of its own; this one keeps a wrong file out of memory. */
const pictureBytesMax = 6 * 2 ** 20
