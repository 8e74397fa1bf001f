import type { Floor } from './floor/floor.js'
import { api, type Target, uploadMark } from './load/jobs.js'
import { noisePng, pngTail } from './noise.js'
import { fewRevisions, largeBytes, objectCount, type Seed } from './seed.js'

/** The same operation on the product and on the floor. */
export type Operation = {
  name: string
  title: string
  concurrency: number
  product: Target
  floor: Target
}

/** The number of figures of the listed analysis. */
export const figureCount = 100
/** The number of revisions of the crowded figure. */
export const revisionCount = 1000
/** The number of comments on the crowded figure. */
export const commentCount = 10_000
export const firstThumbnail = 'first-thumbnail'

type Make = (seed: Seed, floor: Floor) => Omit<Operation, 'name'>

const operations: Record<string, Make> = {
  read: ({ headers, figures }, floor) => ({
    title: 'read a figure',
    concurrency: 8,
    product: get(
      figures.map((figure) => `${api}/figure/${figure}/`),
      headers,
    ),
    floor: get(floor.figures.map((figure) => `/figure/${figure}`)),
  }),
  open: ({ headers, revised }, floor) => ({
    title: `a figure with its ${fewRevisions} revisions`,
    concurrency: 8,
    product: get([`${api}/figure/${revised}/`], headers),
    floor: get([`/list/${floor.revised}`]),
  }),
  list: ({ headers, analysis }, floor) => ({
    title: `an analysis with its ${figureCount} figures`,
    concurrency: 8,
    product: get([`${api}/analysis/${analysis}/`], headers),
    floor: get([`/list/${floor.analysis}`]),
  }),
  'open-unchanged': ({ headers, revised }, floor) => ({
    title: `the same figure, unchanged (304)`,
    concurrency: 8,
    product: unchanged(`${api}/figure/${revised}/`, headers),
    floor: get([`/list/${floor.revised}`]),
  }),
  'list-unchanged': ({ headers, analysis }, floor) => ({
    title: `the same analysis, unchanged (304)`,
    concurrency: 8,
    product: unchanged(`${api}/analysis/${analysis}/`, headers),
    floor: get([`/list/${floor.analysis}`]),
  }),
  revisions: ({ headers, crowded }, floor) => ({
    title: `a figure with its ${revisionCount} revisions`,
    concurrency: 4,
    product: get([`${api}/figure/${crowded}/`], headers),
    floor: get([`/list/${floor.crowd}`]),
  }),
  comments: ({ headers, crowded }, floor) => ({
    title: `the ${commentCount} comments on a figure`,
    concurrency: 4,
    product: get([`${api}/comment/?target_type=figure&target_id=${crowded}`], headers),
    floor: get([`/comments/${floor.commented}`]),
  }),
  create: ({ headers, empty }) => ({
    title: 'create a figure',
    concurrency: 8,
    product: post(`${api}/figure/`, headers, empty.map(newFigure)),
    floor: post('/create', {}, empty.map(newFigure)),
  }),
  publish: ({ headers, slots }) => ({
    title: 'publish a 200 KB PNG',
    concurrency: 4,
    ...publication(headers, slots, noisePng(200_000), 'image'),
  }),
  'publish-file': ({ headers, slots }) => ({
    title: 'the same, as a file',
    concurrency: 4,
    ...publication(headers, slots, noisePng(200_000), 'file'),
  }),
  'publish-20mb': ({ headers, slots }) => ({
    title: 'publish a file of 20 MB',
    concurrency: 2,
    ...publication(headers, slots.slice(0, 1), noisePng(largeBytes), 'file'),
  }),
  'publish-20mb-tus': ({ headers, slots }) => ({
    title: 'the same by tus',
    concurrency: 2,
    ...resumablePublication(headers, slots[0] ?? '', noisePng(largeBytes)),
  }),
  'eight-publishers': ({ headers, slots }) => ({
    title: 'as base64 by eight publishers',
    concurrency: 8,
    ...publication(headers, slots.slice(0, 1), noisePng(largeBytes), 'file'),
  }),
  download: ({ headers, large }) => ({
    title: 'download a file of 20 MB',
    concurrency: 4,
    product: get([`${api}/data/${large}/?dl=1`], headers),
    floor: get(['/file']),
  }),
  derive: ({ headers, derivable, slots }) => ({
    title: `derive from ${objectCount} data objects`,
    concurrency: 4,
    product: post(
      `${api}/revision/${derivable}/derive/`,
      headers,
      slots.map((figure) => Buffer.from(JSON.stringify({ figure }))),
    ),
    floor: post('/derive', {}, [Buffer.from('{}')]),
  }),
  thumbnail: ({ headers, thumbnailPath }, floor) => ({
    title: 'read a warm thumbnail',
    concurrency: 8,
    product: get([thumbnailPath], headers),
    floor: get([`/thumbnail/${floor.figures[0]}`]),
  }),
}

export const operationNames = [...Object.keys(operations), firstThumbnail]

export function makeOperation(name: string, seed: Seed, floor: Floor): Operation | undefined {
  const make = operations[name]
  return make && { name, ...make(seed, floor) }
}

/** A target that publishes images of about 1 MB. */
export const megabyte = ({ headers, slots }: Seed): Target =>
  publication(headers, slots, noisePng(1_000_000), 'image').product

const get = (paths: string[], headers: Record<string, string> = {}): Target => ({
  method: 'GET',
  paths,
  headers,
  status: 200,
})

/** `*` stands for the ETag of any version. */
const unchanged = (path: string, headers: Record<string, string>): Target => ({
  ...get([path], { ...headers, 'if-none-match': '*' }),
  status: 304,
})

const post = (path: string, headers: Record<string, string>, bodies: Uint8Array[]): Target => ({
  method: 'POST',
  paths: [path],
  headers,
  bodies,
  status: 201,
})

const newFigure = (analysis: string) =>
  Buffer.from(JSON.stringify({ name: 'Monthly means', description: 'Counts', analysis }))

function publication(
  headers: Record<string, string>,
  slots: string[],
  bytes: Buffer,
  type: 'image' | 'file',
): { product: Target; floor: Target } {
  const data = [{ name: 'figure', type, metadata: {}, data: bytes.toString('base64') }]
  const bodies = slots.map((figure) => Buffer.from(JSON.stringify({ figure, data })))
  const tail = pngTail()
  // All ids, and so all bodies, have the same length.
  const end = bodies[0]?.lastIndexOf('"}]}') ?? 0
  const inBase64 = { at: end - tail.toString('base64').length, encoding: 'base64' } as const
  const asBytes = { at: bytes.length - tail.length, encoding: 'latin1' } as const
  return {
    product: { ...post(`${api}/revision/`, headers, bodies), tail: inBase64 },
    floor: { ...post('/publish', {}, [bytes]), tail: asBytes },
  }
}

function resumablePublication(headers: Record<string, string>, figure: string, bytes: Buffer) {
  const { product, floor } = publication(headers, [figure], bytes, 'file')
  const data = [{ name: 'figure', type: 'file', metadata: {}, upload: uploadMark }]
  const upload = {
    path: `${api}/upload/`,
    headers: {
      ...headers,
      'content-type': 'application/offset+octet-stream',
      'tus-resumable': '1.0.0',
      'upload-length': String(bytes.length),
      'upload-metadata': `figure ${Buffer.from(figure).toString('base64')}`,
    },
    body: bytes,
  }
  const bodies = [Buffer.from(JSON.stringify({ figure, data }))]
  return { product: { ...product, bodies, tail: floor.tail, upload }, floor }
}
